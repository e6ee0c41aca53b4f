"""The shortest way to a program: what to complete on the left, and what to push for the right context.

Two searches, cheapest first. One goes through the automaton of the right context, from its entries inwards, and
finds for each place in it the terminals that must be pushed between a stack and the cursor's right side; it is
done once for a right context. The other goes through the completions of what is open on the left stack, and
meets the first. Both count bytes as `yields` does; the text itself is made, and measured, by the caller.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from dovetail.closing.yields import NOTHING
from dovetail.lexing.indentation import ANY, ColumnSet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dovetail.closing.yields import Yields
    from dovetail.parsing.stack import Node
    from dovetail.suffix.automaton import Exposure
    from dovetail.suffix.intersection import EntryPoint, Intersection
    from dovetail.suffix.lattice import Position

_KEPT = 4  # ways to push the same thing; they differ in their first terminal, whose separator may cost


class Tail:
    """What is pushed between a stack and the right context; longer ones share the shorter ones' ends."""

    __slots__ = ("blocks", "cost", "entry", "front", "line", "rest")

    def __init__(
        self,
        cost: int,
        front: tuple[int, ...],
        blocks: tuple[ColumnSet, ...],
        rest: Tail | None,
        entry: Position,
        line: int,
    ) -> None:
        self.cost = cost
        """Bytes, with every block of the left at the margin: never more than it will be."""
        self.front = front
        """The first terminals; all of them where there is no rest."""
        self.blocks = blocks
        """For each indent among those, in order, the columns that it may have."""
        self.rest = rest
        self.entry = entry
        self.line = line

    @property
    def kind(self) -> Position | int:
        """What tells tails to one place apart: their first terminal, and without any the entry."""
        return self.front[0] if self.front else self.entry


class Path(NamedTuple):
    """Terminals that complete what is open on a stack, the last of them and those before."""

    terminals: tuple[int, ...]
    before: Path | None


class ClosingPlan(NamedTuple):
    """A way to close: terminals that complete the left, then a tail."""

    cost: int
    start: int
    """Which of the starts it begins at."""
    before: Path | None
    tail: Tail

    def terminals(self, indent: int) -> list[tuple[int, ColumnSet]]:
        """Return all the terminals; with an indent the columns that it may have."""
        found: list[tuple[int, ColumnSet]] = []
        path, tail = self.before, self.tail
        while path is not None:
            found += ((terminal, ANY) for terminal in reversed(path.terminals))
            path = path.before
        found.reverse()
        rest: Tail | None = tail
        while rest is not None:
            blocks = iter(rest.blocks)
            found += ((terminal, next(blocks) if terminal == indent else ANY) for terminal in rest.front)
            rest = rest.rest
        return found


