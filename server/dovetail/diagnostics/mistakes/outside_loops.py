"""Word outside of all loops: one such as `break` in Lua, which fits only within them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_at, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail.grammar.mistakes import Mistakes
    from dovetail.quotient.right_side import RightSide

OUTSIDE = " stands outside of all loops"
"""The end of the message."""
_CONDITION = "0"
"""The shortest condition of a loop."""
_WORD = re.compile(r"[^\W\d]\w*")


def find_outside_loops(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the keyword at an offset if it fits there only in a loop; None for all else."""
    word = _WORD.match(text, offset)
    mistakes = right.lexer.compiled.mistakes
    blocks = {*mistakes.closed_by, *mistakes.closed_by.values(), *mistakes.goes_on}
    if word is None or word.group() not in right.lexer.compiled.literals or word.group() in blocks:
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:offset])
    rest = f"{text[offset : line_end(text, offset)]}\n"
    heads = [f" {loop} {_CONDITION} {body} " for loop, body in _loops(mistakes)]
    if at is None or not any(fits(right, at, head + rest) for head in heads) or fits(right, at, rest):
        return None
    if any(fits(right, at, f"{head}{end}\n{rest}") for head in heads for end in mistakes.closed_by.values()):
        return None  # It fits behind a loop, too.
    blank = " " * len(word.group())
    return Hint(offset, f"`{word.group()}`{OUTSIDE}", Meant(offset, word.end(), blank))


def is_of_broken_loop(mistakes: Mistakes, message: str, known: Iterable[int], text: str) -> bool:
    """Return whether a message is about a word outside of all loops, and one of the known mistakes in a loop's header.

    `known`: the offsets of the known mistakes.
    """
    if not message.endswith(OUTSIDE):
        return False
    loops = {loop for loop, _ in _loops(mistakes)}
    firsts = (_WORD.match(text, content_at(text, line_start(text, each))) for each in known)
    return any(first is not None and first.group() in loops for first in firsts)


def _loops(mistakes: Mistakes) -> list[tuple[str, str]]:
    """Return the words that begin loops, each with the word that begins their blocks."""
    goes_on = mistakes.goes_on.items()
    return [(loop, body) for body, loops in goes_on if body in mistakes.closed_by for loop in loops]
