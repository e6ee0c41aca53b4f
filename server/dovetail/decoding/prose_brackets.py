"""Brackets that would be prose: in an element a bracket is text like any other, and readers of the page would see it.

A model writes such a bracket where it takes the element for closed: behind `<li>{item.name}` it writes `))}`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.decoding.completion import Cause
from dovetail.decoding.ending import PROSE
from dovetail.decoding.limits import Shape
from dovetail.decoding.named_elements import NamedState

if TYPE_CHECKING:
    from dovetail.decoding.candidate import Candidate
    from dovetail.decoding.constraint import ConstraintState
    from dovetail.decoding.progress import Progress
    from dovetail.decoding.verdict import Verdict

_CLOSER = re.compile(rb"[)\]]")

_OPENED_BY = {")": "(", "]": "["}

_TAG_END = re.compile(r"<|(?<!=)>")
"""The signs around tags; the brackets in fields, as in `({items.filter((item) => item.done).length})`, go in pairs."""


def writes_no_closer_as_text(progress: Progress, candidate: Candidate) -> Verdict:
    """Refuse a bracket that would be text of an element, and closes none that this text has opened."""
    piece, state = candidate.piece, progress.state
    assert piece, "an earlier rule refuses a token that adds no text"
    found = _CLOSER.search(piece)
    if found is None or not isinstance(state, NamedState) or progress.task.limits.shape is Shape.FREE:
        return None
    before, behind = state.advance(piece[: found.start()]), state.advance(piece[: found.end()])
    if before is None or behind is None or not is_element_text(before) or not is_element_text(behind):
        return None
    written = progress.task.left + (progress.text + piece[: found.start()]).decode(errors="ignore")
    closer = found[0].decode()
    prose = _TAG_END.split(written)[-1]
    return None if prose.count(_OPENED_BY[closer]) > prose.count(closer) else Cause.PROSE


def is_element_text(state: ConstraintState) -> bool:
    """Return whether text of an element goes on here, in which a brace opens a field."""
    field = state.advance("{")
    return state.advance(PROSE) is not None and field is not None and field.enclosure.depth > state.enclosure.depth


def makes_prose_of_closers(text: str, right: str, start: ConstraintState) -> bool:
    r"""Return whether a text turns the brackets that the next line with content closes into prose.

    In an element a bracket is text like any other. So a completion may close all brackets around the cursor itself,
    and what stands below for that would be shown to readers.
    """
    line, _, below = right.replace("\r", "\n").partition("\n")
    if line.strip() or not below.lstrip().startswith((")", "]", "}")) or start.advance(PROSE) is not None:
        return False
    after = start.advance(text)
    return after is not None and after.advance(PROSE) is not None and after.enclosure.depth < start.enclosure.depth


def without_last_opener(text: str, start: ConstraintState) -> str:
    """Return a text without the brackets at its end that readers of an element would see, and that open nothing."""
    bare = text.rstrip("([ \t")
    before, after = start.advance(bare), start.advance(text)
    if bare in ("", text) or before is None or after is None or after.enclosure.depth > before.enclosure.depth:
        return text
    return bare if after.advance(PROSE) is not None and start.accepts(bare) else text
