"""A host that is renewed while it runs: other replicas, another model and other keys, and no request is lost."""

from __future__ import annotations

import asyncio
import hashlib
import http.client
import json
from contextlib import closing
from dataclasses import replace
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import pytest
from tests.team.scripted_process import ScriptedProcess
from tests.team.served import served
from tests.team.test_local_team import ALICE, team, until, write

from dovetail.team.configuration import TeamConfiguration, TeamConfigurationError
from dovetail.team.keys import KeyHolder
from dovetail.team.replica import CannotLoadError, ReplicaLoad, ReplicaLostError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

LOAD = ReplicaLoad(None, ())


async def test_replicas_are_exchanged(tmp_path: Path) -> None:
    """A process ends after the request that it is asked, those who wait are answered by the next one."""
    go_on = tmp_path / "go"
    async with team(2) as made:
        before = [replica.process for replica in made.replicas]
        first = asyncio.ensure_future(write(made, f"wait {go_on}"))
        await until(lambda: made.state().waiting == 1)
        exchanging = asyncio.ensure_future(made.exchange(LOAD))
        others = [asyncio.ensure_future(write(made, str(number))) for number in range(4)]
        go_on.touch()
        assert await exchanging == "scripted"

        assert (await first).split("|")[1] in {str(number) for number in before}
        assert [(await each).split("|")[0] for each in others] == ["0", "1", "2", "3"]
        assert not {replica.process for replica in made.replicas} & {*before}
        assert (await write(made, "x", ALICE)).startswith("x|")
        assert made.state().restarts == 0


@pytest.mark.parametrize(("model", "error"), [("wrong", CannotLoadError), ("deadly", ReplicaLostError)])
async def test_a_model_that_cannot_be_loaded(model: str, error: type[Exception]) -> None:
    """The processes that are there go on, and can be exchanged for others later."""
    async with team(2) as made:
        before = [replica.process for replica in made.replicas]
        with pytest.raises(error):
            await made.exchange(ReplicaLoad(model, ()))
        assert [replica.process for replica in made.replicas] == before
        assert made.state().ready == 2
        assert (await write(made, "x")).startswith("x|")
        await made.exchange(LOAD)
        assert (await write(made, "y")).startswith("y|")


async def test_a_process_that_ends_while_it_is_exchanged() -> None:
    """A process that is killed while another is loaded in its place is followed by that one alone."""
    async with team() as made:
        exchanging = asyncio.ensure_future(made.exchange(LOAD))
        ScriptedProcess.of(made.replicas[0].process).kill()
        await exchanging
        now = made.replicas[0].process
        assert (await write(made, "x")).split("|")[1] == str(now)
        await until(lambda: made.replicas[0]._task is None or made.replicas[0]._task.done())
        assert made.replicas[0].process == now
        ScriptedProcess.of(now).kill()
        await until(lambda: made.replicas[0].process != now)
        assert (await write(made, "y")).startswith("y|")


def holder(name: str) -> KeyHolder:
    """Return the holder of a key that is its name."""
    return KeyHolder(name, hashlib.sha256(name.encode()).hexdigest())


def ask(address: str, key: str, path: str = "/infill") -> tuple[int, Any]:
    """Return status and JSON of an answer."""
    with closing(http.client.HTTPConnection(address.removeprefix("http://"), timeout=120)) as made:
        made.request("POST", path, json.dumps({"input_prefix": "x"}).encode(), {"x-api-key": key})
        answer = made.getresponse()
        return answer.status, json.loads(answer.read())


def test_the_file_is_read_again() -> None:
    """Keys and model are those of the file from then on, a mistake in it changes nothing, and each is told."""
    began = TeamConfiguration(port=0, keys=(holder("alice"),))
    another = replace(began, keys=(holder("bob"),), port=1)
    files: Iterator[TeamConfiguration | None] = iter([another, None, began])
    told: SimpleQueue[str] = SimpleQueue()
    renewing: list[Callable[[], None]] = []

    def read() -> TeamConfiguration:
        found = next(files)
        if found is None:
            raise TeamConfigurationError("No such key.")
        return found

    with served(began, told=told.put, read=read, renewing=renewing) as address:
        assert "completes at" in told.get(timeout=120)
        assert [ask(address, key)[0] for key in ("alice", "bob")] == [200, 401]
        renewing[0]()
        assert told.get(timeout=120) == (
            "The host was renewed, and completes with the model scripted; `port` will be taken when the host is begun "
            "again."
        )
        assert [ask(address, key)[0] for key in ("alice", "bob")] == [401, 200]
        renewing[0]()
        assert told.get(timeout=120) == "The host goes on as it was: No such key."
        assert [ask(address, key)[0] for key in ("alice", "bob")] == [401, 200]
        renewing[0]()
        assert told.get(timeout=120) == "The host was renewed, and completes with the model scripted."
        assert [ask(address, key)[0] for key in ("alice", "bob")] == [200, 401]
