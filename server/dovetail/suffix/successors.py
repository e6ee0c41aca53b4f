"""Successors: the terminals that may come after a terminal, by the state that it meets right over the unknown stack.

Sets of terminals are numbers with a bit for each: which states lead on to some terminals is asked in every step, and
for two terminals that come one after the other the answer is one operation. The sets are found once per grammar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail.suffix.reductions import ReductionPlan

Terminals = int
"""A set of terminals: bit n is terminal n."""
ALL: Terminals = -1


def terminals_of(numbers: Iterable[int]) -> Terminals:
    """Return a set of terminals.

    >>> bin(terminals_of([0, 3, 3]))
    '0b1001'
    """
    found = 0
    for number in numbers:
        found |= 1 << number
    return found


class SuccessorsPlanner(Protocol):
    """The questions of `Successors` to a `SuffixGrammar`."""

    def plan(self, state: int, terminal: int) -> ReductionPlan:
        """Return the plan for a terminal in a state right over the unknown stack."""

    def shiftable(self, state: int) -> Terminals:
        """Return the terminals for which a state has an action."""


class Successors:
    """The successors of one terminal."""

    def __init__(self, planner: SuccessorsPlanner, terminal: int) -> None:
        self._planner = planner
        self._terminal = terminal
        self._known: dict[int, Terminals] = {}
        # By identity: the planner keeps its tuples, and has one object for equal states of reductions.
        self._common: dict[int, tuple[Terminals, Terminals]] = {}
        self._plans: dict[int, tuple[Terminals, Terminals]] = {}

    def of(self, state: int) -> Terminals:
        """Return the terminals that may come after this one where it meets a state, after reductions or at once."""
        found = self._known.get(state)
        if found is None:
            self._find(state)
            found = self._known[state]
        return found

    def common(self, states: tuple[int, ...]) -> tuple[Terminals, Terminals]:
        """Return the successors that all of some states have, and those that one of them has.

        `states`: a tuple that the planner keeps.
        """
        found = self._common.get(id(states))
        if found is None:
            every, some = ALL, 0
            for state in states:
                successors = self.of(state)
                every &= successors
                some |= successors
            found = self._common[id(states)] = every, some
        return found

    def common_to_plan(self, state: int) -> tuple[Terminals, Terminals]:
        """Return the same for all states that the plan of a state leads to."""
        found = self._plans.get(state)
        if found is None:
            shifts, units, reductions = self._planner.plan(state, self._terminal)
            every, some = ALL, 0
            for action in shifts:
                successors = self._planner.shiftable(action)
                every &= successors
                some |= successors
            for states in (units, *(reduction.states for reduction in reductions)):
                in_all, in_some = self.common(states)
                every &= in_all
                some |= in_some
            found = self._plans[state] = every, some
        return found

    def _find(self, state: int) -> None:
        """Find the successors of a state and of all states that its reductions lead to."""
        known, planner, terminal = self._known, self._planner, self._terminal
        found: dict[int, Terminals] = {}
        before: dict[int, list[int]] = {state: []}
        work = [state]
        while work:
            source = work.pop()
            shifts, units, reductions = planner.plan(source, terminal)
            successors = 0
            for action in shifts:
                successors |= planner.shiftable(action)
            for states in (units, *(reduction.states for reduction in reductions)):
                for target in states:
                    if target in known:
                        successors |= known[target]
                    elif target in before:
                        before[target].append(source)
                    else:
                        before[target] = [source]
                        work.append(target)
            found[source] = successors
        # Sets only grow, and terminals are finite, so this ends.
        work = list(found)
        while work:
            target = work.pop()
            successors = found[target]
            for source in before[target]:
                if successors & ~found[source]:
                    found[source] |= successors
                    work.append(source)
        known |= found
