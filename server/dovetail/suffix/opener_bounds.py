"""Bounds on the open brackets that each exposure of a suffix automaton needs below it.

A run of the automaton takes every symbol off the stack, down to the bottom. So it takes exactly as many openers as
the stack has. The least and the greatest number of openers on the ways from an exposure to acceptance therefore
exclude pairs of exposure and stack node that cannot fit, without a search. For a row of n closing brackets they
exclude all but one in n pairs. The bounds never exclude a pair that fits: they are taken over all ways.
"""

from __future__ import annotations

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
WORTHWHILE = 750  # With fewer exposures the search is quicker than the counting.
_PASSES = 20  # Three passes settle most languages. A loop that opens brackets never settles.


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
        if len(automaton.exposures) < WORTHWHILE or not self._counts_all:
            self._spans = dict.fromkeys(automaton.exposures, _UNCOUNTED)
        else:
            self._settle(automaton)

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

    def of_exposure(self, exposure: Exposure) -> OpenerCounts:
        """Return the bounds of the openers that are taken off from an exposure on."""
        return self._spans[exposure]

    def of_reduction(self, pop: PartialReduction, count: int) -> OpenerCounts:
        """Return the bounds from a reduction on, of which the first `count` symbols are on the stack."""
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

        Nearly all edges lead to later exposures, so one pass settles nearly all. If the passes do not settle, no
        exposure has bounds.
        """
        after: dict[Exposure, list[tuple[int, Exposure]]] = {}
        for exposure in reversed(automaton.exposures):
            found = after[exposure] = [(0, target) for target in exposure.edges]
            for pop in exposure.reductions:
                opened = self._opened(pop.production, pop.count)
                found += [(opened, target) for target in pop.targets]
        spans = self._spans
        for _ in range(_PASSES):
            settled = True
            for exposure, further in after.items():
                low, high = (0, 0) if exposure.final else _NOWHERE
                for opened, target in further:
                    span = spans.get(target)
                    if span is None:
                        settled = False
                        continue
                    if span[0] + opened < low:
                        low = span[0] + opened
                    if span[1] >= 0 and span[1] + opened > high:
                        high = span[1] + opened
                if spans.get(exposure) != (low, high):
                    settled = settled and exposure not in spans
                    spans[exposure] = low, high
            if settled:
                return
        self._spans = dict.fromkeys(automaton.exposures, _UNCOUNTED)
