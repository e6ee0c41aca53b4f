"""Open names: the braces of an import without their end, before the word behind them, which is misspelt as well."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant, remedy
from dovetail.diagnostics.line_places import line_start, rest_of_line
from dovetail.diagnostics.mistakes.guess import alike
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_BEGUN = re.compile(r"[ \t]*(?:import|export)\b[^{}\"']*\{[^{}\"']*\Z")
_WORD = re.compile(r"([^\W\d]\w*)[ \t]*(?=[\"'])")
_CLOSER, _FROM = "}", "from"


def find_open_names(right: RightSide, text: str, start: int) -> Hint | None:
    """Return the hint for the misspelt word at an offset, before which a brace is lost; None for anything else."""
    word = _WORD.match(text, start)
    is_begun = _BEGUN.match(text[line_start(text, start) : start]) is not None
    if word is None or word[1] == _FROM or not is_begun or not alike({_FROM}, word[1]):
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
    meant = f"{_CLOSER} {_FROM}"
    if at is None or not fits(right, at, f"{meant} {rest_of_line(text, word.end())}\n"):
        return None
    return Hint(
        start,
        f"`{word[1]}` does not fit here; {remedy(meant)}",
        Meant(start, word.end(1), meant, is_sure=True),
    )
