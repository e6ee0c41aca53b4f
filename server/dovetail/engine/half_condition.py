"""Half condition: `a ? (b) (c)`, where the colon between the two parts is lost.

The first part is then called with the second one, so the text stops fitting only behind both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.engine.flaw import MIRRORED
from dovetail.engine.hint import Hint, Meant
from dovetail.engine.lexemes import lexemes
from dovetail.engine.line_places import content_after, line_end
from dovetail.engine.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.right_side import RightSide

_QUESTION, _COLON = "?", ":"


def find_half_condition(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a condition before a fault at an offset whose colon is lost before a bracket.

    None if no colon makes the text fit beyond the fault.
    """
    if _QUESTION not in right.lexer.compiled.literals:
        return None
    begun = Configuration((right.stacks.bottom,), right.lexer.start)
    for place in reversed(_brackets(right.lexer, text, offset)):
        at = begun.read(right.lexer, right.stacks, text[:place])
        beyond = line_end(text, content_after(text, offset))
        ends = (beyond, line_end(text, offset))
        if at is not None and any(fits(right, at, f"{_COLON} {text[place:end]}") for end in ends):
            words = f"expected `{_COLON}` before `{text[place]}`"
            return Hint(place, words, Meant(place, place, f"{_COLON} ", is_sure=True))
    return None


def _brackets(lexer: Lexer, text: str, offset: int) -> list[int]:
    """Return the offsets of the brackets behind the first part of the condition that an offset stands in."""
    levels: list[list[int] | None] = [None]  # For each open bracket: None outside of a condition.
    for start, end, terminal, _, _ in lexemes(lexer, text[:offset]):
        sign = "" if terminal is None else text[start:end]
        if sign == _QUESTION:
            levels[-1] = []
        elif sign == _COLON:
            levels[-1] = None
        elif sign in MIRRORED:
            if (known := levels[-1]) is not None:
                known.append(start)
            levels.append(None)
        elif sign in MIRRORED.values() and len(levels) > 1:
            levels.pop()
    return levels[-1] or []
