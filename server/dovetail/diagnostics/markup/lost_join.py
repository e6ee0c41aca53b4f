"""Lost join: the sign between a value and the element behind it, as `&&`, or `?` and `:` of a condition.

The tag is read as less-than and a name, and what closes the element as a regular expression.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_column, line_end, line_start, line_start_above
from dovetail.diagnostics.markup.tags import is_in_content, is_in_tag
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail.quotient.right_side import RightSide

_TAG = re.compile(r"(?<=[\w)\]}\"'>])[ \t]+(<(?P<name>[A-Za-z][\w$.:-]*))")
_TAG_BELOW = re.compile(r"(?<=[\w)\]}\"'])[ \t]*[\r\n]\s*(<(?P<name>[A-Za-z][\w$.:-]*))")
_END = re.compile(r"/>|</")
_FIRST, _SECOND = "?", ":"
_SIGNS = ("&&", _FIRST, _SECOND)
_MOST = 3
"""The most tags before a fault that are tried."""
_REACH = 2_000
"""Characters behind a tag in which the end of its element is sought."""


def find_lost_join(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for an element on the line of a fault, with a value before it, that a sign joins; else None."""
    return _find_join(right, text, offset, _TAG.finditer(text, line_start(text, offset), line_end(text, offset)))


def find_lost_join_below(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for an element that begins its line, joined to a value on the line before; None for others.

    It begins on the line of the fault, or on the one above.
    """
    above = line_start_above(text, line_start(text, offset))
    tags = _TAG_BELOW.finditer(text, len(text[:above].rstrip()), line_end(text, offset))
    return _find_join(right, text, offset, [tag for tag in tags if _fits_below(right, text, tag)])


def _find_join(right: RightSide, text: str, offset: int, found: Iterable[re.Match[str]]) -> Hint | None:
    """Return the hint for the last of some tags up to a fault that a sign before it explains; None for none."""
    if not right.lexer.compiled.mistakes.elements:
        return None
    begun = Configuration((right.stacks.bottom,), right.lexer.start)
    for tag in [tag for tag in found if tag.start(1) <= offset][: -_MOST - 1 : -1]:
        place = tag.start(1)
        at = begun.read(right.lexer, right.stacks, text[:place])
        if at is None or is_in_content(right, at) or is_in_tag(right, at):
            continue
        rests = [text[place : line_end(text, content_after(text, offset))]]
        if _END.search(text, place, line_end(text, place)):
            rests.append(text[place : line_end(text, offset)])  # The next line may have a mistake of its own.
        for sign in _signs_before(text, tag):
            if any(fits(right, at, f"{sign} {rest}\n") for rest in rests):
                words = f"`{tag[1]}` does not fit here; perhaps a `{sign}` is missing before it"
                return Hint(place, words, Meant(place, place, f"{sign} ", is_sure=True))
    return None


def _fits_below(right: RightSide, text: str, tag: re.Match[str]) -> bool:
    """Return whether an element that is joined to the value above it fits with all of its lines and the next one."""
    place = tag.start(1)
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:place])
    column, below = line_column(text, place), content_after(text, place)
    while below < len(text) and (line_column(text, below) > column or text.startswith(">", below)):
        below = content_after(text, below)
    end = line_end(text, content_after(text, below))
    return at is not None and any(fits(right, at, f"{sign} {text[place:end]}\n") for sign in _signs_before(text, tag))


def _signs_before(text: str, tag: re.Match[str]) -> tuple[str, ...]:
    """Return the signs that may stand before an element, the likeliest first, by what stands around it."""
    if text[: tag.start()].endswith(">"):
        return (_SECOND,)
    end = re.compile(rf"</{re.escape(tag['name'])}>\s*{_SECOND}").search(text, tag.end(), tag.end() + _REACH)
    return _SIGNS if end is None else (_FIRST, _SECOND)
