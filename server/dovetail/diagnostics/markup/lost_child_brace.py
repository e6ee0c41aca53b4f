"""Lost brace of a child: the one before a value in the content of an element, which is read as its text.

It stops fitting at the first sign that no text has, as the arrow of a function, perhaps some lines below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import closer_of
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_end, line_start, line_start_above
from dovetail.diagnostics.markup.tags import is_in_content
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_BRACE = "{"
_MOST_LINES = 12
"""The most lines above a fault before which the brace is tried."""


def find_lost_child_brace(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the line at or above a fault that begins a value, if a brace below ends it; else None."""
    start = line_start(text, offset)
    for _ in range(_MOST_LINES):
        content = content_at(text, start)
        if text[content : content + 1].isalpha() or text.startswith("!", content):
            hint = _opened(right, text, content, offset)
            if hint is not None:
                return hint
        if start == 0:
            break
        start = line_start_above(text, start)
    return None


def _opened(right: RightSide, text: str, content: int, offset: int) -> Hint | None:
    """Return the hint for a value that begins at an offset, if its brace goes beyond a fault and all of it fits."""
    closer = closer_of(right.lexer, text[:content] + _BRACE + text[content:], content)
    if closer is None or closer - 1 < offset:
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:content])
    end = line_end(text, content_after(text, line_end(text, closer - 1)))
    if at is None or not is_in_content(right, at) or not fits(right, at, f"{_BRACE}{text[content:end]}\n"):
        return None
    return Hint(content, f"perhaps `{_BRACE}` is missing here", Meant(content, content, _BRACE, is_sure=True))
