"""Bounds on the columns of the blocks under each exposure of a suffix automaton.

What pushed text can lead to is known only where the block around it is not too deep for the lines of the right context.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.lexing import indentation as columns
from dovetail.lexing.indentation import FAR, Column

if TYPE_CHECKING:
    from dovetail.suffix.automaton import Exposure, PartialReduction, SuffixAutomaton

UNBOUNDED: Column = (FAR, FAR)


def under_block(reduction: PartialReduction, bound: Column, tab: int) -> Column | None:
    """Return the deepest column around the block that a reduction's indent opens, if that indent is pushed."""
    if reduction.block is None:
        return bound
    deepest = columns.greatest(reduction.block, (bound[0] + 1, bound[1] + 1), tab)
    if deepest is None:
        return None
    # One shared object again, for the test by identity.
    return UNBOUNDED if deepest[0] >= FAR - 1 else (deepest[0] - 1, deepest[1] - 1)


def column_bounds(automaton: SuffixAutomaton, tab: int) -> dict[Exposure, Column]:
    """Return exposure → the deepest column that may be in force under it, for those that pushed text can lead to.

    Only the deepest bound is kept: a stack that fits a bound fits every deeper one.
    """
    # Without indents no column is in force; and what an automaton has was led to from an entry, if none is left out.
    if automaton.grammar.indent < 0 and not automaton.seam.refused:
        return dict.fromkeys(automaton.exposures, UNBOUNDED)
    bounds: dict[Exposure, Column] = {}
    work: list[Exposure] = []
    indent_at = automaton.grammar.indent_at
    # Reductions to the same states share one list, which is done once it has no bound.
    unbounded: set[int] = set()

    def raise_to(targets: list[Exposure], bound: Column) -> None:
        for target in targets:
            old = bounds.get(target)
            if old is UNBOUNDED:
                continue
            # Bounds only rise, and columns are finite, so this ends.
            if old is None or (bound[0] >= old[0] and bound[1] >= old[1] and bound != old):
                bounds[target] = UNBOUNDED if bound == UNBOUNDED else bound
                work.append(target)

    raise_to(automaton.entry_exposures(), UNBOUNDED)
    while work:
        exposure = work.pop()
        bound = bounds[exposure]
        if exposure.edges:
            raise_to(exposure.edges, bound)
        for reduction in exposure.reductions:
            under = (
                under_block(reduction, bound, tab) if 0 <= indent_at[reduction.production] < reduction.count else bound
            )
            if under is not None and id(targets := reduction.targets) not in unbounded:
                raise_to(targets, under)
                if under is UNBOUNDED:
                    unbounded.add(id(targets))
    return bounds
