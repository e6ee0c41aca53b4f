"""The outlook of a terminal: what it makes of states over the unknown stack, as far as the text can be read on.

The terminals that may follow are known from the lattice before a step is made. A state that none of them fits after
the shift is a dead end, and so is a state from which reductions lead to such states only. What they would expose is
far from the end of the text and would be trimmed, so it is not made. Most wrong guesses of the mode end so.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from dovetail.suffix.reductions import ReductionPlan
from dovetail.suffix.successors import SuccessorsPlanner, terminals_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from dovetail.suffix.reductions import Reduction
    from dovetail.suffix.successors import Successors, Terminals


class ReductionPlanner(SuccessorsPlanner, Protocol):
    """The questions of an outlook to a `SuffixGrammar`."""

    entered_by: dict[int, list[int]]
    reduction: Callable[[int, int, int, int], Reduction | None]
    exposed_again: Callable[[int, int, int], tuple[int, ...]]

    def one_object(self, states: tuple[int, ...]) -> tuple[int, ...]:
        """Return equal states as one object."""


_NOTHING = ReductionPlan((), (), ())


class Outlook:
    """The plans of `SuffixGrammar` for a terminal, without dead ends; made once per grammar."""

    def __init__(
        self, grammar: ReductionPlanner, terminal: int, following: tuple[int, ...] | None, successors: Successors
    ) -> None:
        """`following`: the terminals that may come after it; None for any. `successors`: those of the terminal."""
        self.grammar = grammar
        self.terminal = terminal
        self.following = following
        self.plans: dict[int, ReductionPlan] = {}
        """State → its plan; `plan` adds those that are missing."""
        self._successors = successors
        self._terminals: Terminals = 0 if following is None else terminals_of(following)
        self._reductions: dict[tuple[int, int, int], Reduction | None] = {}
        self._again: dict[tuple[int, int], tuple[int, ...]] = {}

    @cached_property
    def entered(self) -> tuple[int, ...]:
        """The states after the terminal, if the text begins with it over an unknown stack."""
        return self._going_on(self.grammar.entered_by[self.terminal])

    def plan(self, state: int) -> ReductionPlan:
        """Return the plan of a state right over the unknown stack."""
        found = self.plans.get(state)
        if found is None:
            found = self.grammar.plan(state, self.terminal)
            if self.following is not None:
                found = self._without_dead_ends(state, found)
            self.plans[state] = found
        return found

    def _without_dead_ends(self, state: int, plan: ReductionPlan) -> ReductionPlan:
        every, some = self._successors.common_to_plan(state)
        # Nearly all plans are kept as they are, or come to nothing.
        if every & self._terminals:
            return plan
        if not some & self._terminals:
            return _NOTHING
        return ReductionPlan(
            self._going_on(plan.shifts),
            self._kept(plan.units),
            tuple(kept for reduction in plan.reductions if (kept := self._cut(reduction)) is not None),
        )

    def leaves_out(self, state: int) -> bool:
        """Return whether reductions are left out of the plan of a state."""
        return self.plan(state)[1:] != self.grammar.plan(state, self.terminal)[1:]

    def reduction(self, production: int, count: int, state: int) -> Reduction | None:
        """Return what `SuffixGrammar.reduction` does, or None if it leads to dead ends only."""
        key = production, count, state
        if key not in self._reductions:
            found = self.grammar.reduction(production, count, state, self.terminal)
            self._reductions[key] = None if found is None else self._cut(found)
        return self._reductions[key]

    def exposed_again(self, state: int, left: int) -> tuple[int, ...]:
        """Return what `SuffixGrammar.exposed_again` does, without dead ends."""
        key = state, left
        found = self._again.get(key)
        if found is None:
            found = self._again[key] = self._kept(self.grammar.exposed_again(state, left, self.terminal))
        return found

    def _going_on(self, states: Iterable[int]) -> tuple[int, ...]:
        """Return the states after a shift that one of the terminals fits."""
        if self.following is None:
            return tuple(states)
        shiftable, terminals = self.grammar.shiftable, self._terminals
        return tuple([state for state in states if shiftable(state) & terminals])

    def _cut(self, reduction: Reduction) -> Reduction | None:
        kept = self._kept(reduction.states)
        if len(kept) == len(reduction.states):
            return reduction
        return reduction._replace(states=self.grammar.one_object(kept)) if kept else None

    def _kept(self, states: tuple[int, ...]) -> tuple[int, ...]:
        """Return the states that lead on to one of the terminals; `states` as in `Successors.common`."""
        if self.following is None:
            return states
        successors, terminals = self._successors, self._terminals
        every, some = successors.common(states)
        if every & terminals:
            return states
        if not some & terminals:
            return ()
        return tuple([state for state in states if successors.of(state) & terminals])
