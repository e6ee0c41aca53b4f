"""The suffix automaton: the parse stacks from which a right context parses to acceptance.

For a pushdown automaton and a fixed suffix that set of stacks is regular (Büchi 1964; Bouajjani, Esparza and Maler
1997). The automaton reads a stack from the top downwards. `SuffixBuilder` makes it, `Intersection` runs it.

An example. The grammar is `start: "(" start ")" | "x"`, the right context is `))`.

    text       )              )                     end
    parser     shift          reduce, shift         reduce, accept
               |              |                     |
    exposures  A ───────────▶ B ──────────────────▶ C   final
                 start → ( start )    start → ( start )
                 takes 2: start, (    takes 1: (

The parser knows nothing of the stack below the first `)`: exposure A stands for that stack. With the second `)` as
lookahead it has to reduce `( start )`. One symbol, `)`, is known. The other two are taken off the unknown stack: this
is a `PartialReduction` of A with count 2. It leads to B, which holds where a `start` inside a bracket may lie. The
second `)` is shifted over it. At the end of the text the parser reduces once more. Now `)` and `start` are known, and
one symbol is taken off the unknown stack. C holds where a `start` may be the whole text: on the bottom of the stack.

    stack, top last    read
    $ ( ( start        A takes start and (, B takes (, C is at $         accepted
    $ ( start          A takes start and (, and $ is no place for B      refused
    $ ( ( ( start      A takes start and (, B takes (, C is not at $     refused
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from dovetail.suffix.lattice import BEYOND
from dovetail.suffix.seam import EITHER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dovetail.lexing.indentation import ColumnSet
    from dovetail.suffix.grammar import SuffixGrammar
    from dovetail.suffix.lattice import Position
    from dovetail.suffix.seam import Seam
    from dovetail.suffix.top_level import TopLevelReading


LINES = 3
"""The number of values that `Exposure.line` has: EITHER, AFTER_CONTENT and ON_BLANK."""


def place_of(state: int, line: int = EITHER) -> int:
    """Return the key of an exposure in its lookahead. A state is entered by one symbol, so the symbol is left out.

    >>> [place_of(7), place_of(7, 2), place_of(8)]
    [21, 23, 24]
    """
    return LINES * state + line


class Lookahead:
    """A position and the next terminal there.

    Together they decide everything that happens above an exposure: the rest of the text, and the reductions that the
    terminal allows.
    """

    __slots__ = ("_of_states", "blocks", "classes", "exposures", "position", "terminal")

    def __init__(
        self, position: Position, terminal: int, classes: Mapping[int, tuple[int, ...]], blocks: int = 0
    ) -> None:
        self.position = position
        self.terminal = terminal
        self.classes = classes
        """State of an exposure → the states that it stands for, if they are several (`StateClasses.members`)."""
        self.blocks = blocks
        """The blocks that the text itself has had open at a time before this position, over any stack exposed here."""
        self.exposures: dict[int, Exposure] = {}
        """`place_of` a state and a line → the exposure."""
        # By identity: the grammar has one object for equal states, and reductions keep it.
        self._of_states: dict[int, list[Exposure]] = {}

    def exposure(self, symbol: int, state: int, line: int) -> Exposure:
        """Return the exposure of a state, which is entered by a symbol."""
        # One number and no pair: it is looked up for each exposure of the text.
        place = LINES * state + line
        found = self.exposures.get(place)
        if found is None:
            found = self.exposures[place] = Exposure(symbol, state, line, self)
        return found

    def of_states(self, states: tuple[int, ...]) -> list[Exposure]:
        """Return the exposures of states that do not depend on a line.

        The answer is remembered and is the same list each time, so the automaton has to be complete.
        """
        found = self._of_states.get(id(states))
        if found is None:
            exposures = self.exposures
            found = self._of_states[id(states)] = [
                exposures[place] for state in states if (place := LINES * state + EITHER) in exposures
            ]
        return found


class Exposure:
    """A place where the unknown stack begins.

    A stack node `p` may lie here if `goto(p, symbol)` is `state`, or another state that `state` stands for. What
    happens above it is decided by `state` and `lookahead` alone, so exposures are shared by these two, and by nothing
    less: a stack that one lookahead exposes must not be accepted through the future of another.
    """

    __slots__ = ("around", "edges", "final", "line", "lookahead", "reductions", "state", "symbol")

    # Loops that go down a stack then treat a node and an exposure alike.
    links: ClassVar[tuple[()]] = ()
    """Nothing is known below."""

    def __init__(self, symbol: int, state: int, line: int, lookahead: Lookahead) -> None:
        self.symbol = symbol
        self.state = state
        self.line = line
        """The contents of the line before the cursor, for an entry: AFTER_CONTENT, ON_BLANK, or EITHER."""
        self.lookahead = lookahead
        # Most exposures have none of these. The shared empty lists halve the number of objects.
        self.edges: list[Exposure] = NOTHING_LATER
        """Later exposures over the same stack node: after reductions of one symbol, or of known nodes only."""
        self.reductions: list[PartialReduction] = NO_REDUCTIONS
        """Reductions that take symbols off the unknown stack."""
        self.final = False
        """True if the text is complete where the node here is the bottom of the stack.

        Of a text that is not whole: if the text has been read, over any node that this exposure may lie on.
        """
        self.around: list[ColumnSet] | None = None
        """Of a text that is not whole: the columns that the innermost block may have where it has been read."""

    @property
    def states(self) -> tuple[int, ...]:
        """The states that this exposure stands for."""
        return self.lookahead.classes.get(self.state) or (self.state,)


# Shared, so never changed: an exposure gets a list of its own before anything is added.
NOTHING_LATER: list[Exposure] = []
NO_REDUCTIONS: list[PartialReduction] = []


class PartialReduction:
    """A reduction whose first `count` symbols lie on the unknown stack."""

    __slots__ = ("block", "count", "lookahead", "production", "productions", "states")

    def __init__(
        self,
        productions: tuple[int, ...],
        count: int,
        block: ColumnSet | None,
        states: tuple[int, ...],
        lookahead: Lookahead,
    ) -> None:
        self.productions = productions
        """The productions that it may be by; they differ in their symbols alone."""
        self.production = productions[0]
        """One of them: all have the same left side, the indent at the same place, and openers at the same places."""
        self.count = count
        self.block = block
        """The columns that the indent among those symbols may have; None if there is none."""
        self.states = states
        """The states that it may lead to, at the ends of chains of unit reductions."""
        self.lookahead = lookahead

    @property
    def targets(self) -> list[Exposure]:
        """The exposures that it may lead to, in a complete automaton; the same list for the same ones."""
        return self.lookahead.of_states(self.states)


class SuffixNode:
    """An LR state that the right context has put on the stack, over the nodes or exposures that it may lie on."""

    __slots__ = ("block", "links", "state")

    def __init__(self, state: int, links: Links, block: ColumnSet | None = None) -> None:
        self.state = state
        self.links = links
        self.block = block
        """For a dedent that ends an unknown block: the columns that the block may have."""


Links = dict["SuffixNode | Exposure", None] | tuple["SuffixNode | Exposure", ...]
"""The nodes below a node: a dict while the node grows, a tuple once it is complete."""


@dataclass(frozen=True, slots=True, eq=False)
class SuffixAutomaton:
    """The stacks from which a right context parses to acceptance; a value that `SuffixBuilder` makes."""

    grammar: SuffixGrammar
    seam: Seam
    """The entries into the right context. Each is the position of a lookahead, or leads to one."""
    exposures: tuple[Exposure, ...]
    """The exposures from which acceptance can be reached, earlier positions first."""
    lookaheads: dict[Position, list[Lookahead]]
    """Position → its lookaheads; the exposures that they list are the same."""
    limit: int | None
    """The number of characters after which the text was not read further at its top level; None if it was."""
    broken: frozenset[int]
    """The offsets of top-level lines from which the text does not parse to its end."""
    unread: dict[tuple[int, int], TopLevelReading | None]
    """(offset of a top-level line, LR state) → the unfinished reading from there on, or None if it has not begun.

    The automaton takes these to parse.
    """

    def entry_exposures(self) -> list[Exposure]:
        """Return the exposures at which the right context may be entered: those under its first terminal."""
        entries = self.seam.entries
        return [
            exposure
            for exposure in self.exposures
            # The first step is a shift, so the symbol under which the text is entered is its first terminal.
            if exposure.symbol == exposure.lookahead.terminal
            and exposure.line in entries.get(exposure.lookahead.position, ())
        ]

    def open_entries(self) -> list[tuple[Position, int]]:
        """Return the entries (position, line) from which only trivia are read: there any stack is accepted."""
        return [
            (position, line)
            for position, lines in self.seam.entries.items()
            if position.terminal == BEYOND
            for line in lines
        ]

    def unread_after(self, positions: Iterable[Position]) -> set[tuple[int, int]]:
        """Return the keys of `unread` that lie on a branch entered at one of these positions, over any stack."""
        work = [
            exposure
            for position in positions
            for lookahead in self.lookaheads.get(position, ())
            for exposure in lookahead.exposures.values()
        ]
        seen = set(work)
        while work:
            exposure = work.pop()
            later = list(exposure.edges)
            for reduction in exposure.reductions:
                later += reduction.targets
            for target in later:
                if target not in seen:
                    seen.add(target)
                    work.append(target)
        return {key for at in seen if at.final and (key := (at.lookahead.position.offset, at.state)) in self.unread}

    def entered_by(self, seam: Seam) -> SuffixAutomaton:
        """Return the same automaton for a seam with fewer entries into the same text."""
        return replace(self, seam=seam)
