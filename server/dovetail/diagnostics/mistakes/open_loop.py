"""Open loop: a block that a word has to follow, as `do { … } while (…);`, and that an outer brace closes.

The line with its end is lost, or its brace. The text stops fitting only behind the outer brace, where the word is
wanted.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED, signs
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_at, line_column, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_OPENER, _CLOSER = "{", "}"
_HEADER = re.compile(r"(?:^|[\s;}])(?P<word>[^\W\d]\w*)[ \t]*\Z", re.MULTILINE)
_STATEMENT = "a;\n"
_CONDITION = "(a);"


def find_open_loop(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the brace of a block that lacks its last line, above a fault behind an outer brace; or None.

    With the line in the column of the first one, all fits up to the end of the line of the fault.
    """
    closer = len(text[:offset].rstrip()) - 1
    if not right.lexer.compiled.blocks or closer < 0 or text[closer] != _CLOSER:
        return None
    opener = _opener_of(right, text, closer)
    header = None if opener is None else _HEADER.search(text, line_start(text, opener), opener)
    if opener is None or header is None or header["word"] not in right.lexer.compiled.literals:
        return None
    if line_column(text, closer) >= line_column(text, opener):
        return None
    begun = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:opener])
    block = None if begun is None else begun.read(right.lexer, right.stacks, f"{_OPENER} {_CLOSER} ")
    if begun is None or block is None or fits(right, block, _STATEMENT):
        return None
    words = {word for word in right.lexer.compiled.literals if word is not None and word.isalpha()}
    ends = [word for word in words if fits(right, block, f"{word} {_CONDITION}")]
    place = _line_below(text, opener, closer)
    if len(ends) != 1 or place is None:
        return None
    is_there = re.compile(rf"{ends[0]}\b").match(text, content_at(text, place)) is not None
    lost = f"{_CLOSER} " if is_there else f"{_CLOSER} {ends[0]} {_CONDITION}\n"
    if not fits(right, begun, f"{text[opener:place]}{lost}{text[place : line_end(text, offset)]}\n"):
        return None
    return Hint(opener, f"`{_OPENER}` is never closed", Meant(place, place, lost, is_sure=True))


def _opener_of(right: RightSide, text: str, closer: int) -> int | None:
    """Return the offset of the brace that is closed at an offset; None if another bracket is, or none."""
    opened: list[tuple[int, str]] = []
    for start, sign in signs(right.lexer, text[: closer + 1]):
        if sign in MIRRORED:
            opened.append((start, sign))
        elif sign in MIRRORED.values() and opened:
            last = opened.pop()
            if start == closer:
                return last[0] if last[1] == _OPENER else None
    return None


def _line_below(text: str, opener: int, closer: int) -> int | None:
    """Return where the first line begins below a brace, and above the one that closes it, that is no deeper."""
    begin = line_end(text, opener)
    while (content := content_at(text, begin)) < line_start(text, closer):
        if line_column(text, content) <= line_column(text, opener):
            return line_start(text, content)
        begin = line_end(text, content)
    return line_start(text, closer)
