"""Trimming: the exposures from which acceptance cannot be reached are taken out of an automaton."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from dovetail.suffix.automaton import NO_REDUCTIONS, NOTHING_LATER
from dovetail.suffix.seam import EITHER

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from dovetail.suffix.automaton import Exposure, Lookahead


def trim(lookaheads: Collection[Lookahead], lefts: Sequence[int]) -> tuple[Exposure, ...]:
    """Return the exposures that lead to a final one, and remove all others from lookaheads and edges.

    `lefts`: production → its left side.
    """
    exposures = [exposure for lookahead in lookaheads for exposure in lookahead.exposures.values()]
    good: set[Exposure] = set()
    reached: dict[Lookahead, set[int]] = {lookahead: set() for lookahead in lookaheads}
    """Lookahead → the left sides of reductions into the unknown that lead to a good exposure."""
    waiting: dict[Exposure | tuple[Lookahead, int], list[Exposure]] = defaultdict(list)
    # Nearly every edge leads to a later exposure. So in reverse order nearly all targets are decided before their
    # sources, and few sources have to wait.
    for exposure in reversed(exposures):
        leads_on = exposure.final or (exposure.edges and not good.isdisjoint(exposure.edges))
        if not leads_on:
            for reduction in exposure.reductions:
                if lefts[reduction.production] in reached[reduction.lookahead]:
                    leads_on = True
                    break
        if not leads_on:
            for target in exposure.edges:
                waiting[target].append(exposure)
            for reduction in exposure.reductions:
                waiting[reduction.lookahead, lefts[reduction.production]].append(exposure)
            continue
        found = [exposure]
        while found:
            exposure = found.pop()
            if exposure in good:
                continue
            good.add(exposure)
            if exposure in waiting:
                found += waiting.pop(exposure)
            # Only exposures of EITHER are led to by reductions: see `Lookahead.of_symbol`.
            if exposure.line == EITHER and exposure.symbol not in reached[exposure.lookahead]:
                reached[exposure.lookahead].add(exposure.symbol)
                found += waiting.pop((exposure.lookahead, exposure.symbol), ())
    for lookahead in lookaheads:
        lookahead.exposures = {place: exposure for place, exposure in lookahead.exposures.items() if exposure in good}
    for exposure in good:
        if exposure.edges:
            exposure.edges = [target for target in exposure.edges if target in good] or NOTHING_LATER
        if exposure.reductions:
            exposure.reductions = [
                reduction
                for reduction in exposure.reductions
                if lefts[reduction.production] in reached[reduction.lookahead]
            ] or NO_REDUCTIONS
    return tuple(exposure for exposure in exposures if exposure in good)
