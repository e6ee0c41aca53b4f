"""The completer that asks a team's host: the same texts as here, few bytes, and the local model while it is away."""

from __future__ import annotations

import hashlib
import random
import ssl
import threading
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pytest
from tests.completer.team.lying_process import LyingProcess
from tests.completer.team.relay import relayed
from tests.completer.team.team_window import LEFT, PATIENCE, RIGHT, URI, TeamWindow, settings
from tests.decoding.scripted_proposer import ScriptedProposer
from tests.team.certificate import needs_openssl, self_signed
from tests.team.scripted_process import ScriptedProcess
from tests.team.served import served
from tests.team.threaded_replica import ThreadedReplica, following, over

from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.local import LocalCompleter
from dovetail.completer.snapshot import Snapshot
from dovetail.decoding.repository import ProjectContext
from dovetail.team.configuration import TeamConfiguration
from dovetail.team.keys import KeyHolder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from dovetail.completer.connection import ModelConnection

HOST = TeamConfiguration(port=0, most_seconds=600)


def holder(name: str, per_minute: int = 600) -> KeyHolder:
    """Return the holder of a key that is its name."""
    return KeyHolder(name, hashlib.sha256(name.encode()).hexdigest(), per_minute=per_minute)


def wild() -> ScriptedProposer:
    """Return a model that writes numbers and commas, and much that does not fit; the same after the same text."""

    def rank(_: ScriptedProposer, written: bytes) -> list[int]:
        chance = random.Random(written)
        return [*chance.sample(b"0123456789,]}", 13), *chance.sample(range(32), 32), ord(" ")]

    return ScriptedProposer(rank=rank, window=4096)


def lines(count: int) -> str:
    """Return a left text of many lines of half a kilobyte."""
    return "{\n" + "".join(f'"{number}": "{"x" * 500}",\n' for number in range(count)) + '"sizes": [10, '


def test_texts_are_those_of_a_completer_here() -> None:
    """While a document is edited, the host gives the texts that the same model gives in this process."""
    here = LocalCompleter(lambda *_: wild())
    here.load(settings(None))
    chance = random.Random(7)
    document = Snapshot(URI, "json", 1, LEFT + RIGHT)
    with served(HOST, over(wild)) as address:
        window = TeamWindow(address)
        offered = 0
        for version in range(2, 14):
            place = chance.choice([len(LEFT), document.text.index("[") + 1])
            put = f"{version}, "
            text = document.text[:place] + put + document.text[place:]
            document = replace(document.edited(text, [(place, place, put)]), version=version)
            offset = text.index("]")
            there = window.ask(document, offset)
            assert there.texts == here.complete(document, offset, CancelToken()).texts
            offered += len(there.texts)
            several = window.completer.candidates(document, offset, CancelToken())
            assert several.texts == here.candidates(document, offset, CancelToken()).texts
        window.completer.abandon()
    assert offered


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        (["]", "11", "11]]"], ("11",)),
        (["11, ]} ["], ()),
        (["9" * 200_000], ()),
    ],
)
def test_a_text_that_does_not_fit_is_not_shown(sent: list[str], shown: tuple[str, ...]) -> None:
    """Of the texts that a host sends only those that fit come to the editor; without any the answer says why."""
    with served(HOST, partial(LyingProcess, sent)) as address:
        window = TeamWindow(address)
        for document in (Snapshot(URI, "json", 1, LEFT + RIGHT), Snapshot(URI, "json", 2, f" {LEFT}{RIGHT}")):
            answer = window.ask(document, document.text.index("]"))
            assert (answer.texts, answer.unchecked) == (shown, False)
            assert shown or answer.reason == "the team's host sent a text that does not fit here"
        window.completer.abandon()


def test_documents_travel_as_edits() -> None:
    """A document of a megabyte is sent once; a key in it costs some hundred bytes."""
    long = lines(1_900)
    document = Snapshot(URI, "json", 1, long + RIGHT)
    with served(HOST, over(lambda: following(b"123"))) as address, relayed(address) as relay:
        window = TeamWindow(relay.address)
        assert window.ask(document, len(long)).texts == ("123",)
        first = relay.sent
        assert first > 900_000
        edited = document.edited(f"{long}7{RIGHT}", [(len(long), len(long), "7")])
        assert window.ask(replace(edited, version=2), len(long) + 1).texts
        assert relay.sent - first < 1_000
        window.completer.abandon()


