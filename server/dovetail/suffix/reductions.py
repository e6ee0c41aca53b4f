"""Reductions over the unknown stack, as they are planned once per grammar."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.lexing.indentation import ColumnSet


class Reduction(NamedTuple):
    """A reduction whose last symbol is known; all other symbols are taken from the unknown stack."""

    productions: tuple[int, ...]
    """The production that it is by; several if states of one class reduce by different ones in the same way."""
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


def together(alike: Sequence[Reduction]) -> Reduction:
    """Return one reduction for some that take as many symbols and put the same one in their place."""
    first = alike[0]
    if len(alike) == 1:
        return first
    productions = dict.fromkeys(chain.from_iterable(reduction.productions for reduction in alike))
    states = dict.fromkeys(chain.from_iterable(reduction.states for reduction in alike))
    return first._replace(productions=tuple(productions), states=tuple(states))
