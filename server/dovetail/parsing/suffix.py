"""The right side: a right context to an automaton over stacks.

The right context is parsed once, forwards, from an unknown stack. A reduction that runs out of known nodes pops
into the unknown, and the parser records which state it must have found there. The automaton accepts exactly the
stacks from which the right context parses to acceptance (suffix parsing: Bates and Lavie 1994, Nederhof and
Bertsch 1996; regular sets of stacks: Büchi 1964, Bouajjani, Esparza and Maler 1997).

Its first symbol is always the right context's first terminal, shifted: reductions before that are done on the real
stack, or are completions of what is open. So nothing is unknown but what lies under a known state, and the
closure over "wholly unknown stack, this terminal in view" is never needed.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from dovetail.lexing.layout import ANY, Box
from dovetail.lexing.seam import EITHER, ON_BLANK

if TYPE_CHECKING:
    from dovetail.grammar.compiled import Compiled
    from dovetail.lexing.lattice import Move, Position
    from dovetail.lexing.seam import Seam
    from dovetail.parsing.stack import UnitChains


class View:
    """A position with a terminal in view: all that decides what happens above an exposure."""

    __slots__ = ("exposures", "position", "terminal")

    def __init__(self, position: Position, terminal: int) -> None:
        self.position = position
        self.terminal = terminal
        self.exposures: dict[tuple[int, int, int], Exposure] = {}

    def exposure(self, symbol: int, state: int, line: int) -> Exposure:
        """Return the exposure of a state entered by a symbol."""
        key = (symbol, state, line)
        found = self.exposures.get(key)
        if found is None:
            found = self.exposures[key] = Exposure(symbol, state, line, self)
        return found


class Exposure:
    """The unknown stack begins here: `goto(its top, symbol)` is `state`, and the future is the view's."""

    __slots__ = ("edges", "final", "line", "pops", "state", "symbol", "view")

    def __init__(self, symbol: int, state: int, line: int, view: View) -> None:
        self.symbol = symbol
        self.state = state
        self.line = line
        """What the line has before the cursor if nothing lies between: AFTER_CONTENT, ON_BLANK, or EITHER."""
        self.view = view
        # Most have few or none of these; lists of their own would be most of the objects that there are.
        self.edges: list[Exposure] = _NO_EDGES
        """What the same stack top is exposed as later."""
        self.pops: list[Pop] = _NO_POPS
        """Reductions that take symbols off the unknown stack."""
        self.final = False
        """The text is complete here, and the stack is the bottom."""


_NO_EDGES: list[Exposure] = []
_NO_POPS: list[Pop] = []


class Pop:
    """A reduction with `count` of its symbols still on the unknown stack."""

    __slots__ = ("block", "count", "production", "view")

    def __init__(self, production: int, count: int, block: Box | None, view: View) -> None:
        self.production = production
        self.count = count
        self.block = block
        """What the column of the indent among those symbols must be."""
        self.view = view


class Known:
    """A state that the right context has put on the stack, over what it may lie on."""

    __slots__ = ("block", "links", "state")

    def __init__(self, state: int, block: Box | None) -> None:
        self.state = state
        self.block = block
        self.links: dict[Known | Exposure, None] = {}


