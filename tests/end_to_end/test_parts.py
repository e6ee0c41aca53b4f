"""Runs of the parts of the end-to-end tests."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.end_to_end.__main__ import main
from tests.end_to_end.parts import Outcome, Part, perform, run

if TYPE_CHECKING:
    from pathlib import Path

    from tests.end_to_end.parts import Command


def python(code: str) -> Command:
    """Return the command that runs some Python."""
    return (sys.executable, "-c", code)


def part(tmp_path: Path, body: str, **others: Any) -> Part:
    """Return a part with one file, which is run with `body` of Python; `file` is its path there."""
    file = tmp_path / "some.test"
    file.write_text("")
    return Part("here", (file,), python(f"import sys; file = sys.argv[1]\n{body}"), **others)


def lines(some: Part) -> tuple[bool, list[str], list[str]]:
    """Perform a part; return whether it failed, what was said at its beginnings, and its sentences."""
    said: list[str] = []
    outcome = perform(some, said.append)
    return outcome.failed, said, list(outcome.sentences)


def test_a_file_that_passes_is_run_once(tmp_path: Path) -> None:
    """It is said to have passed, without a notice."""
    failed, said, (sentence,) = lines(part(tmp_path, "open(file, 'a').write('x')"))

    assert not failed
    assert (tmp_path / "some.test").read_text() == "x"
    assert said == ["here, some.test"]
    assert sentence.startswith("here, some.test passed in ")
    assert "NOTICE" not in sentence


def test_a_file_that_fails_once_passes_with_a_notice(tmp_path: Path) -> None:
    """The second run is said while it begins, and in the end."""
    failed, said, (sentence,) = lines(
        part(tmp_path, "seen = open(file).read(); open(file, 'a').write('x'); sys.exit(not seen)")
    )

    assert not failed
    assert said[-1] == "here, some.test: once more, because it failed"
    assert "NOTICE" in sentence


def test_a_file_that_fails_twice_has_failed(tmp_path: Path) -> None:
    """It is not run a third time."""
    failed, _, (sentence,) = lines(part(tmp_path, "open(file, 'a').write('x'); sys.exit(3)"))

    assert failed
    assert (tmp_path / "some.test").read_text() == "xx"
    assert sentence == "here, some.test FAILED."


def test_what_cannot_be_fetched_is_said_and_fails_nothing(tmp_path: Path) -> None:
    """The sentence has the fetcher's last line; a fetcher that does not exist is like one that fails."""
    refused = python("print('Trying.\\nThere is no network.'); import sys; sys.exit(1)")
    for fetcher, reason in ((refused, "There is no network."), (("no-such-program",), "no-such-program")):
        failed, _, (sentence,) = lines(part(tmp_path, "sys.exit(1)", fetch=(fetcher,)))

        assert not failed
        assert sentence.startswith("here was left out, because what it needs could not be had: ")
        assert reason in sentence


def test_what_cannot_be_built_has_failed(tmp_path: Path) -> None:
    """Unlike a package of others, our own has to be there; no test is run without it."""
    failed, _, (sentence,) = lines(part(tmp_path, "open(file, 'a').write('x')", build=(python("raise SystemExit(2)"),)))

    assert failed
    assert sentence.endswith("ended with 2.")
    assert (tmp_path / "some.test").read_text() == ""


def test_a_command_whose_time_is_over_is_ended_with_what_it_started(tmp_path: Path) -> None:
    """Its child does not outlive it: the lock that the child holds is free again."""
    lock = tmp_path / "lock"
    child = f"import fcntl, time; file = open({str(lock)!r}, 'w'); fcntl.flock(file, fcntl.LOCK_EX); time.sleep(600)"
    parent = f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {child!r}]); time.sleep(600)"

    code, reason = run(python(parent), {}, 5.0, captured=True)

    assert code is None
    assert reason == "it took more than 5 s"
    assert locked_afresh(lock)


def locked_afresh(lock: Path) -> bool:
    """Return whether a lock can be had; waits for a process that is ending."""
    code, _ = run(("flock", "--timeout", "60", str(lock), "true"), {}, 120.0)
    return code == 0


def test_all_parts_are_run_where_none_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And those that are named, where some are; an unknown one is a mistake, and said to be."""
    ran: list[str] = []

    def performed(some: Part, say: object) -> Outcome:
        ran.append(some.name)
        return Outcome(failed=some.name == "first", sentences=())

    known = [Part(name, (tmp_path / name,), python("")) for name in ("first", "second")]
    monkeypatch.setattr("tests.end_to_end.__main__.parts", lambda: known)
    monkeypatch.setattr("tests.end_to_end.__main__.perform", performed)

    assert (main([]), main(["second"])) == (1, 0)
    assert ran == ["first", "second", "second"]
    with pytest.raises(SystemExit):
        main(["third"])
