"""Lost value: braces in the content of an element of which the first one is lost, so that the value is read as text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import closer_of
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_end, line_start
from dovetail.diagnostics.markup.tags import tags
from dovetail.diagnostics.mistakes.lost_brace import header_of
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.reported import line_and_column
from dovetail.lexing.lexemes import lexemes
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.machine import Machine
    from dovetail.quotient.right_side import RightSide

_OPENER, _CLOSER, _SIGN = "{", "}", ">"
_CLOSING = ")]}"
_MOST_PARTS = 4
"""The most parts of a value, as those of a condition."""
_LAST_TAG = re.compile(r".*(?<!=)>\s*")


def find_lost_value(machine: Machine, right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a sign at an offset, in the text of an element, that fits behind a brace further up.

    The sign is a closing brace, or one of less and greater before one. None where no brace makes it fit, before the
    text behind the last tag of the line or where a line in its column begins.
    """
    if not machine.compiled.mistakes.elements or text[offset : offset + 1] not in (_CLOSER, _SIGN):
        return None
    if not _is_in_text(right.lexer, text, offset):
        return None
    ends = (line_end(text, content_after(text, offset)), line_end(text, offset))
    for place in _places(machine, text, offset):
        at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:place])
        if at is None or not any(fits(right, at, _OPENER + text[place:end]) for end in ends):
            continue
        made = text[:place] + _OPENER + text[place:]
        closer = closer_of(right.lexer, made, place)
        if closer is None or closer <= offset:
            continue
        line, _ = line_and_column(made, closer)
        words = f"perhaps `{_OPENER}` is missing here, for `{_CLOSER}` on line {line} closes nothing"
        return Hint(place, words, Meant(place, place, _OPENER, is_sure=True))
    return None


def _is_in_text(lexer: Lexer, text: str, offset: int) -> bool:
    """Return whether an offset lies in the content of an element, outside of braces."""
    opened: list[int] = []
    for _, begun, inside in tags(lexer, text[:offset]):
        if begun:
            opened.append(inside)
        elif opened:
            opened.pop()
    here = next((found for found in lexemes(lexer, text) if found.start <= offset < found.end), None)
    return bool(opened) and here is not None and here.stack == opened[-1]


def _places(machine: Machine, text: str, offset: int) -> Iterator[int]:
    """Yield where the brace may be lost."""
    begin = line_start(text, offset)
    tag = _LAST_TAG.match(text, begin, offset)
    found = [content_at(text, begin) if tag is None else tag.end(), content_at(text, begin)]
    header = header_of(machine, text, offset)
    for _ in range(_MOST_PARTS):
        if header is None:
            break
        # Above `) : (` the first of several parts begins.
        found.append(content_at(text, line_start(text, header)))
        header = header_of(machine, text, found[-1]) if text[found[-1]] in _CLOSING else None
    for place in reversed(found):
        # What begins with a brace, or a tag, is another mistake.
        if place < offset and text[place] not in "{<":
            yield place
