"""Foreign block: a statement of several parts that only other languages have, such as `try` with `catch` in Go.

Its headers and what closes them are left out, so that only the first header is reported, and what stands inside is
still read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.diagnostics.flaw import MIRRORED
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_column, line_end, line_start, line_start_above
from dovetail.diagnostics.mistakes.foreign_declaration import closed

if TYPE_CHECKING:
    from dovetail.grammar.mistakes import ForeignForm
    from dovetail.quotient.right_side import RightSide

_CONTENT = re.compile(r"[^\r\n]")
_WORD = re.compile(r"\w+")
_MOST_ABOVE = 40
"""The most lines above a fault on which the first header may stand."""


class _Part(NamedTuple):
    """A header, or what closes one and the next header with it."""

    start: int
    end: int


def find_foreign_block(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the nearest block around an offset, or right above it, that other languages have; else None.

    On a line above, only a form that may be read on counts.
    """
    mistakes = right.lexer.compiled.mistakes
    forms = [form for form in mistakes.forms if form.is_block]
    closers = frozenset(mistakes.closed_by.values())
    start = line_start(text, offset)
    for above in range(_MOST_ABOVE if forms else 0):
        for form in forms:
            found = re.compile(form.pattern).match(text, start, line_end(text, start))
            if found is None or (above and not form.is_above):
                continue
            parts = _parts(text, form, found, closers, right.lexer.compiled.comment or "\n")
            if parts is None:
                continue
            first, end = start + len(found.group()) - len(found.group().lstrip()), parts[-1].end
            # A header by itself may be read on to the next line.
            last = end if len(parts) > 1 else line_end(text, content_after(text, end))
            if last < offset:
                continue
            left_out = [_Part(first, end)] if form.is_whole else parts
            return Hint(first, form.words, Meant(first, end, _without(text, left_out, first, end), is_sure=True))
        if start == 0:
            break
        start = line_start_above(text, start)
    return None


def _parts(
    text: str, form: ForeignForm, header: re.Match[str], closers: frozenset[str], comment: str
) -> list[_Part] | None:
    """Return the parts of a block in their order; None if it is none, since it lacks what belongs to it.

    `comment`: the sign that begins a comment, which may stand between them.
    """
    if text[header.end() - 1] in MIRRORED:
        return _braced_parts(text, form, header)
    parts = [_Part(*header.span())]
    column = line_column(text, header.end() - 1)
    place = content_after(text, header.end())
    while place < len(text) and (depth := line_column(text, place)) >= column:
        further = re.compile(form.parts).match(text, place, line_end(text, place)) if form.parts else None
        word = _WORD.match(text, place)
        if depth == column and further is not None:
            parts.append(_Part(*further.span()))
        elif depth == column and not text.startswith(comment, place):
            # Another statement: nothing closes the block.
            return [*parts, _Part(*word.span())] if word is not None and word.group() in closers else parts
        place = content_after(text, place)
    return parts


def _braced_parts(text: str, form: ForeignForm, header: re.Match[str]) -> list[_Part] | None:
    """Return the parts of a block in brackets, with at least one behind the header's if the form has such parts."""
    parts = [_Part(*header.span())]
    end = closed(text, header.end() - 1)
    while end is not None:
        further = re.compile(form.parts).match(text, end - 1) if form.parts else None
        if further is None:
            break
        parts.append(_Part(*further.span()))
        end = closed(text, further.end() - 1)
    if end is None or (form.parts and len(parts) == 1):
        return None
    return [*parts, _Part(end - 1, end)]


def _without(text: str, parts: list[_Part], start: int, end: int) -> str:
    """Return a text from one offset to another with blanks for some parts of it."""
    made = text[:end]
    for part in parts:
        made = made[: part.start] + _CONTENT.sub(" ", made[part.start : part.end]) + made[part.end :]
    return made[start:]
