"""The life of a host: it stays for its windows, and as long after the last one as that one's settings say."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.completer.host.served import MINE, PATIENCE, NumberProposer, Served, ask, is_of, until

from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.remote import RemoteCompleter
from dovetail.model.error import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterator

LONG = replace(MINE, host_idle=1000.0)


@pytest.fixture(name="served")
def _served() -> Iterator[Served]:
    model = NumberProposer()
    served = Served(lambda *_: model)
    yield served
    served.close()


def test_a_host_ends_with_its_last_window(served: Served) -> None:
    """With `host.idle` 0 the host ends when the last of several windows goes, and not before."""
    first, second = served.window(), served.window()
    first.abandon()
    until(lambda: served.host.status()["windows"] == 1)
    assert is_of(ask(second, "B"), "B")

    second.abandon()

    assert served.ended()


def test_a_host_waits_for_the_next_window(served: Served) -> None:
    """With a longer `host.idle` a window that comes later finds the host with its model."""
    served.window(LONG).abandon()
    until(lambda: served.host.status()["windows"] == 0)

    assert is_of(ask(served.window(LONG), "A"), "A")
    assert served.thread.is_alive()


def test_the_window_that_goes_last_says_how_long(served: Served) -> None:
    """Windows may have different settings: those of the last one count."""
    patient, hasty = served.window(LONG), served.window(MINE)
    patient.abandon()
    until(lambda: served.host.status()["windows"] == 1)

    hasty.abandon()

    assert served.ended()


def test_a_model_that_is_not_wanted_any_more_is_not_kept(served: Served) -> None:
    """A window that takes up another process leaves nothing behind, whatever `host.idle` says."""
    window = served.window(LONG)

    window._end()

    assert served.ended()


def test_a_model_that_others_use_is_kept(served: Served) -> None:
    """A window that takes up another process takes the model from nobody."""
    first, second = served.window(LONG), served.window(LONG)
    first._end()
    until(lambda: served.host.status()["windows"] == 1)

    assert is_of(ask(second, "B"), "B")


def test_room_is_made_by_hosts_without_windows_alone(served: Served) -> None:
    """A host that somebody uses does not end for another model's sake, and one that nobody uses does."""
    window = served.window(LONG)
    served.host.make_room()
    assert is_of(ask(window, "A"), "A")
    window.abandon()
    until(lambda: served.host.status()["windows"] == 0)

    served.host.make_room()

    assert served.ended()


def test_a_question_about_the_state_is_no_window(served: Served) -> None:
    """`dovetail doctor` is answered at once, and keeps no host alive."""
    window = served.window()
    asking = served.folder.connect(served.files)
    assert asking is not None
    with asking:
        window.abandon()
        until(lambda: served.host.status()["windows"] == 0)
    assert served.ended()


def test_a_window_of_another_version_is_refused() -> None:
    """It takes a process of its own, and the host that nobody can use ends."""
    served = Served(lambda *_: NumberProposer(), build="another version")
    window = RemoteCompleter(["false"], hosts=served)  # type: ignore[arg-type]

    window.load(replace(MINE, fallbacks=()), CancelToken())

    assert not window.shares
    assert window.notice is not None, "the process of its own, which ends at once here, was tried"
    assert served.ended()
    served.close()


def test_a_host_that_loads_for_nobody_ends() -> None:
    """A window that gives up a loading ends a host that has no model yet and no other window, though it may hang."""
    began, going = threading.Event(), threading.Event()

    def hang(name: str | None, device: str | None) -> NumberProposer:
        began.set()
        assert going.wait(PATIENCE)
        return NumberProposer()

    served = Served(hang)
    window = RemoteCompleter(hosts=served)  # type: ignore[arg-type]
    token = CancelToken()
    loading = threading.Thread(target=window.load, args=(LONG, token), daemon=True)
    loading.start()
    assert began.wait(PATIENCE)

    token.cancel()

    loading.join(PATIENCE)
    assert served.ended()
    going.set()
    served.close()


def test_a_mistake_of_one_window_is_no_end_for_others() -> None:
    """A model that cannot be loaded is said to the window that wants it; the host takes further windows."""
    tries: list[int] = []

    def load(name: str | None, device: str | None) -> NumberProposer:
        tries.append(1)
        if len(tries) == 1:
            raise ModelError("There is no folder x: name one that exists.")
        return NumberProposer()

    served = Served(load)
    first = RemoteCompleter(hosts=served)  # type: ignore[arg-type]
    assert first.load(LONG, CancelToken()) == "There is no folder x: name one that exists."

    assert is_of(ask(served.window(LONG), "B"), "B")
    first.abandon()
    served.close()
