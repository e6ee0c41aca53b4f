"""Bounds on the open brackets that each exposure of a suffix automaton needs below it.

A run of the automaton takes every symbol off the stack, down to the bottom. So it takes exactly as many openers as
the stack has. The least and the greatest number of openers on the ways from an exposure to acceptance therefore
exclude pairs of exposure and stack node that cannot fit, without a search. For a row of n closing brackets they
exclude all but one in n pairs. The bounds never exclude a pair that fits: they are taken over all ways.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.parsing.stack import Node
    from dovetail.suffix.automaton import Exposure, Lookahead, PartialReduction, SuffixAutomaton

OpenerCounts = tuple[int, int]
"""The least and the greatest number of openers."""
ANY_NUMBER = 1 << 60
# Bounds that exclude nothing, and those of an exposure from which no way is known yet.
_UNCOUNTED: OpenerCounts = (0, ANY_NUMBER)
_NOWHERE: OpenerCounts = (ANY_NUMBER, -1)
WORTHWHILE = 1  # Points that were searched for each edge, until to count costs no more than to go on without.
_RAISES = 20  # of a greatest number, before it is taken to be any: a loop that opens brackets never ends to raise it.


class OpenerBounds:
    """The openers under stack nodes, and the bounds of exposures and reductions."""

    def __init__(self, automaton: SuffixAutomaton) -> None:
        self.grammar = automaton.grammar
        self._under: dict[Node, OpenerCounts] = {}
        self._counts: dict[tuple[int, int], int] = {}
        self._spans: dict[Exposure, OpenerCounts] = {}
        self._left_by: dict[tuple[Lookahead, tuple[int, ...]], OpenerCounts] = {}
        """(lookahead, states after a reduction) → the bounds of the exposures that it leads to."""
        self._counts_all = automaton.seam.whole
        # A run over a text that is not whole ends anywhere on the stack, so nothing can be counted.
        self._uncounted = automaton if self._counts_all else None
        """The automaton, until its exposures are counted, if they can be."""
        self._left = WORTHWHILE * len(automaton.exposures)
        """Points that may be searched still before it is worth while to count."""
        self._edges_known = False

    def searched(self) -> bool:
        """Note that one more point was searched; return whether bounds are there now that were not before.

        Most searches are over long before the edges of the automaton are counted.
        """
        automaton = self._uncounted
        if automaton is None:
            return False
        self._left -= 1
        if self._left > 0:
            return False
        if not self._edges_known:
            self._edges_known = True
            self._left = WORTHWHILE * sum(map(_edges_of, automaton.exposures))
            return False
        self._uncounted = None
        self._settle(automaton)
        return True

    def under(self, node: Node) -> OpenerCounts:
        """Return the least and the greatest number of openers in a node and below it, over all its stacks."""
        if not self._counts_all:
            return _UNCOUNTED
        found = self._under.get(node)
        if found is not None:
            return found
        work = [node]
        while work:  # A loop: a stack may be deeper than Python's calls.
            top = work[-1]
            unknown = [below for below in top.below if below not in self._under]
            if unknown:
                work += unknown
                continue
            own = int(self.grammar.entering[top.state] in self.grammar.openers)
            spans = [self._under[below] for below in top.below] or [(0, 0)]
            self._under[top] = own + min(low for low, _ in spans), own + max(high for _, high in spans)
            work.pop()
        return self._under[node]

    def fits(self, exposure: Exposure | None, node: Node) -> bool:
        """Return whether the bounds allow an exposure at a node; text that is pushed has none."""
        if exposure is None:
            return True
        (least, greatest), (low, high) = self.of_exposure(exposure), self.under(node)
        return least <= high and low <= greatest

    def of_exposure(self, exposure: Exposure) -> OpenerCounts:
        """Return the bounds of the openers that are taken off from an exposure on."""
        return self._spans.get(exposure, _UNCOUNTED)

    def of_reduction(self, pop: PartialReduction, count: int) -> OpenerCounts:
        """Return the bounds from a reduction on, of which the first `count` symbols are on the stack."""
        if not self._spans:
            return _UNCOUNTED
        key = pop.lookahead, pop.states
        span = self._left_by.get(key)
        if span is None:
            spans = [self._spans[target] for target in pop.targets]
            span = self._left_by[key] = min(low for low, _ in spans), max(high for _, high in spans)
        opened = self._opened(pop.production, count)
        return (span[0] + opened, span[1] + opened) if opened else span

    def _opened(self, production: int, count: int) -> int:
        found = self._counts.get((production, count))
        if found is None:
            openers = self.grammar.openers
            found = sum(symbol in openers for symbol in self.grammar.rights[production][:count])
            self._counts[production, count] = found
        return found

    def _settle(self, automaton: SuffixAutomaton) -> None:
        """Find the bounds of all exposures as a least fixpoint, from the end of the text backwards.

        Nearly all edges lead to later exposures, so most bounds are passed on once. A loop that opens brackets raises
        the greatest number without end; after some raises it is taken to be any.
        """
        order = {exposure: -index for index, exposure in enumerate(automaton.exposures)}
        before: dict[Exposure, list[tuple[int, Exposure]]] = {exposure: [] for exposure in order}
        for exposure in order:
            for target in exposure.edges:
                before[target].append((0, exposure))
            for pop in exposure.reductions:
                opened = self._opened(pop.production, pop.count)
                for target in pop.targets:
                    before[target].append((opened, exposure))
        spans = self._spans
        raised = dict.fromkeys(order, 0)
        spans |= {exposure: (0, 0) for exposure in order if exposure.final}
        agenda = [(place, exposure) for exposure, place in order.items() if exposure.final]
        heapq.heapify(agenda)
        waiting = set(spans)
        while agenda:
            _, target = heapq.heappop(agenda)
            waiting.discard(target)
            least, greatest = spans[target]
            for opened, exposure in before[target]:
                low, high = spans.get(exposure, _NOWHERE)
                span = min(low, least + opened), max(high, min(greatest + opened, ANY_NUMBER))
                if span == (low, high):
                    continue
                if span[1] > high:
                    raised[exposure] += 1
                    if raised[exposure] > _RAISES:
                        span = span[0], ANY_NUMBER
                spans[exposure] = span
                if exposure not in waiting:
                    waiting.add(exposure)
                    heapq.heappush(agenda, (order[exposure], exposure))


def _edges_of(exposure: Exposure) -> int:
    return len(exposure.edges) + sum(len(reduction.targets) for reduction in exposure.reductions)