def test_a_host_that_is_away_at_the_start() -> None:
    """The local model completes, the user is told why, and the host is taken as soon as it answers."""
    with served(HOST, over(lambda: following(b"123"))) as address, relayed(address) as relay:
        relay.cut()
        window = TeamWindow(relay.address)
        assert window.ask().texts == ("local",)
        assert window.completer.model == "scripted"
        place = relay.address.removeprefix("http://")
        assert f"host at {place} cannot be reached" in (window.completer.notice or "")
        assert "the local model completes until it answers." in (window.completer.notice or "")
        relay.resume()
        window.recover()
        assert window.completer.notice is None
        assert place in (window.completer.remark or "")
        assert window.ask().texts == ("123",)
        window.completer.abandon()


def test_a_host_that_goes_and_comes_back() -> None:
    """A request that meets the end of the host has no text and raises nothing; then as above."""
    with served(HOST, over(lambda: following(b"123"))) as address, relayed(address) as relay:
        window = TeamWindow(relay.address)
        assert window.ask().texts == ("123",)
        assert window.local.loads == []
        for _ in range(2):
            relay.cut()
            answer = window.ask(Snapshot(URI, "json", 2, LEFT + RIGHT))
            assert (answer.texts, "away" in answer.reason) == ((), True)
            window.recover()
            assert window.ask().texts == ("local",)
            relay.resume()
            window.recover()
            assert window.ask().texts == ("123",)
        window.completer.abandon()


def test_a_replica_that_ends() -> None:
    """The process that holds the session is replaced; its documents are sent again, and the user sees no fault."""
    started: list[ThreadedReplica] = []

    def begin(lost: Callable[[], None]) -> ModelConnection:
        started.append(ThreadedReplica(lost, lambda: following(b"123")))
        return started[-1]

    with served(HOST, begin) as address:
        window = TeamWindow(address)
        document = Snapshot(URI, "json", 1, LEFT + RIGHT)
        assert window.ask(document).texts == ("123",)
        ScriptedProcess.of(started[-1].identity).kill()
        after = document.edited(f"{LEFT}7, {RIGHT}", [(len(LEFT), len(LEFT), "7, ")])
        assert window.ask(after, len(LEFT) + 3).texts == ("123",)
        assert len(started) == 2
        assert window.completer.notice is None
        window.completer.abandon()


def test_a_key_that_is_not_known() -> None:
    """The user is told which key is wrong and where it is set; the local model completes."""
    with served(replace(HOST, keys=(holder("alice"),)), over(lambda: following(b"123"))) as address:
        for key in ("eve", ""):
            window = TeamWindow(address, key)
            assert window.ask().texts == ("local",)
            assert "did not take the key: set DOVETAIL_TEAM_KEY" in (window.completer.notice or "")
            window.completer.abandon()
        window = TeamWindow(address, "alice")
        assert window.ask().texts == ("123",)
        window.completer.abandon()


def test_a_key_that_is_used_up() -> None:
    """Beyond the limits of the key nothing is offered, the user is told, and the host stays the one to ask."""
    with served(replace(HOST, keys=(holder("alice", 3),)), over(lambda: following(b"123"))) as address:
        window = TeamWindow(address, "alice")
        answers = [window.ask() for _ in range(4)]
        assert answers[0].texts == ("123",)
        assert "requests a minute" in answers[-1].reason
        assert "refused a request" in (window.completer.notice or "")
        assert window.local.loads == []
        window.completer.abandon()


@needs_openssl
def test_a_certificate_that_is_not_trusted(tmp_path: Path) -> None:
    """No text and no key goes to a host whose certificate nobody vouches for."""
    certificate, key = self_signed(tmp_path)
    configuration = replace(HOST, certificate=certificate, certificate_key=key)
    with served(configuration, over(lambda: following(b"123"))) as address:
        window = TeamWindow(address)
        assert window.ask().texts == ("local",)
        assert "certificate" in (window.completer.notice or "").lower()
        window.completer.abandon()
        window = TeamWindow(address, trusted=ssl.create_default_context(cafile=str(certificate)))
        assert window.ask().texts == ("123",)
        window.completer.abandon()


