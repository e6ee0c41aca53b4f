"""The door of sessions over a real host, whose model is scripted."""

from __future__ import annotations

import hashlib
import json
import threading
from contextlib import closing
from typing import TYPE_CHECKING, Any

from tests.team.served import served
from tests.team.session_requests import EAGER, LEFT, RIGHT, completing, edited, whole
from tests.team.test_serving import ask, connection
from tests.team.threaded_replica import following, over

from dovetail.completer.team.messages import SESSION_PATH
from dovetail.completer.wire import to_plain
from dovetail.team.configuration import TeamConfiguration
from dovetail.team.keys import KeyHolder

if TYPE_CHECKING:
    from pathlib import Path

    from dovetail.completer.team.messages import SessionRequest

HOLDERS = tuple(KeyHolder(name, hashlib.sha256(name.encode()).hexdigest()) for name in ("alice", "bob"))


def door(address: str, asked: SessionRequest, key: str = "alice") -> tuple[int, Any]:
    """Return status and answer of a request of a session."""
    return ask(address, to_plain(asked), key, SESSION_PATH)


def test_keys_and_audit(tmp_path: Path) -> None:
    """Without a key there is no session, with another key none of its documents, and in the log no text."""
    audit = tmp_path / "audit"
    begin = over(lambda: following(b"123"))
    with served(TeamConfiguration(port=0, most_seconds=600, keys=HOLDERS, audit=audit), begin) as address:
        assert door(address, completing(whole(), settings=EAGER), "eve")[0] == 401
        status, found = door(address, completing(whole(), settings=EAGER))
        assert (status, found["result"]["texts"]) == (200, ["123"])
        assert door(address, completing(edited(1, 2)), "bob") == (200, {"lost": "session"})
        assert door(address, completing(edited(1, 2)))[1]["result"]["texts"] == ["123"]
        assert ask(address, {"operation": "explain"}, "alice", SESSION_PATH)[0] == 400
    lines = [json.loads(line) for line in audit.read_text("utf-8").splitlines()]
    assert [line["status"] for line in lines] == [401, 200, 200, 200, 400]
    assert [line["left"] for line in lines] == [0, len(LEFT + RIGHT), 0, 0, 0]
    assert {line["door"] for line in lines} == {SESSION_PATH}
    assert "sizes" not in audit.read_text("utf-8")


def test_a_session_stays_at_its_replica() -> None:
    """All requests of a session meet the replica that has its documents; several sessions meet both."""
    models = [following(b"123"), following(b"123")]
    left = iter(models)
    with served(TeamConfiguration(port=0, replicas=2, most_seconds=600), over(lambda: next(left))) as address:
        for session in map(str, range(8)):
            assert "result" in door(address, completing(whole(), session=session, settings=EAGER))[1]
        for session in map(str, range(8)):
            change = edited(1, 2, (len(LEFT), len(LEFT), "7, "))
            found = door(address, completing(change, session=session, offset=len(LEFT) + 3))[1]
            assert found["result"]["texts"] == ["123"]
    assert sum(len(model.prompts) for model in models) == 16
    assert all(model.prompts for model in models)


def test_a_document_larger_than_a_window() -> None:
    """A whole document may be larger than other bodies, and is bounded all the same."""
    with served(TeamConfiguration(port=0, most_kilobytes=1), over(lambda: following(b"123"))) as address:
        for size, status in ((3_000, 200), (5_000, 413)):
            text = f"{LEFT}{'1, ' * (size // 3)}"
            assert door(address, completing(whole(text=text + RIGHT), settings=EAGER, offset=len(text)))[0] == status


def test_a_client_that_goes_is_noticed() -> None:
    """A closed connection ends the work on its request, down to the decoder, and the session goes on from before."""
    begun, cancelled = threading.Event(), threading.Event()

    def step(written: bytes) -> None:
        if len(written) == 2 and not cancelled.is_set():
            begun.set()
            assert cancelled.wait(60)

    model = following(b"1" * 400, step)
    given = {**EAGER, "max_tokens": 256}
    begin = over(lambda: model, cancelled.set)
    with served(TeamConfiguration(port=0, most_seconds=600), begin) as address:
        with closing(connection(address)) as made:
            made.request("POST", SESSION_PATH, json.dumps(to_plain(completing(whole(), settings=given))).encode())
            assert begun.wait(60)
        assert cancelled.wait(60)
        found = door(address, completing(whole(2)))[1]["result"]
        assert len(found["texts"][0]) == 256
        steps = len(model.asked)
        door(address, completing(whole(3, '{"other": [' + RIGHT), offset=11))
        assert steps < 2 * (len(model.asked) - steps)
