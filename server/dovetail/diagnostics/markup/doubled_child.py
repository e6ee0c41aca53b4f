"""Doubled brace: one that was written twice before a child of an element, or before the value of an attribute.

The inner one begins an object, in which only names fit. What closes the outer one closes the inner one, and the
brackets around it are closed by others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.diagnostics.broken_lexeme import shortened
from dovetail.diagnostics.flaw import closer_of
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_end
from dovetail.diagnostics.markup.open_parts import open_parts
from dovetail.diagnostics.markup.tags import is_in_content, is_in_tag
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_BRACE, _CLOSER, _SIGN = "{", "}", "="


def find_doubled_child(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the second of two braces around a fault with which the text fits without it; else None.

    Its end may be doubled, too.
    """
    if not right.lexer.compiled.mistakes.elements:
        return None
    around = open_parts(right.lexer, text[:offset])[-2:]
    if [part.kind for part in around] != [_BRACE, _BRACE] or around[0].offset + 1 != around[1].offset:
        return None
    place = around[1].offset
    begun = Configuration((right.stacks.bottom,), right.lexer.start)
    at = begun.read(right.lexer, right.stacks, text[: place - 1])
    sign = len(text[: place - 1].rstrip()) - 1
    before = begun.read(right.lexer, right.stacks, text[:sign]) if text.startswith(_SIGN, sign) else None
    is_value = before is not None and is_in_tag(right, before)
    if at is None or not (is_value or is_in_content(right, at)):
        return None
    closer = closer_of(right.lexer, f"{text[:place]} {text[place + 1 :]}", place - 1)
    if closer is None and not text[place + 1 : line_end(text, place)].strip():
        return None  # Nothing shows that no object was meant.
    if closer is None:
        # Further down is another mistake.
        rest = text[place + 1 : line_end(text, content_after(text, offset))]
        return _one_too_many(place) if fits(right, at, f"{_BRACE}{rest}\n") else None
    if closer < offset:
        return None
    is_twice = text.startswith(_CLOSER, closer + 1)
    for end in (closer + 1 + is_twice, closer + 1):
        value = text[place + 1 : closer + 1]
        stops = (line_end(text, content_after(text, line_end(text, end))), line_end(text, end))
        if not any(fits(right, at, f"{_BRACE}{value}{text[end:stop]}") for stop in stops):
            continue
        if end == closer + 1:
            return _one_too_many(place)
        written = text[place - 1 : end]
        words = "one pair of braces is too many"
        if "`" not in written and "\n" not in written and shortened(written) == written:
            words = f"`{written}` does not fit here; write `{_BRACE}{value}`"
        return Hint(place - 1, words, Meant(place, end, f" {value} ", is_sure=True))
    return None


def _one_too_many(place: int) -> Hint:
    """Return the hint for the brace at an offset."""
    return Hint(place, f"`{_BRACE}` is one too many", Meant(place, place + 1, " ", is_sure=True))
