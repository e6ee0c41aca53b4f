"""The search for the cheapest closing, as terminals.

There are two searches, cheapest first (Dijkstra). The first runs through the automaton of the right context, from its
entries inwards. For each exposure it finds the terminals that must be pushed between a stack and the right context,
called tails. It is made once for a right context. The second runs through the completions of the open items of the
left stack, until it meets an entry point of the automaton, and adds a tail.

Both count bytes as `yields` does, which is never more than the text will have. The caller spells the plans and
measures the texts.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from itertools import chain, count
from typing import TYPE_CHECKING, NamedTuple

from dovetail.closing.yields import NOTHING
from dovetail.lexing.indentation import ANY, FAR, ColumnSet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dovetail.closing.yields import Yields
    from dovetail.parsing.stack import Node
    from dovetail.suffix.automaton import Exposure
    from dovetail.suffix.entry_point import EntryPoint
    from dovetail.suffix.intersection import Intersection
    from dovetail.suffix.lattice import Position

_MOST_OPEN, _MOST_OPEN_FIRST = 2_000, 10_000
"""The most stacks that a search looks at where the right context is not whole; the second while no text is known.

Any terminal may be pushed there, so each byte of the best text so far makes the search many times as long, and what it
finds after the first few hundred stacks is hardly ever shorter.
"""

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


class Path(NamedTuple):
    """The terminals that complete open items of a stack: the last ones, and the path before them."""

    terminals: tuple[int, ...]
    before: Path | None


class ClosingPlan(NamedTuple):
    """A way to close: terminals that complete open items of the left, then a tail."""

    cost: int
    start: int
    """The index of the start that it begins at."""
    before: Path | None
    tail: Tail

    def terminals(self, indent: int) -> list[tuple[int, ColumnSet]]:
        """Return the terminals in order, each indent with the columns that it may have."""
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
    """The search for closings against one right context."""

    def __init__(
        self,
        intersection: Intersection,
        yields: Yields,
        entry_cost: Callable[[Position, int], int],
        may_follow: Callable[[int, int], bool],
    ) -> None:
        """`entry_cost`: (entry, line) → the bytes to be spelled of a lexeme that straddles into the right context.

        `may_follow`: two terminals → whether the second can be read right after the first.
        """
        self.intersection = intersection
        self.grammar = intersection.grammar
        self.yields = yields
        self._seam = intersection.automaton.seam
        self._entry_cost, self._may_follow = entry_cost, may_follow
        self._tails: dict[Exposure, dict[Position | int, list[Tail]]] = defaultdict(dict)
        """Exposure → kind of tail → its tails, each dearer and of fewer lines than the one before."""
        self._entry_point_tails: dict[EntryPoint, list[Tail]] = {}
        self._ends: dict[Node, tuple[Tail, ...]] = {}
        self._completions: dict[Node, list[tuple[Node, int, tuple[int, ...]]]] = {}
        self._find_tails()
        # Where only trivia are to be read, nothing need be pushed on any stack.
        open_entries = intersection.automaton.open_entries() if intersection.ends_anywhere else []
        self._open_tails = [
            Tail(entry_cost(position, line), 0, (), (), None, position, line) for position, line in open_entries
        ]

    def _find_tails(self) -> None:
        agenda: list[tuple[int, int, Exposure, Tail]] = []
        offered: dict[Exposure, dict[Position | int, int]] = defaultdict(dict)  # key → cost
        offered_all: dict[int, dict[Position | int, int]] = defaultdict(dict)  # Of lists of targets.
        kept = self._tails
        full: dict[Exposure, int] = {}  # Exposure with all its kinds → the line starts from which on it takes no tail.
        dead: dict[int, int] = {}  # Identity of a list of targets → the line starts from which on all are full.
        push, serial, rights = heapq.heappush, count(), self.grammar.rights

        def offer(exposure: Exposure, tail: Tail) -> None:
            # Of two of a kind the cheaper is taken, and of two as cheap the one that was offered first. A dearer one of
            # fewer lines is taken as well: in a deep block it may be the shorter text.
            if exposure in full and full[exposure] <= tail.lines:
                return
            known, key, cost = offered[exposure], tail.key, tail.cost
            if known.get(key, FAR) > cost:
                known[key] = cost
                push(agenda, (cost, next(serial), exposure, tail))

        for exposure in self.intersection.automaton.entry_exposures():
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
        for fixed, lines, terminals in self.yields.before(symbols, after[0] if after else NOTHING):
            if automata is not None:
                modes = self._seam.lexer.modes.automata_after(terminals[-1])
                if modes is not None and modes.isdisjoint(automata):
                    continue
            # Tails of one kind compete, so one that nothing can spell would displace the one that is wanted.
            elif not self._may_follow(terminals[-1], after[0]):
                continue
            own: tuple[ColumnSet, ...] = (ANY,) * terminals.count(self.yields.indent)
            if own and block is not None and self.yields.indent in symbols:
                own = (*own[:-1], block)  # The right context ends the last one.
            yield Tail(tail.cost + fixed, tail.lines + lines, terminals, own, tail if after else None, entry, line)

    def tails(self, entry_point: EntryPoint) -> list[Tail]:
        """Return the tails that lead to an entry point."""
        found = self._entry_point_tails.get(entry_point)
        if found is None:
            if entry_point.count == 0:
                found = self._tails_at(entry_point.owner)
            else:
                reduction = entry_point.reader
                symbols = self.grammar.rights[entry_point.production][entry_point.count : reduction.count]  # type: ignore[union-attr]
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
        return [tail for ways in self._tails[exposure].values() for tail in ways]

    def plans(
        self, starts: list[tuple[int, Node]], apart: Callable[[int, int], int], most: Callable[[], int]
    ) -> Iterator[ClosingPlan]:
        """Yield ways to close from (cost so far, stack), cheapest first.

        `apart`: (index of a start, terminal) → the bytes of the separator between them. `most`: asked again and
        again for the cost beyond which no plan is wanted. The cost of a plan leaves out what depends on its place: the
        separator before the right context, and the blanks of its lines. So it is never more than the text's length.
        """
        gap, is_open = self.yields.gap, not self._seam.whole

        def between(start: int, last: int, terminals: tuple[int, ...], column: int) -> int:
            # Nothing is pushed here. The separator is counted with the next terminals that are.
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
            # The last terminal belongs to the key: it decides whether the next one needs a separator.
            key = (start, node, last)
            if key in seen:
                continue
            seen.add(key)
            highest, column = most(), node.column[1]
            if is_open and len(seen) > (_MOST_OPEN if highest < FAR else _MOST_OPEN_FIRST):
                return
            for end in self._ends_at(node):
                further = cost + end.cost + between(start, last, end.front, column)
                if further <= highest:
                    # Before nodes of the same cost: a plan that is complete needs no more search.
                    heapq.heappush(agenda, (further, 0, next(serial), start, node, before, end))
            for after, spent, terminals in self._completed(node):
                further = cost + spent + between(start, last, terminals, column)
                key = (start, after, terminals[-1] if terminals else last)
                # Many completions lead to one node. Only a cheaper one than before can be part of the best plan.
                if further <= highest and offered.get(key, further + 1) > further:
                    offered[key] = further
                    path = Path(terminals, before) if terminals else before
                    heapq.heappush(agenda, (further, 1, next(serial), start, after, path, None))

    def _ends_at(self, node: Node) -> tuple[Tail, ...]:
        """Return the tails that may be pushed on a node."""
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
            found = self._ends[node] = (*self._open_tails, *found)
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
                for after, symbols in chain(self._open_items(node), self._begun(node))
                if self.intersection.viable((after,))
                for way in self.yields.of_sequence(symbols)
            ]
        return found

    def _begun(self, node: Node) -> Iterator[tuple[Node, tuple[int, ...]]]:
        """Yield the nodes after one more terminal, where a right context that is not whole may end above them."""
        grammar, states = self.grammar, self.intersection.open_states
        if node.state in states:
            for symbol, target in grammar.gotos[node.state].items():
                if symbol < grammar.terminal_count:
                    yield self.intersection.stacks.node(target, (node,)), (symbol,)

    def _open_items(self, node: Node) -> Iterator[tuple[Node, tuple[int, ...]]]:
        grammar, stacks = self.grammar, self.intersection.stacks
        for production, dot in grammar.kernels[node.state]:
            left, right = grammar.lefts[production], grammar.rights[production]
            if left != grammar.lefts[0]:
                for base in stacks.popped((node,), dot):
                    yield stacks.node(grammar.gotos[base.state][left], (base,)), right[dot:]
            # The whole text may be pushed where the right context is nothing but END.
            elif dot == 0 and len(right) > 1:
                yield stacks.node(grammar.gotos[node.state][right[0]], (node,)), right[:1]
