"""Cut header: the line of a header that ends before the brace of its block, as `if err !=` above a statement.

Where a line end may stand in a condition, or ends the first part of a header, the statements below are read as the
rest of it. The text stops fitting behind them, perhaps only at the brace that ends the block around.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.engine.half_statement import beginnings
from dovetail.engine.hint import Hint, Meant
from dovetail.engine.lexemes import last_lexeme
from dovetail.engine.line_places import content_after, line_column, line_end, line_start
from dovetail.engine.reach import fits
from dovetail.engine.unfinished_line import words_of_end
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail.quotient.machine import Machine
    from dovetail.quotient.right_side import RightSide

_BRACE = "{"
_LINE = re.compile(
    r"[ \t]*(?:\}?[ \t]*else[ \t]+)?(?P<word>[^\W\d]\w*)\b[^{}\r\n]*(?<![,;{}\s])(?=[ \t]*(?:[\r\n]|\Z))"
)
"""A line without braces, but for one that ends the block above it, that begins with a word."""
_NO_CODE = ")]} ))"
"""Signs that fit in a string alone."""
_VAGUE = "expected more"
"""The beginning of a message that does not say what is expected."""
_MOST_ABOVE = 20
"""The most lines above a fault on which the header may stand."""


def find_cut_header(machine: Machine, right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a header above a fault at an offset, or on its line, which ends before its brace.

    With the least that may follow it, and a block, the line of the fault fits, and the next one. None otherwise.
    """
    if not machine.brackets.has_blocks:
        return None
    for begin, end, at in _headers(right, text, offset):
        following = content_after(text, end)
        if text.startswith(_BRACE, following):
            continue
        is_deeper = line_column(text, following) > line_column(text, begin)
        blocks = _blocks(right, at)
        begun = [each[:-1] for each in blocks]
        tried = begun + blocks if is_deeper else blocks + begun
        for stop in (line_end(text, content_after(text, offset)), line_end(text, offset)):
            found = next((each for each in tried if fits(right, at, f"{each}{text[end:stop]}\n")), None)
            last = None if found is None else last_lexeme(right.lexer, text[:end])
            if found is not None and last is not None:
                told = words_of_end(machine, right, at, text[:end], text[last.start : end].strip())
                if told is None or told.startswith(_VAGUE):
                    told = f"expected `{_BRACE}` at the end of this line"
                return Hint(end, told, Meant(end, end, found, is_sure=True))
    return None


def _headers(right: RightSide, text: str, offset: int) -> Iterator[tuple[int, int, Configuration]]:
    """Yield the headers without a brace above an offset, the nearest first, each with the configuration behind it."""
    lines = list(_lines(right.lexer.compiled.literals, text, offset))[::-1]
    at: Configuration | None = Configuration((right.stacks.bottom,), right.lexer.start)
    read, found = 0, []
    for begin, end, word in lines:
        before = None if at is None else at.read(right.lexer, right.stacks, text[read:begin])
        at = None if before is None else before.read(right.lexer, right.stacks, text[begin:end])
        read = end
        if before is None or at is None:
            break
        found.append((begin, end, word, before, at))
    for begin, end, word, before, behind in reversed(found):
        if _is_header(right, before, word):
            yield begin, end, behind


def _lines(literals: Sequence[str | None], text: str, offset: int) -> Iterator[tuple[int, int, str]]:
    """Yield where the lines at or above an offset begin and end that begin with a keyword, with it, the nearest first.

    Only those that end with no sign which begins or ends something.
    """
    start = line_start(text, offset)
    for _ in range(_MOST_ABOVE):
        found = _LINE.match(text, start)
        if found is not None and found["word"] in literals and found["word"].isalpha():
            yield found.start("word"), found.end(), found["word"]
        if start == 0:
            return
        start = line_start(text, start - 1 - text.startswith("\r\n", start - 2))


def _blocks(right: RightSide, at: Configuration) -> list[str]:
    """Return the least that may follow the begun line of a header, with a block."""
    ended = at.ended_as(right.lexer, right.stacks, at.lexer.accepted)
    closings = [right.closings.closing(each) for each in (ended, at) if each is not None]
    blocks = [next(beginnings(closing), "") for closing in closings if closing is not None]
    return [f" {block}" for block in dict.fromkeys(blocks) if _BRACE in block]


def _is_header(right: RightSide, at: Configuration, word: str) -> bool:
    """Return whether a word begins the header of a block at a configuration, without parentheses."""
    if fits(right, at, _NO_CODE):
        return False
    return fits(right, at, f"{word} x {{\n{word} x {{\n") or fits(right, at, f"{word} {{\n}}\n{word} {{\n")
