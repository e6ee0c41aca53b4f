"""How many open brackets the automaton of a right context needs below each of its places.

A way through the automaton takes everything off the stack, down to the bottom. So the openers that it takes have
to be as many as the stack has, and with the least and the greatest number for each exposure most of what cannot
fit is left out without a look: for a row of n closing brackets all but one in n of the pairs of exposure and node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.parsing.stack import Node
    from dovetail.suffix.automaton import Exposure, Lookahead, PartialReduction, SuffixAutomaton

OpenerCounts = tuple[int, int]
"""The least and the greatest number of openers."""
ANY_NUMBER = 1 << 60
_UNCOUNTED: OpenerCounts = (0, ANY_NUMBER)
_NOWHERE: OpenerCounts = (ANY_NUMBER, -1)
WORTHWHILE = 1_500  # exposures; a search among fewer is quicker than counting
_PASSES = 20  # with most languages three settle it; a loop that opens brackets never would


class OpenerBounds:
    """The openers under the nodes of stacks, and those that a right context closes."""

    def __init__(self, automaton: SuffixAutomaton) -> None:
        self.grammar = automaton.grammar
        self._under: dict[Node, OpenerCounts] = {}
        self._counts: dict[tuple[int, int], int] = {}
        self._spans: dict[Exposure, OpenerCounts] = {}
        self._left_by: dict[tuple[Lookahead, int], OpenerCounts] = {}
        """Where reductions lead that pop into the unknown: (lookahead, left side) → openers taken off from there on."""
        if len(automaton.exposures) < WORTHWHILE:
            self._spans = dict.fromkeys(automaton.exposures, _UNCOUNTED)
        else:
            self._settle(automaton)

    def under(self, node: Node) -> OpenerCounts:
        """Return how many openers lie in a node and below it."""
        found = self._under.get(node)
        if found is not None:
            return found
        work = [node]
        while work:  # a stack may be deeper than Python's
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
        """Return how many openers are taken off from an exposure on."""
        return self._spans[exposure]

    def of_reduction(self, pop: PartialReduction, count: int) -> OpenerCounts:
        """Return how many openers are taken off from a reduction on of which `count` symbols are on the stack."""
        key = pop.lookahead, self.grammar.lefts[pop.production]
        span = self._left_by.get(key)
        if span is None:
            spans = [self._spans[target] for target in pop.lookahead.of_symbol(key[1])]
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
        """Find the spans from the end of the text backwards; later exposures are settled before earlier ones."""
        after: dict[Exposure, list[tuple[int, Exposure]]] = {}
        left_by: dict[tuple[Lookahead, int], list[Exposure]] = {}
        for exposure in reversed(automaton.exposures):
            found = after[exposure] = [(0, target) for target in exposure.edges]
            for pop in exposure.reductions:
                key = pop.lookahead, self.grammar.lefts[pop.production]
                targets = left_by.get(key)
                if targets is None:
                    targets = left_by[key] = pop.lookahead.of_symbol(key[1])
                opened = self._opened(pop.production, pop.count)
                found += [(opened, target) for target in targets]
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
