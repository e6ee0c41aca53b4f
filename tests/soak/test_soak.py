"""A short piece of a long day, without any measure of time, and what judges a long one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.soak.record import Record, Request, Sample
from tests.soak.session import soak
from tests.soak.typist import Buffer, Edit
from tests.soak.validity import fault_of

if TYPE_CHECKING:
    from collections.abc import Callable

STEPS = 25


async def test_a_short_session_has_no_fault() -> None:
    """Texts agree after every step, suggestions fit, all requests are answered, and the session ends in order."""
    record = await soak(
        lambda record: sum(record.steps.values()) < STEPS, seed=3, rounds=2, max_tokens=4, time_limit=30
    )

    assert record.faults == []
    assert sum(record.steps.values()) >= STEPS
    assert record.asked > 5
    assert len(record.ages) == 2
    assert record.offered == sum(record.checked.values())


async def test_windows_that_share_a_process_have_no_fault() -> None:
    """All of that holds for two windows whose model is in one process, from their first step to their last."""
    record = await soak(
        lambda record: sum(record.steps.values()) < STEPS // 3, seed=3, windows=2, max_tokens=2, time_limit=30
    )

    assert record.faults == []
    assert record.asked > 5
    assert record.offered == sum(record.checked.values())


def recorded(memory: Callable[[int], float], processor: Callable[[int], float]) -> Record:
    """Return the record of an hour in which memory in MB and processor time in seconds are as functions say."""
    record = Record()
    record.samples = [Sample(60.0 * at, int(1e6 * memory(at)), int(1e6 * memory(at))) for at in range(60)]
    record.requests = [Request(0.1, processor(number)) for number in range(400)]
    return record


@pytest.mark.parametrize(
    ("memory", "processor", "complaints"),
    [
        (lambda at: 100 + at % 3, lambda _: 0.1, 0),
        (lambda at: 100 - 60 / (at + 1), lambda _: 0.1, 0),  # it fills, and is full
        (lambda at: 100 + at, lambda _: 0.1, 2),  # a leak, in both processes
        (lambda at: 100.0, lambda number: 0.1 + number / 2000, 1),  # ever slower
    ],
    ids=["flat", "filling", "leaking", "slowing"],
)
def test_what_does_not_hold_is_found(
    memory: Callable[[int], float], processor: Callable[[int], float], complaints: int
) -> None:
    """Memory that rises and requests that take longer are told from noise."""
    assert len(recorded(memory, processor).complaints()) == complaints


def test_suggestions_that_do_not_fit_are_found() -> None:
    """In an intact document, and in one of which a part is left out."""
    assert fault_of("json", "[1, ", "2", "]") is None
    assert fault_of("json", "[1, ", "}", "]") is not None
    assert fault_of("python", "x = (\n\ny = ", "2", "\n") is None
    assert fault_of("python", "x = (\n\ny = ", "2)", "\n") is not None


def test_positions_and_undoing_are_those_of_an_editor() -> None:
    """Columns are UTF-16, line ends of any kind count once, and what was done can be taken back."""
    buffer = Buffer("file:///x.py", "python", "", "a\r\n😀b\rc", 0)

    change = buffer.apply(Edit(4, 5, "xy"))

    start, end = {"line": 1, "character": 2}, {"line": 1, "character": 3}
    assert change == {"range": {"start": start, "end": end}, "text": "xy"}
    assert buffer.text == "a\r\n😀xy\rc"
    assert buffer.place(8) == {"line": 2, "character": 1}
    buffer.apply(buffer.undone.pop(), remember=False)
    assert buffer.text == "a\r\n😀b\rc"
