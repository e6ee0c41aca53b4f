"""The team on one machine: its replicas are scripted."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from tests.team.scripted_process import ScriptedProcess

from dovetail.completer.cancel_token import CancelToken
from dovetail.team.doors.window_request import Form, WindowRequest
from dovetail.team.local_team import LocalTeam
from dovetail.team.replica import CannotLoadError, ReplicaLoad, ReplicaLostError
from dovetail.team.team import AwayError, BusyError, Sender

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

ALICE = Sender("alice", "a.py")


@asynccontextmanager
async def team(replicas: int = 1, most_waiting: int = 32) -> AsyncIterator[LocalTeam]:
    """Return a team that has started."""
    made = LocalTeam(ReplicaLoad(None, ()), replicas, most_waiting, ScriptedProcess)
    assert await made.start() == "scripted"
    try:
        yield made
    finally:
        made.stop()


async def write(made: LocalTeam, left: str, sender: Sender = ALICE, cancellation: CancelToken | None = None) -> str:
    """Return the text for a request; empty if there is none."""
    asked = WindowRequest(Form.TEXT, left, "\ud800 right")
    written = await asyncio.wait_for(made.write(asked, sender, cancellation or CancelToken()), 120)
    return "".join(written.texts)


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(120):
        while not is_so():
            await asyncio.sleep(0.005)


async def test_a_document_stays_at_its_replica() -> None:
    """All requests of a document meet one process; several documents meet both, and keys have documents apart."""
    async with team(2) as made:
        names = [Sender("alice", f"{number}.py") for number in range(8)]
        firsts = [await write(made, "x", each) for each in names]
        again = [await write(made, "x", each) for each in names]

        assert firsts == again
        assert firsts[0].endswith("|alice 0.py")
        assert {each.split("|")[1] for each in firsts} == {str(replica.process) for replica in made.replicas}


@pytest.mark.parametrize("replicas", [1, 2])
async def test_a_request_survives_the_end_of_its_process(tmp_path: Path, replicas: int) -> None:
    """A process that dies over a request costs a retry, by the other replica or by the process that follows."""
    async with team(replicas) as made:
        assert (await write(made, f"die once {tmp_path / 'mark'}")).startswith("die once")
        await until(lambda: made.state().ready == replicas)
        assert made.state().restarts == 1


async def test_a_request_that_ends_every_process() -> None:
    """A text over which processes die gets two of them and an answer; others are answered after it."""
    async with team(2) as made:
        with pytest.raises(AwayError, match="Two processes ended"):
            await write(made, "die")
        assert (await write(made, "x")).startswith("x|")
        await until(lambda: made.state().ready == 2)
        assert made.state().restarts == 2


async def test_those_who_wait_are_answered_by_another(tmp_path: Path) -> None:
    """Requests in the queue of a process that is killed are answered all the same."""
    go_on = tmp_path / "go"
    async with team() as made:
        first = asyncio.ensure_future(write(made, f"wait {go_on}"))
        others = [asyncio.ensure_future(write(made, str(number))) for number in range(4)]
        await until(lambda: made.replicas[0].waiting == 5)
        ScriptedProcess.of(made.replicas[0].process).kill()
        await until(lambda: made.state().restarts == 1)
        go_on.touch()  # the first is asked again of the next process
        assert [(await each).split("|")[0] for each in others] == ["0", "1", "2", "3"]
        assert (await first).startswith("wait")


async def test_a_failed_model_gets_a_new_process() -> None:
    """A model that has no memory any more is loaded anew; the request that met it twice gets an answer."""
    async with team() as made:
        before = made.replicas[0].process
        with pytest.raises(AwayError):
            await write(made, "memory")
        await until(lambda: made.state().ready == 1)
        assert made.replicas[0].process != before


async def test_a_defect_costs_one_request() -> None:
    """A request that meets a defect is told so; the process goes on, and is not asked the same again."""
    async with team() as made:
        before = made.replicas[0].process
        with pytest.raises(AwayError, match=r"a defect of Dovetail \(there was ZeroDivisionError\)"):
            await write(made, "defect")
        assert (await write(made, "x")).split("|")[1] == str(before)


async def test_the_queue_is_bounded(tmp_path: Path) -> None:
    """Beyond the number that may wait a request is refused at once; the others are all answered."""
    go_on = tmp_path / "go"
    async with team(most_waiting=3) as made:
        waiting = [asyncio.ensure_future(write(made, f"wait {go_on}"))]
        waiting += [asyncio.ensure_future(write(made, "x")) for _ in range(2)]
        await until(lambda: made.state().waiting == 3)
        with pytest.raises(BusyError):
            await write(made, "y")
        go_on.touch()
        assert all(await asyncio.gather(*waiting))
        assert (await write(made, "y")).startswith("y")
        assert made.state().waiting == 0


async def test_a_client_that_goes_frees_its_place(tmp_path: Path) -> None:
    """A cancelled request ends, whether it is written or waits, and the model is told."""
    async with team() as made:
        gone, waits = CancelToken(), CancelToken()
        first = asyncio.ensure_future(write(made, f"until cancelled {tmp_path / 'begun'}", ALICE, gone))
        await until((tmp_path / "begun").exists)
        second = asyncio.ensure_future(write(made, "x", ALICE, waits))
        await until(lambda: made.state().waiting == 2)
        waits.cancel()
        assert await second == ""
        assert made.state().waiting == 1
        gone.cancel()
        await first
        assert (await write(made, "y")).startswith("y")


async def test_what_cannot_be_loaded_is_told() -> None:
    """A model that is not there is a sentence, a process that dies while it loads a clause."""
    with pytest.raises(CannotLoadError, match="no model `wrong`"):
        await LocalTeam(ReplicaLoad("wrong", ()), 2, begin=ScriptedProcess).start()
    with pytest.raises(ReplicaLostError, match="it was killed"):
        await LocalTeam(ReplicaLoad("deadly", ()), begin=ScriptedProcess).start()
