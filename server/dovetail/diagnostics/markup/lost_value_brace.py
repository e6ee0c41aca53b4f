"""Lost brace of a value: the one before the value of an attribute, which ends with its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.diagnostics.broken_lexeme import shortened
from dovetail.diagnostics.flaw import closer_of
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_end
from dovetail.diagnostics.markup.tags import is_in_tag
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_SIGN = "="
_LOST = ("{", "{{")


def find_lost_value_brace(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a value at an offset of a tag with which the text fits behind braces; None if none does.

    What closes the braces ends the value: the tag goes on behind it.
    """
    before = len(text[:offset].rstrip())
    if not right.lexer.compiled.mistakes.elements or text[before - 1 : before] != _SIGN:
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[: before - 1])
    if at is None or not is_in_tag(right, at):
        return None
    for lost in _LOST:
        closer = closer_of(right.lexer, text[:offset] + lost + text[offset:], offset)
        if closer is None:
            continue
        end = closer + 1 - len(lost)
        meant = f"{_SIGN}{lost}{text[before:end]}"
        after = at.read(right.lexer, right.stacks, meant)
        if after is None or not is_in_tag(right, after):
            continue
        # The next line may have a mistake of its own.
        stops = (line_end(text, content_after(text, line_end(text, end))), line_end(text, end))
        if any(fits(right, after, text[end:stop]) for stop in stops):
            words = _words(text[before - 1 : end], meant, lost)
            return Hint(before - 1, words, Meant(before - 1, end, meant, is_sure=True))
    return None


def _words(written: str, meant: str, lost: str) -> str:
    """Return the message about a value, with its sign."""
    if "`" in written or "\n" in written or "\r" in written or shortened(written) != written:
        return f"expected `{lost}` before the value"
    return f"`{written}` does not fit here; write `{meant}`"
