"""Reductions into the unknown stack: what they take off it, and the exposures that they lead to.

Both functions take `entering`: the symbol by which each state is entered (`SuffixGrammar.entering`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.suffix.automaton import LINES, NO_REDUCTIONS, NOTHING_LATER, Exposure, PartialReduction
from dovetail.suffix.seam import EITHER, ON_BLANK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.lexing.indentation import ColumnSet
    from dovetail.suffix.automaton import Lookahead
    from dovetail.suffix.merging import ExposureMerger
    from dovetail.suffix.reductions import Reduction, ReductionPlan


def reduce_unknown(
    exposure: Exposure,
    plan: ReductionPlan,
    lookahead: Lookahead,
    merger: ExposureMerger,
    entering: Sequence[int],
) -> list[Exposure]:
    """Do the reductions of a state right over the unknown stack; return the new exposures that they lead to."""
    exposures, line = lookahead.exposures, exposure.line
    exposed: list[Exposure] = []
    edges: list[Exposure] = []
    for state in plan.units:
        # The node below stays the same, and with it what the line has before the cursor.
        place = LINES * state + line
        target = exposures.get(place)
        if target is None and state != exposure.state:
            target = exposures[place] = Exposure(entering[state], state, line, lookahead)
            exposed.append(target)
            # Nothing leads to a new exposure yet, and it is of another state: `lead` has nothing to look for.
            merger.sources[target] = [exposure]
            edges.append(target)
            continue
        if target is None:
            target = exposures[place] = Exposure(entering[state], state, line, lookahead)
            exposed.append(target)
        if target is not exposure:
            merger.lead(exposure, target)
    if exposure.edges is NOTHING_LATER:
        exposure.edges = edges or NOTHING_LATER
    else:
        exposure.edges += edges
    for reduction in plan.reductions:
        exposed += pop_unknown(exposure, reduction, None, lookahead, merger, entering)
    return exposed


def pop_unknown(
    exposure: Exposure,
    reduction: Reduction,
    block: ColumnSet | None,
    lookahead: Lookahead,
    merger: ExposureMerger,
    entering: Sequence[int],
) -> list[Exposure]:
    """Add a reduction that takes symbols off the unknown stack; return the new exposures that it may lead to."""
    productions, count, least, begins_line, states = reduction
    # The last symbol on the unknown stack tells whether the cursor's line has content. An entry for the other kind
    # of line fits no such stack.
    if exposure.line != EITHER and begins_line != (exposure.line == ON_BLANK):
        return []
    if least is None or block is None:
        block = least
    merger.reduced.update(states)
    if exposure.reductions is NO_REDUCTIONS:
        exposure.reductions = [PartialReduction(productions, count, block, states, lookahead)]
    elif not any(
        pop.lookahead is lookahead and pop.productions == productions and pop.count == count and pop.block == block
        for pop in exposure.reductions
    ):
        exposure.reductions.append(PartialReduction(productions, count, block, states, lookahead))
    exposures = lookahead.exposures
    found: list[Exposure] = []
    for state in states:
        place = LINES * state + EITHER
        if place not in exposures:
            target = exposures[place] = Exposure(entering[state], state, EITHER, lookahead)
            found.append(target)
    return found
