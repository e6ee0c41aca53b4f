"""`dovetail host`: what it says of shared processes, and how it ends them."""

from __future__ import annotations

import json
import os
import signal
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.faults.shared_host import command, remove

from dovetail.__main__ import main
from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.host import finder
from dovetail.completer.host.finder import HostFinder
from dovetail.completer.host.folder import FOLDER_VARIABLE
from dovetail.completer.remote import RemoteCompleter
from dovetail.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTINGS = Settings(model="well", host_shared=True, host_idle=5.0)


@pytest.fixture(name="place")
def _place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder for scripted hosts; all of them end after the test."""
    place = Path(tempfile.mkdtemp(prefix="dt"))  # the path of a socket has to be short
    monkeypatch.setenv(FOLDER_VARIABLE, str(place / "hosts"))
    yield place
    for _, status in HostFinder().status():
        if status is not None:
            with suppress(ProcessLookupError):
                os.kill(status.process, signal.SIGKILL)
    remove(place)


def window(place: Path, settings: Settings = SETTINGS) -> RemoteCompleter:
    """Return a window that has the model of a host."""
    completer = RemoteCompleter(["false"], HostFinder(command=command(place)))
    assert completer.load(settings, CancelToken()) is None
    assert completer.shares
    return completer


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    """Return the exit code and what is said of each host."""
    code = main(["host", "--json", *arguments])
    return code, json.loads(capsys.readouterr().out)["hosts"]


def test_without_hosts_that_is_said(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence, and all is well, also where there is nothing to end."""
    assert main(["host"]) == main(["host", "--stop"]) == 0

    assert (
        capsys.readouterr().out.splitlines()
        == ["No shared process runs: the first window that wants a model starts one."] * 2
    )
    assert told(capsys) == (0, [])


def test_a_folder_that_others_can_enter_is_named(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command and `dovetail doctor` say why windows cannot share."""
    (place / "hosts").mkdir(mode=0o755)
    (place / "hosts").chmod(0o755)

    assert main(["host"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("No windows share a process here: ")
    assert str(place / "hosts") in said
    assert "each window has a process of its own" in host_finding(capsys)["text"]


def host_finding(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Return what `dovetail doctor` finds about the host."""
    main(["doctor", "--json", "--model", "/no/such/model"])
    [finding] = [each for each in json.loads(capsys.readouterr().out)["findings"] if each["name"] == "host"]
    return dict(finding)


def test_a_host_is_described(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Process, model, memory and windows are those of the host; `dovetail doctor` says the same sentence."""
    first, second = window(place), window(place)

    code, [host] = told(capsys)
    assert (code, host["answers"], host["model"], host["windows"]) == (0, True, "well", 2)
    assert host["process"] == first.process == second.process
    assert host["ends_in"] is None
    assert main(["host"]) == 0
    sentence = capsys.readouterr().out.strip()
    assert sentence.startswith(f"Process {first.process} holds the model well")
    assert sentence.endswith(" for 2 windows.")
    finding = host_finding(capsys)
    assert finding["well"]
    assert finding["text"].endswith(" for 2 windows.")
    for completer in (first, second):
        completer.abandon()


def test_a_host_without_windows_says_when_it_ends(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """After the last window has gone, the time is counted down that the window's settings gave."""
    window(place, replace(SETTINGS, host_idle=7.0)).abandon()
    while (host := told(capsys)[1][0])["windows"]:
        pass

    assert 0 < host["ends_in"] <= 420
    main(["host"])
    assert " for no window; it ends in " in capsys.readouterr().out


def test_hosts_are_ended(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Afterwards no host runs, and what stood in its folder for it has gone with it or means nothing."""
    process = window(place).process
    assert process is not None

    assert main(["host", "--stop"]) == 0

    said = capsys.readouterr().out
    assert said == f"Process {process} has ended; 1 window will start another.\n"
    assert told(capsys) == (0, [])


def test_a_host_that_does_not_answer_is_killed(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said that it does not answer, with the remedy, which ends it."""
    monkeypatch.setattr(finder, "_ANSWERING", 0.2)
    completer = window(place)
    process = completer.process
    assert process is not None
    os.kill(process, signal.SIGSTOP)

    assert main(["host"]) == 1
    assert "does not answer: `dovetail host --stop` ends it." in capsys.readouterr().out
    assert main(["host", "--stop"]) == 0
    assert "did not answer, and was killed." in capsys.readouterr().out

    assert told(capsys) == (0, [])
    completer.abandon()
