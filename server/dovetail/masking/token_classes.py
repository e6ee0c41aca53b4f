"""Token classes as values: the form in which they are cached on disk and walked.

Two texts are in one class if, from the same state of the lexer, they complete the same terminals and leave the lexer
in the same state. The parser's answer about one text of a class is its answer about all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from dovetail.lexing.indentation import widen
from dovetail.lexing.lexer import Line

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

REFUSED = 0
"""The class of the texts that no lexeme goes on with."""
STAYED = -1
"""The suffix of a text that was read to its end."""
FRESH_LINE, HELD = "\n", "\\"
"""In a layout: a line begins here; a backslash fixes the column that was reached."""


class StartState(NamedTuple):
    """The part of a lexer's state that decides how a text is read from it."""

    stack: int
    """The modes; only the top one is given, as the lowest of a stack, because texts are read in it first."""
    at: int
    accepted: int
    overrun: str
    """The characters of the pending lexeme since it was last a terminal."""
    blank: bool
    """The line has no content yet."""


class EndState(NamedTuple):
    """The lexer's state after a text; where the line is blank, with the way to it from the start."""

    stack: int
    at: int
    accepted: int
    overrun: str
    layout: str | None
    """The characters that the line was made of since the text began; None after content."""
    suffix: int = STAYED
    """The rest of a text in which `accepted` ended the lowest mode, as a number among `VocabularyTexts.suffixes`."""


@dataclass(frozen=True, slots=True)
class TokenClasses:
    """The classes of many texts from one start state, along the tree of the terminals that they complete.

    Nodes are numbered depth first, and classes node by node, so the classes at a node, or at a node and all below
    it, are a range.
    """

    class_of: NDArray[np.uint32]
    """Text → class, or REFUSED (shape [texts])."""
    end_of: list[int]
    """Class → an index into `ends`; that of REFUSED means nothing."""
    ends: list[EndState]
    """The states of the lexer in which texts end."""
    first_class: list[int]
    """Node → the first class whose texts complete its terminals; one entry more than there are nodes."""
    parents: list[int]
    """Node → the node before, which has a smaller number; node 0 is the empty sequence."""
    symbols: list[int]
    """Node → a terminal, or the number of terminals + an index into `layouts`: here the content of a line begins."""
    next_outside: list[int]
    """Node → the first node that is not below it; the nodes in between are."""
    layouts: list[str]
    """The characters that a line was made of where its content began: blanks, FRESH_LINE and HELD."""


def line_after(line: Line, layout: str, tab: int) -> Line:
    """Return a blank line after more of it.

    >>> line_after(Line(), "    ", tab=8).column
    (4, 4)
    """
    for character in layout:
        if character == FRESH_LINE:
            line = Line()
        elif character == HELD:
            line = line.continued()
        else:
            line = Line(widen(line.column, character, tab), line.fixed)
    return line
