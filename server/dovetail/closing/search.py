"""The search for the cheapest closing, as terminals.

There are two searches, cheapest first (Dijkstra). The first finds for each exposure of the right context's automaton
the terminals that must be pushed between a stack and the right context (`tails.py`). The second, here, runs through the
completions of the open items of the left stack, until it meets an entry point of the automaton, and adds a tail. The
first goes on as far as the second asks.

Both count bytes as `yields` does, which is never more than the text will have. The caller spells the plans and
measures the texts.
"""

from __future__ import annotations

import heapq
from itertools import chain, count
from typing import TYPE_CHECKING, NamedTuple

from dovetail.closing.yields import NOTHING
from dovetail.lexing.indentation import ANY, FAR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dovetail.closing.tails import Tail, Tails
    from dovetail.closing.yields import Yields
    from dovetail.lexing.indentation import ColumnSet
    from dovetail.parsing.stack import Node
    from dovetail.suffix.entry_point import EntryPoint
    from dovetail.suffix.intersection import Intersection

_MOST_OPEN, _MOST_OPEN_FIRST = 2_000, 10_000
"""The most stacks that a search looks at where the right context is not whole; the second while no text is known.

Any terminal may be pushed there, so each byte of the best text so far makes the search many times as long, and what it
finds after the first few hundred stacks is hardly ever shorter.
"""


_MORE, _PLAN, _STACK = range(3)
"""Kinds of steps, in their order at the same cost: more tails of a stack, a plan, a stack to look at."""


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


class _Ends:
    """The tails known so far that may be pushed on a node."""

    __slots__ = ("_entry_points", "_reached", "_seen", "_taken", "found")

    def __init__(self, entry_points: tuple[EntryPoint, ...], of_all: list[Tail]) -> None:
        """`of_all`: the tails of every node."""
        self._entry_points = entry_points
        self._taken = [0] * len(entry_points)
        self._seen: set[Tail] = set()
        self._reached = -1
        self.found = [(-1, tail) for tail in of_all]
        """Each with the number of its entry point."""

    @property
    def may_grow(self) -> bool:
        """True if a longer search for tails may find another."""
        return bool(self._entry_points)

    def grow(self, tails: Tails) -> None:
        """Take the tails that were found meanwhile."""
        if self._reached == tails.reached:
            return
        self._reached = tails.reached
        for number, entry_point in enumerate(self._entry_points):
            leading = tails.leading_to(entry_point)
            for tail in leading[self._taken[number] :]:
                if tail not in self._seen:
                    self._seen.add(tail)
                    self.found.append((number, tail))
            self._taken[number] = len(leading)


class _StackVisit:
    """A stack that the search comes to, and how many of its tails it has taken."""

    __slots__ = ("_taken", "before", "cost", "ends", "modes", "node", "serial", "start")

    def __init__(self, start: int, node: Node, modes: int, before: Path | None = None) -> None:
        """`modes`: the stack of the lexer's modes there."""
        self.start = start
        self.node = node
        self.modes = modes
        self.before = before
        self.cost = self.serial = self._taken = 0

    def begin(self, cost: int, serial: int, ends: _Ends) -> None:
        """Look at the stack: `cost` is in bytes, `serial` counts these looks."""
        self.cost = cost
        self.serial = serial
        self.ends = ends

    def fresh_ends(self, tails: Tails) -> list[tuple[int, Tail]]:
        """Return the tails that were not taken yet."""
        self.ends.grow(tails)
        fresh = self.ends.found[self._taken :]
        self._taken += len(fresh)
        return fresh


class _Step(NamedTuple):
    """An entry of the agenda."""

    cost: int
    kind: int
    order: int | tuple[int, int, int, tuple[int, ...], int]
    """It decides between equal costs, so the same text is found in every run."""
    visit: _StackVisit
    tail: Tail | None = None
    """Of a plan."""