class SuffixGrammar:
    """What suffix parsing needs to know of a language beside its tables."""

    def __init__(self, language: Compiled, chains: UnitChains) -> None:
        self.chains = chains
        tables, productions = language.tables, language.productions
        self.actions = tables.actions
        self.gotos = tables.gotos
        self.kernels = tables.kernels
        self.lefts = productions.lefts
        self.rights = productions.rights
        self.end = language.end
        self.symbol_count = len(productions.names)
        self.entered_by: dict[int, list[int]] = defaultdict(list)      # symbol → states
        self.sources: dict[int, list[int]] = defaultdict(list)         # state → the states that lead to it
        for state, symbol in enumerate(tables.entering):
            self.entered_by[symbol].append(state)
        for state, row in enumerate(tables.gotos):
            for target in row.values():
                self.sources[target].append(state)
        self.entering = tables.entering
        layout = language.layout
        self.has_layout = layout is not None
        indent = layout.indent if layout else -1
        self.indent_at = [right.index(indent) if indent in right else -1 for right in self.rights]
        self.ends_line = self._line_ends(language)
        """Symbol → whether a line ends with it (and the next begins)."""
        self.bases = lru_cache(maxsize=None)(self._bases)

    def _line_ends(self, language: Compiled) -> list[bool]:
        ends = [False] * self.symbol_count
        layout = language.layout
        if layout is None:
            return ends
        for terminal in (layout.newline, layout.indent, layout.dedent):
            ends[terminal] = True
        grew = True
        while grew:
            grew = False
            for left, right in zip(self.lefts, self.rights, strict=True):
                if ends[right[-1]] and not ends[left]:
                    ends[left] = grew = True
        return ends

    def begins_line(self, state: int) -> bool:
        """Return whether a line begins after a state's symbol."""
        symbol = self.entering[state]
        return symbol < 0 or self.ends_line[symbol]

    def _bases(self, production: int, count: int, state: int) -> tuple[int, ...]:
        """Return goto(q, left) for each q from which a production's first symbols lead to a state.

        `state` is reached after `count` + 1 symbols: it is the exposed one, and lies over the `count` unknown.
        """
        left, right = self.lefts[production], self.rights[production]
        found: dict[int, None] = {}
        for row in self.gotos:
            target = row.get(left)
            if target is None:
                continue
            at: int | None = row.get(right[0])
            for symbol in right[1 : count + 1]:
                if at is None:
                    break
                at = self.gotos[at].get(symbol)
            if at == state:
                found[target] = None
        return tuple(found)

    @cache  # noqa: B019 - one per language, which lives as long
    def exposed_again(self, symbol: int, state: int, left: int) -> tuple[int, ...]:
        """Return goto(q, left) for each q with goto(q, symbol) = state."""
        found: dict[int, None] = {}
        for source in self.sources[state]:
            target = self.gotos[source].get(left)
            if target is not None and self.gotos[source].get(symbol) == state:
                found[target] = None
        return tuple(found)