class Closer:
    """Closings against one right context."""

    def __init__(self, intersection: Intersection, yields: Yields, entry_cost: Callable[[Position, int], int]) -> None:
        """`entry_cost` is what has to be spelled of a lexeme that straddles into the right context at an entry."""
        self.intersection = intersection
        self.grammar = intersection.grammar
        self.yields = yields
        self._seam = intersection.automaton.seam
        self._entry_cost = entry_cost
        self._tails: dict[Exposure, dict[Position | int, Tail]] = defaultdict(dict)
        """Exposure → kind of tail → the cheapest one."""
        self._entry_point_tails: dict[EntryPoint, list[Tail]] = {}
        self._ends: dict[Node, tuple[Tail, ...]] = {}
        self._completions: dict[Node, list[tuple[Node, int, tuple[int, ...]]]] = {}
        self._find_tails()

    def _find_tails(self) -> None:
        agenda: list[tuple[int, int, Exposure, Tail]] = []
        offered: dict[Exposure, dict[Position | int, int]] = defaultdict(dict)  # kind → cost
        kept = self._tails

        def offer(exposure: Exposure, tail: Tail, kind: Position | int) -> None:
            # Of two of a kind the cheaper is taken, and of two as cheap the one that was offered first.
            known = offered[exposure]
            if len(kept[exposure]) < _KEPT and known.get(kind, tail.cost + 1) > tail.cost:
                known[kind] = tail.cost
                heapq.heappush(agenda, (tail.cost, next(serial), exposure, tail))

        serial = count()
        for exposure in self.intersection.automaton.entry_exposures():
            position = exposure.lookahead.position
            cost = self._entry_cost(position, exposure.line)
            offer(exposure, Tail(cost, (), (), None, position, exposure.line), position)
        while agenda:
            _, _, exposure, tail = heapq.heappop(agenda)
            kind = tail.kind
            if kind in kept[exposure] or len(kept[exposure]) >= _KEPT:
                continue
            kept[exposure][kind] = tail
            for target in exposure.edges:
                offer(target, tail, kind)
            for pop in exposure.reductions:
                targets = pop.lookahead.of_symbol(self.grammar.lefts[pop.production])
                targets = [target for target in targets if len(kept[target]) < _KEPT]
                if targets:
                    for longer in self._prepended(self.grammar.rights[pop.production][: pop.count], pop.block, tail):
                        for target in targets:
                            offer(target, longer, longer.kind)

    def _prepended(self, symbols: tuple[int, ...], block: ColumnSet | None, tail: Tail) -> Iterator[Tail]:
        """Yield the tail with symbols pushed before it."""
        if not symbols:
            yield tail
            return
        entry, line, after = tail.entry, tail.line, tail.front
        # The mode at the cursor has to be one in which the right context is read at this entry.
        automata = None if after else {automaton for automaton, _ in self._seam.ways[entry, line]}
        for fixed, terminals in self.yields.before(symbols, after[0] if after else NOTHING):
            if automata is not None:
                modes = self._seam.lexer.modes.automata_after(terminals[-1])
                if modes is not None and modes.isdisjoint(automata):
                    continue
            own: tuple[ColumnSet, ...] = (ANY,) * terminals.count(self.yields.indent)
            if own and block is not None and self.yields.indent in symbols:
                own = (*own[:-1], block)  # the one that the right context ends
            yield Tail(tail.cost + fixed, terminals, own, tail if after else None, entry, line)

    def tails(self, entry_point: EntryPoint) -> list[Tail]:
        """Return what may be pushed to get to a entry_point."""
        found = self._entry_point_tails.get(entry_point)
        if found is None:
            if entry_point.count == 0:
                found = list(self._tails[entry_point.owner].values())
            else:
                pop = entry_point.reader
                symbols = self.grammar.rights[pop.production][entry_point.count : pop.count]  # type: ignore[union-attr]
                found = [
                    longer
                    for tail in self._tails[entry_point.owner].values()
                    for longer in self._prepended(symbols, pop.block, tail)  # type: ignore[union-attr]
                ]
                found.sort(key=lambda tail: (tail.cost, tail.front))
            self._entry_point_tails[entry_point] = found
        return found

    def plans(
        self, starts: list[tuple[int, Node]], apart: Callable[[int, int], int], most: Callable[[], int]
    ) -> Iterator[ClosingPlan]:
        """Yield ways to close from (cost so far, stack), cheapest first.

        `apart` is what a separator costs between a start and a terminal; `most` is asked again and again for the
        cost beyond which no plan is wanted. A plan's cost leaves out what depends on the place: the separator at the
        right context, and how deep blocks have to be. So it is never more than the text's length.
        """
        gap = self.yields.gap

        def between(start: int, last: int, terminals: tuple[int, ...], column: int) -> int:
            if not terminals:
                return 0
            return apart(start, terminals[0]) if last == NOTHING else gap(last, terminals[0], column)

        agenda: list[tuple[int, int, int, int, Node, Path | None, Tail | None]] = [
            (cost, 1, number, number, node, None, None) for number, (cost, node) in enumerate(starts)
        ]
        heapq.heapify(agenda)
        serial = count(len(agenda))
        offered: dict[tuple[int, Node, int], int] = {}
        seen: set[tuple[int, Node, int]] = set()
        while agenda:
            cost, _, _, start, node, before, tail = heapq.heappop(agenda)
            if tail is not None:
                yield ClosingPlan(cost, start, before, tail)
                continue
            last = before.terminals[-1] if before is not None else NOTHING
            key = (start, node, last)
            if key in seen:
                continue
            seen.add(key)
            highest, column = most(), node.column[1]
            for end in self._ends_at(node):
                further = cost + end.cost + between(start, last, end.front, column)
                if further <= highest:
                    heapq.heappush(agenda, (further, 0, next(serial), start, node, before, end))
            for after, spent, terminals in self._completed(node):
                further = cost + spent + between(start, last, terminals, column)
                key = (start, after, terminals[-1] if terminals else last)
                if further <= highest and offered.get(key, further + 1) > further:
                    offered[key] = further
                    path = Path(terminals, before) if terminals else before
                    heapq.heappush(agenda, (further, 1, next(serial), start, after, path, None))

    def _ends_at(self, node: Node) -> tuple[Tail, ...]:
        """Return what may be pushed on a node so that the right context fits."""
        found = self._ends.get(node)
        if found is None:
            intersection = self.intersection
            found = self._ends[node] = tuple(
                dict.fromkeys(
                    end
                    for entry_point in intersection.every_entry_point(node.state)
                    if intersection.reaches_entry_point(entry_point, node)
                    for end in self.tails(entry_point)
                )
            )
        return found

    def _completed(self, node: Node) -> list[tuple[Node, int, tuple[int, ...]]]:
        """Return the nodes after an open item of a node is completed, with the bytes and terminals that complete it.

        Only those from which the right context can still be met.
        """
        found = self._completions.get(node)
        if found is None:
            column = node.column[1]
            found = self._completions[node] = [
                (after, way.fixed + way.lines * column, way.terminals)
                for after, symbols in self._open_items(node)
                if self.intersection.viable((after,))
                for way in self.yields.of_sequence(symbols)
            ]
        return found

    def _open_items(self, node: Node) -> Iterator[tuple[Node, tuple[int, ...]]]:
        grammar, stacks = self.grammar, self.intersection.stacks
        for production, dot in grammar.kernels[node.state]:
            left, right = grammar.lefts[production], grammar.rights[production]
            if left != grammar.lefts[0]:
                for base in stacks.popped((node,), dot):
                    yield stacks.node(grammar.gotos[base.state][left], (base,)), right[dot:]
            elif dot == 0 and len(right) > 1:
                yield stacks.node(grammar.gotos[node.state][right[0]], (node,)), right[:1]
