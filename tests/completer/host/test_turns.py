"""Turns: one thread runs at a time, in the order of asking, and whoever waits is let in after one step."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.host.turns import SteppedCancellation, Turns

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 60


def until(true: Callable[[], bool]) -> None:
    """Wait until something is true."""
    ends = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.0005)


def begun(work: Callable[[], None]) -> threading.Thread:
    """Return a thread that does some work."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def steps(turns: Turns, name: str, count: int, order: list[str]) -> Callable[[], None]:
    """Return work of some steps, each of which notes its name."""

    def work() -> None:
        cancellation = SteppedCancellation(CancelToken(), turns)
        with turns.turn():
            for _ in range(count):
                order.append(name)
                assert not cancellation.cancelled

    return work


def test_steps_go_round() -> None:
    """A thread with more to do than others waits for one step of each, and goes on alone when they have ended."""
    turns = Turns()
    order: list[str] = []
    with turns.turn():
        threads = []
        for name, count in (("a", 4), ("b", 2), ("c", 1)):
            threads.append(begun(steps(turns, name, count, order)))
            until(lambda: turns.waiting == len(threads))
    for thread in threads:
        thread.join(PATIENCE)

    assert "".join(order) == "abcabaa"
    assert turns.are_free


def test_a_newcomer_waits_for_one_step() -> None:
    """A thread that comes while another runs is let in at the other's next step, however many that has left."""
    turns = Turns()
    order: list[str] = []
    cancellation = SteppedCancellation(CancelToken(), turns)
    with turns.turn():
        for step in range(100):
            order.append("long")
            if step == 10:
                begun(steps(turns, "short", 1, order))
                until(lambda: turns.waiting == 1)
            assert not cancellation.cancelled

    assert order.index("short") == 11
    assert len(order) == 101


def test_one_thread_runs_at_a_time() -> None:
    """Between two reads of its cancellation a thread is never interrupted by another that has the turn."""
    turns, inside, most = Turns(), [], []

    def work() -> None:
        cancellation = SteppedCancellation(CancelToken(), turns)
        with turns.turn():
            for _ in range(200):
                inside.append(1)
                time.sleep(0)  # other threads may run here, and have not got the turn
                most.append(len(inside))
                inside.pop()
                assert not cancellation.cancelled

    threads = [begun(work) for _ in range(4)]
    for thread in threads:
        thread.join(PATIENCE)

    assert len(most) == 800
    assert set(most) == {1}


def test_long_work_outside_keeps_nobody_waiting() -> None:
    """While a thread works outside of the turns another has the turn; afterwards the thread waits for its own."""
    turns = Turns()
    order: list[str] = []
    with turns.turn():
        with turns.outside():
            begun(steps(turns, "other", 3, order)).join(PATIENCE)
            assert order == ["other"] * 3
        assert not turns.are_free


def test_a_failure_hands_the_turn_on() -> None:
    """An exception in the middle of the work keeps nobody else from working."""
    turns = Turns()
    order: list[str] = []
    try:
        with turns.turn():
            raise ValueError
    except ValueError:
        pass
    begun(steps(turns, "next", 1, order)).join(PATIENCE)

    assert order == ["next"]


def test_a_cancellation_is_seen_at_the_next_step() -> None:
    """The flag that decoding reads is that of the request."""
    token, turns = CancelToken(), Turns()
    cancellation = SteppedCancellation(token, turns)
    with turns.turn():
        assert not cancellation.cancelled
        token.cancel()
        assert cancellation.cancelled
