"""Reductions over the unknown stack, as they are planned once per grammar."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from dovetail.lexing.indentation import ColumnSet


class Reduction(NamedTuple):
    """A reduction whose last symbol is known; all other symbols are taken from the unknown stack."""

    production: int
    popped: int
    """The number of symbols taken from the unknown stack."""
    block: ColumnSet | None
    """The columns that an indent among them may have; None without an indent."""
    begins_line: bool
    """True if a line begins after the last symbol taken."""
    states: tuple[int, ...]
    """The states that it may lead to, at the ends of chains of unit reductions."""


class ReductionPlan(NamedTuple):
    """The actions of a state right over the unknown stack, for one terminal."""

    shifts: tuple[int, ...]
    """The states after a shift."""
    units: tuple[int, ...]
    """The states after reductions of one symbol, at the ends of chains: exposed again over the same node."""
    reductions: tuple[Reduction, ...]
    """The reductions of several symbols."""
