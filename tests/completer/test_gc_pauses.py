"""The pauses in which garbage is collected."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import TYPE_CHECKING

import pytest

from dovetail.completer import gc_pauses as collector
from dovetail.completer.gc_pauses import Collector

if TYPE_CHECKING:
    from collections.abc import Iterator


class Cycle:
    """Refers to itself, so that only the collector finds it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Leave the collector of the tests as it was."""
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


def old_garbage() -> weakref.ref[Cycle]:
    """Return garbage that only a full collection finds, after as many smaller ones as make it worth it."""
    cycle = Cycle()
    for _ in range(collector._WORTH + 1):
        gc.collect(1)
    found = weakref.ref(cycle)
    del cycle
    gc.collect(1)
    assert found() is not None
    return found


def test_young_garbage_waits_for_the_answer() -> None:
    """It is not collected while an answer is made, unless there is much of it, but right after that."""
    chosen = Collector()
    garbage = weakref.ref(Cycle())
    kept = [[number] for number in range(2 * collector._SOME)]
    waits = garbage() is not None

    chosen.rest(idle=False)

    assert kept
    assert waits
    assert garbage() is None


def test_much_young_garbage_waits_for_nothing() -> None:
    """A long document is read in so little memory as before."""
    Collector()

    garbage = weakref.ref(Cycle())
    kept = [[number] for number in range(2 * collector._MANY)]

    assert kept
    assert garbage() is None
    assert gc.get_threshold()[2] > 1_000_000


def test_a_pause_is_used() -> None:
    """All garbage goes in a pause if it is worth it, and none in the middle of the work unless it is overdue."""
    chosen = Collector()
    garbage = old_garbage()

    chosen.rest(idle=False)
    kept = garbage() is not None
    chosen.rest(idle=True)

    assert kept
    assert garbage() is None


def test_what_is_overdue_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Garbage is collected also if there is never a pause."""
    chosen = Collector()
    garbage = old_garbage()
    monkeypatch.setattr(collector, "_LONGEST", 0)

    chosen.rest(idle=False)

    assert garbage() is None


def test_another_model_does_not_stay_for_ever() -> None:
    """A settled object that nobody uses any more is collected when something else is settled."""
    chosen = Collector()
    model = Cycle()
    found = weakref.ref(model)
    chosen.settle()
    del model

    gc.collect()
    stayed = found() is not None
    chosen.settle()

    assert stayed
    assert found() is None


async def test_what_happens_puts_the_pause_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pause begins when the last thing has happened, and ends with a collection."""
    monkeypatch.setattr(collector, "PAUSE", 60)
    chosen = Collector()
    garbage = old_garbage()
    chosen.postpone()
    monkeypatch.setattr(collector, "PAUSE", 0.001)
    chosen.postpone()

    while garbage() is not None:
        await asyncio.sleep(0.001)

    monkeypatch.setattr(collector, "PAUSE", 60)
    garbage = old_garbage()
    chosen.postpone()
    chosen.postpone()
    await asyncio.sleep(0.01)
    assert garbage() is not None


def test_free_memory_is_given_back_where_garbage_was_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a full collection, and not without one; asking the system for it does no harm anywhere."""
    given: list[bool] = []
    give_back = collector._give_back
    monkeypatch.setattr(collector, "_give_back", lambda: given.append(True))
    one = Collector()

    garbage = old_garbage()
    one.rest(idle=True)
    one.rest(idle=True)

    assert garbage() is None
    assert given == [True]
    give_back()
