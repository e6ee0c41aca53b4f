"""The automaton of a right context: the places where a stack is read on, and what is read there."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from dovetail.suffix.seam import EITHER

if TYPE_CHECKING:
    from dovetail.lexing.indentation import ColumnSet
    from dovetail.suffix.lattice import Position


LINES = 3
"""EITHER, AFTER_CONTENT and ON_BLANK."""


def place_of(state: int, line: int = EITHER) -> int:
    """Return the key of an exposure in its view; the symbol that enters the state goes without saying."""
    return LINES * state + line


class Lookahead:
    """A position with a terminal in view: all that decides what happens above an exposure."""

    __slots__ = ("_by_symbol", "exposures", "position", "terminal")

    def __init__(self, position: Position, terminal: int) -> None:
        self.position = position
        self.terminal = terminal
        self.exposures: dict[int, Exposure] = {}
        """By `place_of` their state and line."""
        self._by_symbol: dict[int, list[Exposure]] | None = None

    def exposure(self, symbol: int, state: int, line: int) -> Exposure:
        """Return the exposure of a state, which is entered by a symbol."""
        place = LINES * state + line
        found = self.exposures.get(place)
        if found is None:
            found = self.exposures[place] = Exposure(symbol, state, line, self)
        return found

    def of_symbol(self, symbol: int) -> list[Exposure]:
        """Return what a reduction into the unknown may leave here: the exposures of its left side.

        Only once the automaton is whole: what is exposed later would be missed.
        """
        found = self._by_symbol
        if found is None:
            found = self._by_symbol = {}
            for exposure in self.exposures.values():
                if exposure.line == EITHER:
                    found.setdefault(exposure.symbol, []).append(exposure)
        return found.get(symbol, NOTHING_LATER)


class Exposure:
    """The unknown stack begins here: `goto(its top, symbol)` is `state`, and the future is the view's."""

    __slots__ = ("edges", "final", "line", "pops", "state", "symbol", "view")

    links: ClassVar[tuple[()]] = ()
    """What is known below: nothing."""

    def __init__(self, symbol: int, state: int, line: int, view: Lookahead) -> None:
        self.symbol = symbol
        self.state = state
        self.line = line
        """What the line has before the cursor if nothing lies between: AFTER_CONTENT, ON_BLANK, or EITHER."""
        self.view = view
        # Most have few or none of these; lists of their own would be most of the objects that there are.
        self.edges: list[Exposure] = NOTHING_LATER
        """What the same stack top is exposed as later."""
        self.pops: list[PartialReduction] = NO_POPS
        """Reductions that take symbols off the unknown stack."""
        self.final = False
        """The text is complete here, and the stack is the bottom."""


NOTHING_LATER: list[Exposure] = []
NO_POPS: list[PartialReduction] = []


class PartialReduction:
    """A reduction with `count` of its symbols still on the unknown stack."""

    __slots__ = ("block", "count", "production", "view")

    def __init__(self, production: int, count: int, block: ColumnSet | None, view: Lookahead) -> None:
        self.production = production
        self.count = count
        self.block = block
        """What the column of the indent among those symbols must be."""
        self.view = view


class SuffixNode:
    """A state that the right context has put on the stack, over what it may lie on."""

    __slots__ = ("block", "links", "state")

    def __init__(self, state: int, links: Links, block: ColumnSet | None = None) -> None:
        self.state = state
        self.links = links
        self.block = block
        """For a dedent into the unknown: what the column of the block that it ends must be."""


Links = dict["SuffixNode | Exposure", None] | tuple["SuffixNode | Exposure", ...]
"""What a node may lie on: a dict while the node grows, a tuple once it is whole."""
