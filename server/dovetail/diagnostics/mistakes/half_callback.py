"""Half a callback: a function among the arguments of a call that lost the bracket before its parameters.

`map(row) => {` is read as a call, and the bracket that closes the arguments far below closes nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import brackets_of, closer_of, find_flaw
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_at, line_column, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.reported import words_of_lost_line
from dovetail.lexing.lexemes import lexemes
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.right_side import RightSide

_ARROW, _OPENER, _CLOSER = "=>", "(", ")"
_CALLED = re.compile(r"[\w$]+[ \t]*\Z")
_NAME = "a"
"""The look of what is called."""
_BLANK_LINE = re.compile(r"[ \t]*(?:\r\n|\r(?!\n)|\n)[ \t]*[\r\n]")
_QUOTES = ("'", '"', "`")
_LONG = 40
"""The most characters of a callback that a message shows."""


def find_half_callback(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the arrow at an offset if a bracket before its parameters makes its line fit; None otherwise.

    The bracket has to be closed further down: the arrow of a function outside of a call may be too many instead.
    """
    if not text.startswith(_ARROW, offset) or not text[:offset].rstrip().endswith(_CLOSER):
        return None
    begun = Configuration((right.stacks.bottom,), right.lexer.start)
    doubled = _doubled(right, text, offset)
    if doubled is not None:
        return doubled
    for place in _places(right.lexer, text, offset):
        at = begun.read(right.lexer, right.stacks, text[:place])
        is_behind_string = text[:place].rstrip().endswith(_QUOTES)
        if at is not None and is_behind_string and fits(right, at, f", {text[place : line_end(text, offset)]}"):
            # Nobody calls a string.
            words = f"`{_OPENER}` does not fit here; perhaps a `,` is missing before it"
            return Hint(place, words, Meant(place, place, ", ", is_sure=True))
        if at is None or not fits(right, at, _OPENER + text[place : line_end(text, offset)]):
            continue
        made = text[:place] + _OPENER + text[place:]
        closer, flaw = closer_of(right.lexer, made, place), find_flaw(right.lexer, made)
        if closer is None or (flaw is not None and flaw.offset <= closer):
            continue
        around = brackets_of(right.lexer, text[:place]).opened
        if around and closer_of(right.lexer, text, around[-1][0]) and not closer_of(right.lexer, made, around[-1][0]):
            # All brackets are closed as they stand: between two arguments a comma is lost.
            if around[-1][1] == "{" or not fits(right, at, f", {text[place : line_end(text, offset)]}"):
                continue
            words = f"`{_OPENER}` does not fit here; perhaps a `,` is missing before it"
            return Hint(place, words, Meant(place, place, ", ", is_sure=True))
        called = _CALLED.search(text, line_start(text, place), place)
        first = place if called is None else called.start()
        end = offset + len(_ARROW)
        written = text[first:end]
        words = f"expected `{_OPENER}` before the parameters"
        if len(written) <= _LONG and "\n" not in written:
            words = f"`{written}` does not fit here; write `{text[first:place]}{_OPENER}{text[place:end]}`"
        above = len(text[:place].rstrip())
        if line_start(text, above) != line_start(text, place):
            if _BLANK_LINE.match(text, above) is not None and line_column(text, place) > line_column(text, above - 1):
                # The call is another statement than the one above.
                words = words_of_lost_line(text, f"ends with `{_OPENER}`", _CLOSER, closer - len(_OPENER))
                return Hint(place, words, Meant(place, place, f"{_NAME}{_OPENER}", is_sure=True))
            words = f"expected `{_OPENER}` at the end of this line"
            return Hint(above, words, Meant(above, above, _OPENER, is_sure=True))
        return Hint(place, words, Meant(place, place, _OPENER, is_sure=True))
    return None


def _doubled(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the bracket behind the parameters before an arrow if it is written twice; None if it is not.

    The second one closes the call, and what closes that further down closes nothing.
    """
    place = len(text[:offset].rstrip()) - 1
    if not text[:place].rstrip().endswith(_CLOSER):
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:place])
    if at is None or not fits(right, at, f" {text[place + 1 : line_end(text, offset)]}\n"):
        return None
    opened = find_flaw(right.lexer, text[:place])
    made = f"{text[:place]} {text[place + 1 :]}"
    if opened is None or not opened.is_open or closer_of(right.lexer, made, opened.offset) is None:
        return None
    return Hint(place, f"`{_CLOSER}` is one too many", Meant(place, place + 1, " ", is_sure=True))


def _places(lexer: Lexer, text: str, offset: int) -> Iterator[int]:
    """Yield where the bracket may be lost: before the one that is closed before an offset, or before an argument."""
    opened: list[list[int]] = []
    found: list[int] = []
    for start, end, terminal, _, _ in lexemes(lexer, text[:offset]):
        sign = "" if terminal is None else text[start:end]
        if sign == _OPENER:
            opened.append([start])
        elif sign == "," and opened:
            opened[-1].append(content_at(text, end))
        elif sign == _CLOSER and opened:
            found = opened.pop()
    yield from found
