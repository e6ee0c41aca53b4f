"""Assigned again: `name := value` of another language, for a variable that is declared further up.

With a word that declares it, another variable would get the value.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_start, rest_of_line
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.word_pattern import one_of
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_SIGN = ":="
_ASSIGNED = re.compile(r"[ \t]*(?P<name>[^\W\d][\w$]*)[ \t]*(?P<sign>:=)")
_CONSTANT = "const"


def find_assigned_again(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a line that assigns to a variable with the sign of another language; None for a new one."""
    compiled = right.lexer.compiled
    begin = line_start(text, offset)
    found = _ASSIGNED.match(text, begin)
    if found is None or _SIGN in compiled.literals or not found.start("name") <= offset <= found.end():
        return None
    words = tuple(word for word in compiled.mistakes.declares if word != _CONSTANT)
    name = found["name"]
    if not words or not re.search(rf"(?<![\w$]){one_of(words)}\s+{re.escape(name)}(?![\w$])", text[:begin]):
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start)
    before = at.read(right.lexer, right.stacks, text[: found.start("sign")])
    if before is None or not fits(right, before, f"={rest_of_line(text, found.end())}\n"):
        return None
    written = text[found.start("name") : found.end()]
    words_of_it = f"`{written}` does not fit here; write `{name} =`"
    return Hint(found.start("name"), words_of_it, Meant(found.start("name"), found.end(), f"{name} =", is_sure=True))
