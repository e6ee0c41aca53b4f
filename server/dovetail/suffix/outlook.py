"""The outlook of a terminal: what it makes of states over the unknown stack, as far as the text can be read on.

The terminals that may follow are known from the lattice before a step is made. A state that none of them fits after
the shift is a dead end, and so is a state from which reductions lead to such states only. What they would expose is
far from the end of the text and would be trimmed, so it is not made. Most wrong guesses of the mode end so.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from dovetail.suffix.reductions import ReductionPlan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from dovetail.grammar.stored_rows import StoredRows
    from dovetail.suffix.reductions import Reduction


class ReductionPlanner(Protocol):
    """The questions of an outlook to a `SuffixGrammar`."""

    actions: StoredRows[dict[int, tuple[int, ...]]]
    entered_by: dict[int, list[int]]
    reduction: Callable[[int, int, int, int], Reduction | None]
    exposed_again: Callable[[int, int, int], tuple[int, ...]]

    def plan(self, state: int, terminal: int) -> ReductionPlan:
        """Return the plan for a terminal in a state right over the unknown stack."""

    def one_object(self, states: tuple[int, ...]) -> tuple[int, ...]:
        """Return equal states as one object."""


class Outlook:
    """The plans of `SuffixGrammar` for a terminal, without dead ends; made once per grammar."""

    def __init__(self, grammar: ReductionPlanner, terminal: int, following: tuple[int, ...] | None) -> None:
        """`following`: the terminals that may come after it; None for any."""
        self.grammar = grammar
        self.terminal = terminal
        self.following = following
        self.plans: dict[int, ReductionPlan] = {}
        """State → its plan; `plan` adds those that are missing."""
        self._leads_on: dict[int, bool] = {}
        """State over the unknown stack → whether one of the terminals can follow."""
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
                found = ReductionPlan(
                    self._going_on(found.shifts),
                    self._kept(found.units),
                    tuple(kept for reduction in found.reductions if (kept := self._cut(reduction)) is not None),
                )
            self.plans[state] = found
        return found

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
        actions, following = self.grammar.actions, self.following
        if following is None:
            return tuple(states)
        return tuple([state for state in states if not actions[state].keys().isdisjoint(following)])

    def _cut(self, reduction: Reduction) -> Reduction | None:
        kept = self._kept(reduction.states)
        if len(kept) == len(reduction.states):
            return reduction
        return reduction._replace(states=self.grammar.one_object(kept)) if kept else None

    def _kept(self, states: tuple[int, ...]) -> tuple[int, ...]:
        if self.following is None:
            return states
        leads_on = self._leads_on
        if not leads_on.keys() >= set(states):
            self._decide(states)
        return tuple([state for state in states if leads_on[state]])

    def _decide(self, states: Iterable[int]) -> None:
        """Find out whether states lead on: by a shift, or by reductions to states that do."""
        leads_on, plan, terminal = self._leads_on, self.grammar.plan, self.terminal
        before: dict[int, list[int]] = {state: [] for state in states if state not in leads_on}
        good: list[int] = []
        work = list(before)
        while work:
            state = work.pop()
            shifts, units, reductions = plan(state, terminal)
            if self._going_on(shifts):
                good.append(state)
            for targets in (units, *(reduction.states for reduction in reductions)):
                for target in targets:
                    if target in leads_on:
                        if leads_on[target]:
                            good.append(state)
                    elif target in before:
                        before[target].append(state)
                    else:
                        before[target] = [state]
                        work.append(target)
        # Nothing outside is left open, so what is not found good here is a dead end.
        leads_on |= dict.fromkeys(before, False)
        while good:
            state = good.pop()
            if not leads_on[state]:
                leads_on[state] = True
                good += before[state]
