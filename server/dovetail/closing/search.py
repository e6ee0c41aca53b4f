"""The search for the cheapest closing, as terminals.

There are two searches, cheapest first (Dijkstra). The first finds for each exposure of the right context's automaton
the terminals that must be pushed between a stack and the right context (`tails.py`). The second, here, runs through the
completions of the open items of the left stack, until it meets an entry point of the automaton, and adds a tail.

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
    from dovetail.suffix.intersection import Intersection

_MOST_OPEN, _MOST_OPEN_FIRST = 2_000, 10_000
"""The most stacks that a search looks at where the right context is not whole; the second while no text is known.

Any terminal may be pushed there, so each byte of the best text so far makes the search many times as long, and what it
finds after the first few hundred stacks is hardly ever shorter.
"""


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

    def __init__(self, intersection: Intersection, yields: Yields, tails: Tails) -> None:
        """Search closings over the stacks of one text."""
        self.intersection = intersection
        self.grammar = intersection.grammar
        self.yields = yields
        self.tails = tails
        self._seam = intersection.automaton.seam
        self._ends: dict[Node, tuple[Tail, ...]] = {}
        self._completions: dict[Node, list[tuple[Node, int, tuple[int, ...]]]] = {}

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
                further = cost + end.cost
                if further > highest:
                    continue  # Whatever stands between: asking for that takes most of the time here.
                further += between(start, last, end.front, column)
                if further <= highest:
                    # Before nodes of the same cost: a plan that is complete needs no more search.
                    heapq.heappush(agenda, (further, 0, next(serial), start, node, before, end))
            for after, spent, terminals in self._completed(node):
                further = cost + spent
                if further > highest:
                    continue
                further += between(start, last, terminals, column)
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
                    for end in self.tails.leading_to(entry_point)
                )
            )
            found = self._ends[node] = (*self.tails.open, *found)
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