def test_two_keys_have_documents_apart() -> None:
    """Two users with the same file open each get texts for their own, whatever the other types."""
    keys = tuple(map(holder, ("alice", "bob")))
    with served(replace(HOST, keys=keys), over(wild)) as address:
        windows = [TeamWindow(address, key) for key in ("alice", "bob")]
        here = LocalCompleter(lambda *_: wild())
        here.load(settings(None))
        for version in range(1, 5):
            for number, window in enumerate(windows):
                left = LEFT + f"{number}, " * version
                document = Snapshot(URI, "json", version, left + RIGHT)
                assert window.ask(document, len(left)).texts == here.complete(document, len(left), CancelToken()).texts
        for window in windows:
            window.completer.abandon()


def test_a_request_that_is_taken_back() -> None:
    """The work ends at the host, down to the decoder, and the next request goes on from what the host has."""
    begun, cancelled = threading.Event(), threading.Event()

    def step(written: bytes) -> None:
        if len(written) == 2 and not cancelled.is_set():
            begun.set()
            assert cancelled.wait(PATIENCE)

    with served(HOST, over(lambda: following(b"123", step), cancelled.set)) as address, relayed(address) as relay:
        window = TeamWindow(relay.address)
        long = lines(40)
        document = Snapshot(URI, "json", 1, long + RIGHT)
        window.completer.read_on(document, len(long))
        token = CancelToken()
        threading.Thread(target=lambda: (begun.wait(PATIENCE), token.cancel())).start()
        edited = document.edited(f"{long}7, {RIGHT}", [(len(long), len(long), "7, ")])
        assert window.completer.complete(edited, len(long) + 3, token).texts == ()
        assert cancelled.wait(PATIENCE)
        before = relay.sent
        again = edited.edited(f"{long}7, 8, {RIGHT}", [(len(long) + 3, len(long) + 3, "8, ")])
        assert window.ask(again, len(long) + 6).texts == ("123",)
        assert relay.sent - before < 1_000
        assert window.completer.notice is None
        window.completer.abandon()


def test_the_rest_of_a_text_needs_no_question() -> None:
    """A user who types on into a text is shown its rest without a request, until text or document is another."""
    with served(HOST, over(lambda: following(b"123"))) as address, relayed(address) as relay:
        window = TeamWindow(relay.address)
        assert window.ask().texts == ("123",)
        before = relay.sent
        typed = Snapshot(URI, "json", 2, f"{LEFT}1{RIGHT}")
        assert window.completer.recall(typed, len(LEFT) + 1).texts == ("23",)
        other = Snapshot(URI, "json", 3, f"{LEFT}2{RIGHT}")
        assert window.completer.recall(other, len(LEFT) + 1).texts == ()
        assert relay.sent == before
        window.completer.forget(URI)
        assert window.completer.recall(typed, len(LEFT) + 1).texts == ()
        window.completer.abandon()


def test_without_a_host_nothing_changes() -> None:
    """Without the setting, and when it is taken away, every question goes to the local completer."""
    with served(HOST, over(lambda: following(b"123"))) as address:
        window = TeamWindow(address)
        assert window.ask().texts == ("123",)
        assert window.completer.load(settings(None), CancelToken()) is None
        assert window.ask().texts == ("local",)
        assert window.completer.notice is None
        window.address = "ftp://example.org"
        assert "is no address of a team's host" in (window.load() or "")
        assert window.ask().texts == ("local",)
        assert window.local.settings is not None
        assert window.local.settings.team_host is None


def test_texts_that_no_prompt_shows_stay_here() -> None:
    """Of other files a host is sent what a prompt may show; what only n-grams on this machine read is not sent."""
    with served(HOST, over(wild)) as address, relayed(address) as relay:
        window = TeamWindow(relay.address)
        window.ask()
        before = relay.sent
        project = ProjectContext("sizes.json", "shop", open_texts=("x" * 500_000,), workspace_texts=("y" * 500_000,))
        document = Snapshot(URI, "json", 2, LEFT + "7, " + RIGHT)
        window.completer.complete(document, len(LEFT) + 3, CancelToken(), project=project)
        assert relay.sent > before
        window.completer.candidates(document, len(LEFT) + 3, CancelToken(), project=project)
        assert relay.sent - before < 100_000
        window.completer.abandon()
