"""Tests that need programs of others: how one part is fetched, built and run, file by file.

What cannot be fetched (a machine without a network, another system than Debian) is said and fails nothing: it says
nothing about Dovetail. A file that fails is run once more, and it is said that it was: a browser, an editor and a model
on two busy cores are worth a second look.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ROOT = Path(__file__).resolve().parents[2]

Command = tuple[str, ...]

FETCHING = 900.0
"""Seconds that a command has which fetches."""

RUNNING = 1200.0
"""Seconds that a command has which builds, or runs a file of tests."""

_ENDING = 10.0
"""Seconds that a command has to end what it started, when its time is over."""


@dataclass(frozen=True, slots=True)
class Part:
    """The tests with one program."""

    name: str
    files: tuple[Path, ...]
    runner: Command
    """The command line that runs a file, but for the file."""
    fetch: tuple[Command, ...] = ()
    """Commands that install things of others, outside the repository or ignored by it."""
    build: tuple[Command, ...] = ()
    """Commands that build the things of ours that are tested."""
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a part."""

    failed: bool
    sentences: tuple[str, ...]


def perform(part: Part, say: Callable[[str], None]) -> Outcome:
    """Fetch, build and run a part; `say` gets a line at each beginning."""
    for command in part.fetch:
        say(f"{part.name}: {' '.join(command)}")
        code, output = run(command, part.environment, FETCHING, captured=True)
        if code != 0:
            said = (output.strip().splitlines() or [f"exit code {code}"])[-1]
            return Outcome(False, (f"{part.name} was left out, because what it needs could not be had: {said}",))
    for command in part.build:
        say(f"{part.name}: {' '.join(command)}")
        code, _ = run(command, part.environment, RUNNING)
        if code != 0:
            return Outcome(True, (f"{part.name} FAILED: {' '.join(command)} ended with {code}.",))
    failed = False
    sentences = []
    for file in part.files:
        passed, sentence = _attempt(part, file, say)
        failed |= not passed
        sentences.append(sentence)
    return Outcome(failed, tuple(sentences))


def _attempt(part: Part, file: Path, say: Callable[[str], None]) -> tuple[bool, str]:
    """Run a file, twice if it fails; return whether it passed in the end, and the sentence that says so."""
    name = f"{part.name}, {file.name}"
    for again in (False, True):
        say(f"{name}{': once more, because it failed' if again else ''}")
        begun = time.monotonic()
        code, _ = run((*part.runner, str(file)), part.environment, RUNNING)
        if code == 0:
            notice = " (NOTICE: only when it was run a second time)" if again else ""
            return True, f"{name} passed in {time.monotonic() - begun:.0f} s{notice}."
    return False, f"{name} FAILED."


def run(
    command: Command, environment: Mapping[str, str], seconds: float, *, captured: bool = False
) -> tuple[int | None, str]:
    """Run a command in the repository's root; return its exit code, None if its time was over, and what it wrote.

    What it wrote is empty unless it is `captured`. Nothing that it started in its own session outlives it.
    """
    try:
        process = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, **environment}, start_new_session=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if captured else None, stderr=subprocess.STDOUT if captured else None,
            text=True, errors="replace",
        )  # fmt: skip
    except OSError as error:
        return 127, str(error)
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output or ""
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.communicate(timeout=_ENDING)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
        return None, f"it took more than {seconds:.0f} s"
    except KeyboardInterrupt:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()
        raise


def report(line: str) -> None:
    """Write a line for the person who waits."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