class SuffixAutomaton:
    """The stacks from which a right context parses to acceptance."""

    def __init__(self, grammar: SuffixGrammar, seam: Seam) -> None:
        self.grammar = grammar
        self.seam = seam
        self.views: dict[tuple[Position, int], View] = {}
        self._heads: dict[Position, dict[tuple[int, Box | None], Known]] = defaultdict(dict)
        self._queued: set[Position] = set()
        self._agenda: list[tuple[tuple[int, int, int], int, Position]] = []
        for position in seam.entries:
            self._queue(position)
        while self._agenda:
            self._meet(heapq.heappop(self._agenda)[2])
        del self._heads
        self._trim()

    def _queue(self, position: Position) -> None:
        if position not in self._queued:
            self._queued.add(position)
            heapq.heappush(self._agenda, (position.order, position.number, position))

    def _meet(self, position: Position) -> None:
        """Shift everything that may come at a position onto its heads."""
        for move in self.seam.lattice.moves(position):
            view = self.views[position, move.terminal] = View(position, move.terminal)
            made: dict[int, Known] = {}
            links = self._reduced(position, view, made)
            for line in self.seam.entries.get(position, ()):
                for state in self.grammar.entered_by[move.terminal]:
                    links[state][view.exposure(move.terminal, state, line)] = None
            if move.terminal == self.grammar.end:
                self._finish(links)
            else:
                while self._shift(move, links) and position in move.targets:
                    for state, more in self._reduced(position, view, made).items():     # the loop of dedents
                        links[state].update(more)
        self._heads.pop(position, None)

    def _finish(self, links: dict[int, dict[Known | Exposure, None]]) -> None:
        """Mark where the whole text is on the stack: over nothing but the bottom."""
        for state, below in links.items():
            if not self._is_whole(state):
                continue
            for link in below:
                if isinstance(link, Exposure):
                    link.final = link.state == state      # END itself, shifted onto the bottom
                else:
                    for under in link.links:
                        if isinstance(under, Exposure):
                            under.final = True

    def _is_whole(self, state: int) -> bool:
        """Return whether a production of the whole text is complete in a state."""
        whole = self.grammar.lefts[0]
        return any(
            self.grammar.lefts[number] == whole and dot == len(self.grammar.rights[number])
            for number, dot in self.grammar.kernels[state]
        )

    def _shift(self, move: Move, links: dict[int, dict[Known | Exposure, None]]) -> bool:
        """Put the states of `links` on the heads of a move's targets; return whether anything was new."""
        grew = False
        for target in move.targets:
            heads = self._heads[target]
            for state, below in links.items():
                head = heads.get((state, move.block))
                if head is None:
                    head = heads[state, move.block] = Known(state, move.block)
                before = len(head.links)
                head.links.update(below)
                grew |= len(head.links) > before
            self._queue(target)
        return grew

    def _reduced(
        self, position: Position, view: View, made: dict[int, Known]
    ) -> dict[int, dict[Known | Exposure, None]]:
        """Do all reductions with the view's terminal; return shifted state → what it lies on.

        `made` holds the nodes that reductions have made in this view, and gets more of them.
        """
        grammar = self.grammar
        actions, gotos, lefts, rights = grammar.actions, grammar.gotos, grammar.lefts, grammar.rights
        terminal = view.terminal
        shifted: dict[int, dict[Known | Exposure, None]] = defaultdict(dict)
        work: list[tuple[Known, Known | Exposure]] = []

        chains, chain_end = grammar.chains.ends, grammar.chains.end

        def add(state: int, link: Known | Exposure) -> None:
            if isinstance(link, Known):
                chain = (link.state, state, terminal)
                state = chains[chain] if chain in chains else chain_end(chain)
            choices = actions[state].get(terminal)
            if choices is None:
                return
            node = made.get(state)
            if node is None:
                node = made[state] = Known(state, None)
            for action in choices:
                if action >= 0:
                    shifted[action][node] = None
            if link not in node.links:
                node.links[link] = None
                work.append((node, link))

        for head in self._heads.get(position, {}).values():
            for action in actions[head.state].get(terminal, ()):
                if action >= 0:
                    shifted[action][head] = None
            work += [(head, link) for link in head.links]
        while work:
            node, link = work.pop()
            for action in actions[node.state].get(terminal, ()):
                if action >= 0:
                    continue
                production = ~action
                length = len(rights[production])
                paths = {(link, node.block): None}
                for popped in range(1, length):
                    further: dict[tuple[Known | Exposure, Box | None], None] = {}
                    for below, block in paths:
                        if isinstance(below, Known):
                            for under in below.links:
                                further[under, below.block or block] = None
                        else:
                            for state, exposure in self._pop(below, production, length - popped, block, view):
                                add(state, exposure)
                    paths = further
                left = lefts[production]
                for below, _ in paths:
                    if isinstance(below, Known):
                        add(gotos[below.state][left], below)
                        continue
                    for state in grammar.exposed_again(below.symbol, below.state, left):
                        if terminal in actions[state]:
                            exposure = view.exposure(left, state, below.line)
                            if exposure is not below and exposure not in below.edges:
                                below.edges = [*below.edges, exposure]
                            add(state, exposure)
        return shifted

    def _pop(
        self, exposure: Exposure, production: int, count: int, block: Box | None, view: View
    ) -> list[tuple[int, Exposure]]:
        """Record a reduction into the unknown; return the states over what it may leave."""
        grammar = self.grammar
        if exposure.line != EITHER:
            begins = grammar.ends_line[grammar.rights[production][count - 1]]
            if begins != (exposure.line == ON_BLANK):
                return []
        if grammar.indent_at[production] < 0 or grammar.indent_at[production] >= count:
            block = None
        elif block is None:
            block = ANY
        found = [
            (state, view.exposure(grammar.lefts[production], state, EITHER))
            for state in grammar.bases(production, count, exposure.state)
            if view.terminal in grammar.actions[state]
        ]
        if found and not any(
            pop.production == production and pop.count == count and pop.block == block and pop.view is view
            for pop in exposure.pops
        ):
            exposure.pops = [*exposure.pops, Pop(production, count, block, view)]
        return found

    def _trim(self) -> None:
        """Keep only what leads to acceptance."""
        exposures = [exposure for view in self.views.values() for exposure in view.exposures.values()]
        leads: dict[Exposure, list[Exposure]] = defaultdict(list)
        popped: dict[tuple[View, int], list[Exposure]] = defaultdict(list)
        for exposure in exposures:
            for target in exposure.edges:
                leads[target].append(exposure)
            for pop in exposure.pops:
                popped[pop.view, self.grammar.lefts[pop.production]].append(exposure)
        good = {exposure for exposure in exposures if exposure.final}
        work = list(good)
        while work:
            exposure = work.pop()
            sources = leads[exposure]
            if exposure.line == EITHER:
                sources = sources + popped[exposure.view, exposure.symbol]
            for source in sources:
                if source not in good:
                    good.add(source)
                    work.append(source)
        for view in self.views.values():
            view.exposures = {key: exposure for key, exposure in view.exposures.items() if exposure in good}
        whole = {
            (view, symbol) for view in self.views.values() for symbol, _, line in view.exposures if line == EITHER
        }
        for exposure in good:
            exposure.edges = [target for target in exposure.edges if target in good] or _NO_EDGES
            pops = [pop for pop in exposure.pops if (pop.view, self.grammar.lefts[pop.production]) in whole]
            exposure.pops = pops or _NO_POPS
        self.views_at: dict[Position, list[View]] = defaultdict(list)
        for (position, _), view in self.views.items():
            self.views_at[position].append(view)
        self.exposures: list[Exposure] = [exposure for exposure in exposures if exposure in good]
