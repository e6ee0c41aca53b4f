"""Trimming: the exposures from which acceptance cannot be reached are taken out of an automaton."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.suffix.automaton import NO_REDUCTIONS, NOTHING_LATER
from dovetail.suffix.seam import EITHER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.suffix.automaton import Exposure, Lookahead


def trim(lookaheads: Sequence[Lookahead]) -> tuple[Exposure, ...]:
    """Return the exposures that lead to a final one, and remove all others from lookaheads and edges.

    `lookaheads`: in the order in which they were made. A step exposes nothing but at its own lookahead. So every edge
    and reduction leads to the same lookahead or to a later one, and only within one lookahead has the search to be
    repeated. The grammar bounds how often: ways within a lookahead are ways from state to state.
    """
    good: set[Exposure] = set()
    reached: dict[Lookahead, set[int]] = {}
    """Lookahead → the states of its good exposures that a reduction may lead to."""
    for lookahead in reversed(lookaheads):
        states = reached[lookahead] = set()
        undecided = list(reversed(lookahead.exposures.values()))
        count = -1
        while count != len(undecided):
            count = len(undecided)
            rest: list[Exposure] = []
            for exposure in undecided:
                leads_on = exposure.final or (exposure.edges and not good.isdisjoint(exposure.edges))
                if not leads_on:
                    for reduction in exposure.reductions:
                        if not reached[reduction.lookahead].isdisjoint(reduction.states):
                            leads_on = True
                            break
                if not leads_on:
                    rest.append(exposure)
                    continue
                good.add(exposure)
                if exposure.line == EITHER:
                    states.add(exposure.state)
            undecided = rest
    kept: list[Exposure] = []
    for lookahead in lookaheads:
        lookahead.exposures = {place: exposure for place, exposure in lookahead.exposures.items() if exposure in good}
        kept += lookahead.exposures.values()
    for exposure in kept:
        if exposure.edges:
            exposure.edges = [target for target in exposure.edges if target in good] or NOTHING_LATER
        if exposure.reductions:
            exposure.reductions = [
                reduction
                for reduction in exposure.reductions
                if not reached[reduction.lookahead].isdisjoint(reduction.states)
            ] or NO_REDUCTIONS
    return tuple(kept)
