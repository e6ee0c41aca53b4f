"""Lost brace: the one at the end of a header, above the lines of its block."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_column, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.machine import Machine
    from dovetail.quotient.right_side import RightSide

_BRACE, _CLOSING = "{", ")]}"
_KEYWORD = re.compile(r"(?P<keyword>[^\W\d]\w*)[ \t]+(?:[^\W\d]\w*|[^\w\s])")
"""A word and the next word or sign behind it."""
_MOST_ABOVE = 600
"""The most lines above a closing brace on which its block may begin."""


def find_lost_brace(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the line above the lexeme at an offset if it lacks a brace at its end; None otherwise.

    A brace is the shortest that can follow it. The line of the lexeme is the first of a block: it is deeper, and fits
    behind the brace, or begins as a statement there.
    """
    start = line_start(text, offset)
    end = len(text[:start].rstrip())
    if text[start:offset].strip() or end == 0 or text.startswith(_BRACE, offset):
        return None
    if line_column(text, offset) <= line_column(text, end - 1):
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:end])
    if at is None:
        return None
    # The header of a function may stand without a block in some languages, where its parameters are all of it.
    is_next = (right.closings.closing(at) or "").lstrip().startswith(_BRACE)
    if not is_next and not text.endswith(")", 0, end):
        return None
    begun, rest = f" {_BRACE}{text[end:offset]}", text[offset : line_end(text, offset)]
    is_whole = fits(right, at, f"{begun}{rest}\n")
    if not (is_next if is_whole else _begins_statement(right, at, begun, rest)):
        return None
    return Hint(end, f"expected `{_BRACE}` at the end of this line", Meant(end, end, f" {_BRACE}", is_sure=True))


def _begins_statement(right: RightSide, at: Configuration, begun: str, line: str) -> bool:
    """Return whether a line begins with a keyword and another word or sign that fit behind a begun block.

    The rest of the line may have a mistake of its own.
    """
    found = _KEYWORD.match(line)
    return (
        found is not None
        and found["keyword"] in right.lexer.compiled.literals
        and fits(right, at, f"{begun}{found.group()}")
    )


def header_of(machine: Machine, text: str, closer: int) -> int | None:
    """Return where the line ends that may open what a closing bracket at the beginning of a line closes; else None.

    Others may stand before it. It is the nearest line above that is no deeper than the bracket; the lines between are
    deeper.
    """
    start = line_start(text, closer)
    if not machine.brackets.has_blocks or text[start:closer].strip(f"{_CLOSING} \t"):
        return None
    column, below = line_column(text, closer), start
    for _ in range(_MOST_ABOVE):
        end = len(text[:below].rstrip())
        if end == 0:
            return None
        if line_column(text, end - 1) <= column:
            return end if below != start and line_column(text, end - 1) == column else None
        below = line_start(text, end - 1)
    return None
