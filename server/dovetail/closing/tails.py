"""Tails: the terminals that must be pushed between a stack and a right context, cheapest first.

The search (Dijkstra's) runs through the automaton of the right context, from its entries inwards. It is made once for a
right context, whatever stacks stand before it.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from itertools import chain, count
from typing import TYPE_CHECKING

from dovetail.closing.yields import NOTHING
from dovetail.lexing.indentation import ANY, FAR, ColumnSet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dovetail.closing.yields import Yields
    from dovetail.suffix.automaton import Exposure, SuffixAutomaton
    from dovetail.suffix.entry_point import EntryPoint
    from dovetail.suffix.lattice import Position

_KEPT = 4  # Kinds of tails of one exposure: they differ in their first terminal, whose separator may cost.


class Tail:
    """The terminals pushed between a stack and the right context; longer tails share the ends of shorter ones."""

    __slots__ = ("blocks", "cost", "entry", "front", "key", "kind", "line", "lines", "rest")

    def __init__(
        self,
        cost: int,
        lines: int,
        front: tuple[int, ...],
        blocks: tuple[ColumnSet, ...],
        rest: Tail | None,
        entry: Position,
        line: int,
    ) -> None:
        self.cost = cost
        """Bytes in a block at column zero: a lower bound for any other block."""
        self.lines = lines
        """Line starts. Each costs the column of the block, or less where the right context has blanks of its own."""
        self.front = front
        """The first terminals; all of them if there is no rest."""
        self.blocks = blocks
        """For each indent among those, in order, the columns that it may have."""
        self.rest = rest
        self.entry = entry
        self.line = line
        self.kind: Position | int = front[0] if front else entry
        """The first terminal, or the entry of a tail without any: tails of one kind need the same separator first."""
        self.key: Position | int = front[0] << 16 | lines if front else entry
        """The kind and the line starts, as one hashable thing; those of all tails are looked up very often."""


class Tails:
    """The tails of one right context."""

    def __init__(
        self,
        automaton: SuffixAutomaton,
        yields: Yields,
        entry_cost: Callable[[Position, int], int],
    ) -> None:
        """`entry_cost`: (entry, line) → the bytes to be spelled of a lexeme that straddles into the right context."""
        self._automaton = automaton
        self._grammar = automaton.grammar
        self._yields = yields
        self._seam = automaton.seam
        self._entry_cost = entry_cost
        self._of: dict[Exposure, dict[Position | int, list[Tail]]] = defaultdict(dict)
        """Exposure → kind of tail → its tails, each dearer and of fewer lines than the one before."""
        self._entry_point_tails: dict[EntryPoint, list[Tail]] = {}
        self._find_tails()
        # Where only trivia are to be read, nothing need be pushed on any stack.
        entries = [] if self._seam.whole else automaton.open_entries()
        self.open = [Tail(entry_cost(position, line), 0, (), (), None, position, line) for position, line in entries]
        """The tails of every stack, where the right context is trivia that anything may follow."""

    def _find_tails(self) -> None:
        agenda: list[tuple[int, int, Exposure, Tail]] = []
        offered: dict[Exposure, dict[Position | int, int]] = defaultdict(dict)  # key → cost
        offered_all: dict[int, dict[Position | int, int]] = defaultdict(dict)  # Of lists of targets.
        kept = self._of
        full: dict[Exposure, int] = {}  # Exposure with all its kinds → the line starts from which on it takes no tail.
        dead: dict[int, int] = {}  # Identity of a list of targets → the line starts from which on all are full.
        push, serial, rights = heapq.heappush, count(), self._grammar.rights

        def offer(exposure: Exposure, tail: Tail) -> None:
            # Of two of a kind the cheaper is taken, and of two as cheap the one that was offered first. A dearer one of
            # fewer lines is taken as well: in a deep block it may be the shorter text.
            if exposure in full and full[exposure] <= tail.lines:
                return
            known, key, cost = offered[exposure], tail.key, tail.cost
            if known.get(key, FAR) > cost:
                known[key] = cost
                push(agenda, (cost, next(serial), exposure, tail))

        for exposure in self._automaton.entry_exposures():
            position = exposure.lookahead.position
            cost = self._entry_cost(position, exposure.line)
            offer(exposure, Tail(cost, 0, (), (), None, position, exposure.line))
        while agenda:
            _, _, exposure, tail = heapq.heappop(agenda)
            # Popped in the order of cost, so the first tail of a kind is the cheapest one.
            kind, lines, kinds = tail.kind, tail.lines, kept[exposure]
            ways = kinds.get(kind)
            if ways is None:
                if len(kinds) >= _KEPT:
                    continue
                kinds[kind] = [tail]
            elif ways[-1].lines > lines:
                ways.append(tail)
            else:
                continue
            if len(kinds) >= _KEPT:
                full[exposure] = max(ways[-1].lines for ways in kinds.values())
            for target in exposure.edges:
                offer(target, tail)
            for reduction in exposure.reductions:
                # `targets` is the same list each time, so its identity is a key, and cheaper than its contents.
                targets = every = reduction.targets
                if dead.get(id(targets), FAR) <= lines:
                    continue
                targets = [target for target in targets if target not in full or full[target] > lines]
                if not targets:
                    dead[id(every)] = lines
                else:
                    prefixes = dict.fromkeys(rights[each][: reduction.count] for each in reduction.productions)
                    known = offered_all[id(every)]
                    for longer in chain.from_iterable(
                        self._prepended(symbols, reduction.block, tail) for symbols in prefixes
                    ):
                        # Offers to all of the same targets are made again and again, by reductions of many exposures.
                        if known.get(longer.key, FAR) <= longer.cost:
                            continue
                        known[longer.key] = longer.cost
                        for target in targets:
                            offer(target, longer)

    def _prepended(self, symbols: tuple[int, ...], block: ColumnSet | None, tail: Tail) -> Iterator[Tail]:
        """Yield the tails that begin with some symbols and go on with a tail."""
        if not symbols:
            yield tail
            return
        entry, line, after = tail.entry, tail.line, tail.front
        # The mode after the last terminal has to be one in which the right context is read at this entry.
        automata = None if after else {automaton for automaton, _ in self._seam.ways[entry, line]}
        for fixed, lines, terminals in self._yields.before(symbols, after[0] if after else NOTHING):
            if automata is not None:
                modes = self._seam.lexer.modes.automata_after(terminals[-1])
                if modes is not None and modes.isdisjoint(automata):
                    continue
            own: tuple[ColumnSet, ...] = (ANY,) * terminals.count(self._yields.indent)
            if own and block is not None and self._yields.indent in symbols:
                own = (*own[:-1], block)  # The right context ends the last one.
            yield Tail(tail.cost + fixed, tail.lines + lines, terminals, own, tail if after else None, entry, line)

    def leading_to(self, entry_point: EntryPoint) -> list[Tail]:
        """Return the tails that lead to an entry point."""
        found = self._entry_point_tails.get(entry_point)
        if found is None:
            if entry_point.count == 0:
                found = self._tails_at(entry_point.owner)
            else:
                reduction = entry_point.reader
                symbols = self._grammar.rights[entry_point.production][entry_point.count : reduction.count]  # type: ignore[union-attr]
                found = [
                    longer
                    for tail in self._tails_at(entry_point.owner)
                    for longer in self._prepended(symbols, reduction.block, tail)  # type: ignore[union-attr]
                ]
                # The terminals decide between equal costs, so the same text is found in every run.
                found.sort(key=lambda tail: (tail.cost, tail.front))
            self._entry_point_tails[entry_point] = found
        return found

    def _tails_at(self, exposure: Exposure) -> list[Tail]:
        return [tail for ways in self._of[exposure].values() for tail in ways]
