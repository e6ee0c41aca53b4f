"""Steps that threads share: their order, and failures."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event, get_ident
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.model.ordered_steps import OrderedSteps

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = 60.0
"""Seconds after which something is stuck."""


@pytest.fixture(name="helpers", scope="module")
def _helpers() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(3) as helpers:
        yield helpers


@given(count=st.integers(0, 60), distance=st.integers(1, 9), threads=st.integers(1, 4))
def test_a_step_begins_when_those_it_needs_are_done(
    count: int, distance: int, threads: int, helpers: ThreadPoolExecutor
) -> None:
    """Each step is done once, after all that lie so many numbers before it, also with less distance than threads."""
    done: list[int] = []

    def work(number: int) -> None:
        assert set(range(number - distance + 1)) <= set(done)
        done.append(number)

    OrderedSteps(work, count, distance).run(helpers, lambda _helping: threads - 1)

    assert sorted(done) == list(range(count))


def test_steps_that_need_nothing_of_each_other_run_together(helpers: ThreadPoolExecutor) -> None:
    """A step need not wait for the one before it: here neither of two ends before the other has begun."""
    begun = [Event(), Event()]

    def work(number: int) -> None:
        begun[number].set()
        assert begun[1 - number].wait(PATIENCE)

    OrderedSteps(work, 2, 2).run(helpers, lambda _helping: 1)


def test_a_thread_helps_from_the_step_on_at_which_it_is_wanted(helpers: ThreadPoolExecutor) -> None:
    """The first steps are done by this thread; the helper wanted before the fourth takes the fifth beside it."""
    met = {3: Event(), 4: Event()}
    alone: list[int] = []

    def work(number: int) -> None:
        if number < 3:
            alone.append(get_ident())
        elif number < 5:
            met[number].set()
            assert met[7 - number].wait(PATIENCE)

    OrderedSteps(work, 8, 2).run(helpers, lambda _helping: 1 if len(alone) == 3 else 0)

    assert set(alone) == {get_ident()}


@pytest.mark.parametrize("fails", [0, 1, 5])
def test_a_failure_ends_all(fails: int, helpers: ThreadPoolExecutor) -> None:
    """The exception of a step is raised, no step that needs it is begun, and no thread waits for it for ever."""
    begun: list[int] = []

    def work(number: int) -> None:
        begun.append(number)
        if number == fails:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        OrderedSteps(work, 40, 4).run(helpers, lambda _helping: 3)

    assert max(begun) < fails + 4
