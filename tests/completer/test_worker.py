"""The model's thread: order, cancellation, and the newest request of a document."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from dovetail.completer.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.completer.cancel_token import CancelToken


@pytest.fixture(name="worker")
def _worker() -> Iterator[Worker]:
    worker = Worker()
    yield worker
    assert worker.stop(10)


class Loop:
    """Work that goes on until it is cancelled, as decoding does."""

    def __init__(self) -> None:
        self.began = threading.Event()
        self.ended = threading.Event()

    def __call__(self, cancellation: CancelToken) -> str:
        self.began.set()
        while not cancellation.cancelled:
            threading.Event().wait(0.001)
        self.ended.set()
        return "too late"


async def happens(event: threading.Event) -> bool:
    return await asyncio.to_thread(event.wait, 10)


async def test_work_is_done_in_the_order_of_asking(worker: Worker) -> None:
    """Pieces of work under different keys run one after the other, on one thread."""
    ran: list[tuple[str, int]] = []

    await asyncio.gather(
        *(worker.ask(key, lambda _, key=key: ran.append((key, threading.get_ident()))) for key in "abc")
    )

    assert [key for key, _ in ran] == ["a", "b", "c"]
    threads = {thread for _, thread in ran}
    assert len(threads) == 1
    assert threading.get_ident() not in threads


async def test_the_newest_of_a_key_wins(worker: Worker) -> None:
    """A newer request stops the running one, which is answered None; the newer one is answered."""
    loop = Loop()
    older = asyncio.create_task(worker.ask("document", loop))
    assert await happens(loop.began)

    newer = await worker.ask("document", lambda _: "new")

    assert newer == "new"
    assert await older is None


async def test_waiting_work_that_is_superseded_never_runs(worker: Worker) -> None:
    """A request that still waits when a newer one comes is answered None without being run."""
    busy = Loop()
    ran: list[str] = []
    blocking = asyncio.create_task(worker.ask("other", busy))
    assert await happens(busy.began)
    older = asyncio.create_task(worker.ask("document", lambda _: ran.append("older")))
    await asyncio.sleep(0)
    newer = asyncio.create_task(worker.ask("document", lambda _: ran.append("newer")))

    assert await older is None
    worker.supersede("other")
    await asyncio.gather(blocking, newer)

    assert ran == ["newer"]


async def test_cancelling_the_asking_stops_the_work(worker: Worker) -> None:
    """The loop reads the cancellation of whoever waits for it."""
    loop = Loop()
    asking = asyncio.create_task(worker.ask("document", loop))
    assert await happens(loop.began)

    asking.cancel()

    with pytest.raises(asyncio.CancelledError):
        await asking
    assert await happens(loop.ended)
    assert await worker.ask("document", lambda _: "next") == "next"


async def test_what_work_raises_reaches_the_asking(worker: Worker) -> None:
    """An exception of the work is raised where it was asked for, and the thread lives on."""

    def fail(_: CancelToken) -> None:
        raise ValueError("defect")

    with pytest.raises(ValueError, match="defect"):
        await worker.ask("document", fail)
    assert await worker.ask("document", lambda _: "next") == "next"


async def test_stopping_cancels_what_runs() -> None:
    """A worker that is stopped cancels its work and ends its thread."""
    worker = Worker()
    loop = Loop()
    asking = asyncio.create_task(worker.ask("document", loop))
    assert await happens(loop.began)

    assert worker.stop(10)

    assert loop.ended.is_set()
    assert await asking is None


async def test_a_thread_that_does_not_end_is_reported() -> None:
    """`stop` says when the work does not heed its cancellation in time."""
    worker = Worker()
    gate = threading.Event()
    began = threading.Event()
    asking = asyncio.create_task(worker.ask("document", lambda _: (began.set(), gate.wait(10))))
    assert await happens(began)

    assert not worker.stop(0)

    gate.set()
    assert worker.stop(10)
    assert await asking is None