class Closer:
    """The search for closings against one right context."""

    def __init__(self, intersection: Intersection, yields: Yields, tails: Tails) -> None:
        """Search closings over the stacks of one text."""
        self.intersection = intersection
        self.grammar = intersection.grammar
        self.yields = yields
        self.tails = tails
        self._seam = intersection.automaton.seam
        self._ends: dict[Node, _Ends] = {}
        self._completions: dict[Node, list[tuple[Node, int, tuple[int, ...]]]] = {}

    def plans(
        self,
        starts: list[tuple[int, Node, int]],
        apart: Callable[[int, int], int],
        modes_after: Callable[[int, tuple[int, ...]], int | None],
        most: Callable[[], int],
    ) -> Iterator[ClosingPlan]:
        """Yield ways to close from (cost so far, stack, stack of modes), cheapest first.

        `apart`: (index of a start, terminal) → the bytes of the separator between them. `modes_after`: (stack of modes,
        terminals) → the stack of modes after them, None if they cannot be read there. `most`: asked again and again for
        the cost beyond which no plan is wanted. The cost of a plan leaves out what depends on its place: the separator
        before the right context, and the blanks of its lines. So it is never more than the text's length.
        """
        gap, is_open, tails = self.yields.gap, not self._seam.whole, self.tails

        def between(start: int, last: int, terminals: tuple[int, ...], column: int) -> int:
            # Nothing is pushed here. The separator is counted with the next terminals that are.
            if not terminals:
                return 0
            return apart(start, terminals[0]) if last == NOTHING else gap(last, terminals[0], column)

        agenda: list[_Step] = [
            _Step(cost, _STACK, number, _StackVisit(number, node, modes))
            for number, (cost, node, modes) in enumerate(starts)
        ]
        heapq.heapify(agenda)
        serial = count(len(agenda))
        offered: dict[tuple[int, Node, int, int], int] = {}
        seen: set[tuple[int, Node, int, int]] = set()
        while agenda:
            cost, kind, _, visit, tail = heapq.heappop(agenda)
            start, node, before = visit.start, visit.node, visit.before
            if tail is not None:
                yield ClosingPlan(cost, start, before, tail)
                continue
            last = before.terminals[-1] if before is not None else NOTHING
            highest, column = most(), node.column[1]
            if kind == _STACK:
                # The last terminal belongs to the key: it decides whether the next one needs a separator. So do the
                # modes, by which one sign is several terminals.
                key = (start, node, last, visit.modes)
                if key in seen:
                    continue
                seen.add(key)
                if is_open and len(seen) > (_MOST_OPEN if highest < FAR else _MOST_OPEN_FIRST):
                    return
                visit.begin(cost, next(serial), self._ends_at(node))
                for after, spent, terminals in self._completed(node):
                    further = cost + spent
                    if further > highest:
                        continue
                    modes = modes_after(visit.modes, terminals)
                    if modes is None:
                        continue
                    further += between(start, last, terminals, column)
                    key = (start, after, terminals[-1] if terminals else last, modes)
                    # Many completions lead to one node. Only a cheaper one than before can be part of the best plan.
                    if further <= highest and offered.get(key, further + 1) > further:
                        offered[key] = further
                        path = Path(terminals, before) if terminals else before
                        heapq.heappush(
                            agenda, _Step(further, _STACK, next(serial), _StackVisit(start, after, modes, path))
                        )
            elif tails.reached <= cost - visit.cost:
                tails.go_on()
            for number, end in visit.fresh_ends(tails):
                further = visit.cost + end.cost
                if further > highest:
                    continue  # Whatever stands between: asking for that takes most of the time here.
                further += between(start, last, end.front, column)
                if further <= highest:
                    # Before nodes of the same cost: a plan that is complete needs no more search.
                    order = (visit.serial, number, end.cost, end.front, next(serial))
                    heapq.heappush(agenda, _Step(further, _PLAN, order, visit, end))
            # Before plans of the same cost, which it may find others of.
            onwards = visit.cost + tails.reached
            if onwards <= highest and tails.reached < FAR and visit.ends.may_grow:
                heapq.heappush(agenda, _Step(onwards, _MORE, next(serial), visit))

    def _ends_at(self, node: Node) -> _Ends:
        found = self._ends.get(node)
        if found is None:
            intersection = self.intersection
            met = (
                entry_point
                for entry_point in intersection.every_entry_point(node.state)
                if intersection.reaches_entry_point(entry_point, node)
            )
            found = self._ends[node] = _Ends(tuple(met), self.tails.open)
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
