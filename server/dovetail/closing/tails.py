"""Tails: the terminals that must be pushed between a stack and a right context, cheapest first.

The search (Dijkstra's) runs through the automaton of the right context, from its entries inwards. It is made once for a
right context, whatever stacks stand before it, and only as far as somebody asks: most closings cost a few bytes, and
all tails of a long right context take a hundred times as long as the cheapest.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from itertools import count
from typing import TYPE_CHECKING

from dovetail.closing.yields import NOTHING
from dovetail.lexing.indentation import ANY, FAR, ColumnSet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dovetail.closing.yields import Yields
    from dovetail.suffix.automaton import Exposure, PartialReduction, SuffixAutomaton
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
        self._in_turn: dict[Exposure, list[Tail]] = defaultdict(list)
        """Exposure → the same tails as they were found."""
        self._leading: dict[EntryPoint, tuple[list[Tail], list[int]]] = {}
        """Entry point → the tails that lead to it, and how many of its owner's they were made of."""
        self._agenda: list[tuple[int, int, Exposure, Tail]] = []
        self._serial = count()
        self._offered: dict[Exposure, dict[Position | int, int]] = defaultdict(dict)  # key → cost
        self._offered_all: dict[int, dict[Position | int, int]] = defaultdict(dict)  # Of lists of targets.
        self._full: dict[Exposure, int] = {}  # With all its kinds → the line starts from which on it takes no tail.
        self._dead: dict[int, int] = {}  # Identity of a list of targets → the line starts from which on all are full.
        for exposure in self._automaton.entry_exposures():
            position = exposure.lookahead.position
            cost = self._entry_cost(position, exposure.line)
            self._offer(exposure, Tail(cost, 0, (), (), None, position, exposure.line))
        # Where only trivia are to be read, nothing need be pushed on any stack.
        entries = [] if self._seam.whole else automaton.open_entries()
        self.open = [Tail(entry_cost(position, line), 0, (), (), None, position, line) for position, line in entries]
        """The tails of every stack, where the right context is trivia that anything may follow."""

    @property
    def reached(self) -> int:
        """The cost in bytes up to which, itself left out, all tails are known."""
        return self._agenda[0][0] if self._agenda else FAR

    def go_on(self) -> None:
        """Find the tails of the next cost."""
        cost = self.reached
        while self._agenda and self._agenda[0][0] == cost:
            _, _, exposure, tail = heapq.heappop(self._agenda)
            if self._takes(exposure, tail):
                self._in_turn[exposure].append(tail)
                for target in exposure.edges:
                    self._offer(target, tail)
                for reduction in exposure.reductions:
                    self._reduce(reduction, tail)

    def _offer(self, exposure: Exposure, tail: Tail) -> None:
        # Of two of a kind the cheaper is taken, and of two as cheap the one that was offered first. A dearer one of
        # fewer lines is taken as well: in a deep block it may be the shorter text.
        full = self._full.get(exposure)
        if full is not None and full <= tail.lines:
            return
        known, key, cost = self._offered[exposure], tail.key, tail.cost
        if known.get(key, FAR) > cost:
            known[key] = cost
            heapq.heappush(self._agenda, (cost, next(self._serial), exposure, tail))

    def _takes(self, exposure: Exposure, tail: Tail) -> bool:
        # They come in the order of cost, so the first tail of a kind is the cheapest one.
        kind, lines, kinds = tail.kind, tail.lines, self._of[exposure]
        ways = kinds.get(kind)
        if ways is None:
            if len(kinds) >= _KEPT:
                return False
            kinds[kind] = [tail]
        elif ways[-1].lines > lines:
            ways.append(tail)
        else:
            return False
        if len(kinds) >= _KEPT:
            self._full[exposure] = max(ways[-1].lines for ways in kinds.values())
        return True

    def _reduce(self, reduction: PartialReduction, tail: Tail) -> None:
        """Offer what a reduction makes of a tail to the exposures after it."""
        # `targets` is the same list each time, so its identity is a key, and cheaper than its contents.
        every, full, lines = reduction.targets, self._full, tail.lines
        if self._dead.get(id(every), FAR) <= lines:
            return
        targets = [target for target in every if target not in full or full[target] > lines]
        if not targets:
            self._dead[id(every)] = lines
            return
        rights, known = self._grammar.rights, self._offered_all[id(every)]
        for symbols in dict.fromkeys(rights[each][: reduction.count] for each in reduction.productions):
            for longer in self._prepended(symbols, reduction.block, tail):
                # Offers to all of the same targets are made again and again, by reductions of many exposures.
                if known.get(longer.key, FAR) > longer.cost:
                    known[longer.key] = longer.cost
                    for target in targets:
                        self._offer(target, longer)

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
        """Return the tails known so far that lead to an entry point: one list, which grows at its end."""
        found, made_of = self._leading.setdefault(entry_point, ([], [0]))
        tails = self._in_turn[entry_point.owner]
        fresh = tails[made_of[0] :]
        if fresh:
            made_of[0] = len(tails)
            if entry_point.count == 0:
                found += fresh
            else:
                reduction = entry_point.reader
                symbols = self._grammar.rights[entry_point.production][entry_point.count : reduction.count]  # type: ignore[union-attr]
                for tail in fresh:
                    found += self._prepended(symbols, reduction.block, tail)  # type: ignore[union-attr]
        return found
