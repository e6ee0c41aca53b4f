"""The tokens of a vocabulary by what they come to: values, as they are kept and walked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from dovetail.lexing.indentation import widen
from dovetail.lexing.lexer import Line

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

REFUSED = 0
"""The group of the tokens that no lexeme goes on with."""
STAYED = -1
"""The suffix of a token that was read to its end."""
FRESH_LINE, HELD = "\n", "\\"
"""In a layout: here a line begins anew; a backslash holds the column that was reached."""


class Beginning(NamedTuple):
    """What of a lexer's state decides how a token is read."""

    stack: int
    """Its modes; the lowest with nothing under it where they are not known."""
    at: int
    accepted: int
    rest: str
    blank: bool
    """The line has no content."""


class End(NamedTuple):
    """The lexer's state after a token; beside `Beginning`, where the line stands if it is blank."""

    stack: int
    at: int
    accepted: int
    rest: str
    layout: str | None
    """What the line was made of since the token began; None after content."""
    suffix: int = STAYED
    """What is left of the token where `accepted` has ended the lowest mode: one of the spellings of suffixes."""


@dataclass(frozen=True, slots=True)
class TokenClasses:
    """The tokens of a vocabulary by what they come to from one beginning."""

    of: NDArray[np.uint32]
    """Spelling → group, or REFUSED (shape [spellings])."""
    ends: list[int]
    """Group → an index into `states`; that of REFUSED means nothing."""
    states: list[End]
    """The states of the lexer that tokens end in."""
    first_group: list[int]
    """Sequence → the first of the groups whose tokens complete it; those of the next one follow (one longer)."""
    parents: list[int]
    """The tree of sequences: node → the node before, which has a smaller number; node 0 is empty."""
    symbols: list[int]
    """Node → a terminal, or the number of terminals + an index into `layouts`: here content begins."""
    after: list[int]
    """Node → the first node that is not below it; those below it follow it."""
    layouts: list[str]
    """What the line was made of where content began: blanks, FRESH_LINE and HELD."""


def line_after(line: Line, layout: str, tab: int) -> Line:
    """Return a blank line after more of it."""
    for character in layout:
        if character == FRESH_LINE:
            line = Line()
        elif character == HELD:
            if not line.fixed:
                line = Line(line.column, line.column[0])
        else:
            line = Line(widen(line.column, character, tab), line.fixed)
    return line
