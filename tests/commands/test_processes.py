"""`dovetail check` with several processes: they say what one says."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.commands.check_command import said

from dovetail.commands import checking

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from dovetail.commands.checking import Checked
    from dovetail.commands.targets import FileToCheck


@pytest.fixture(name="twelve")
def _twelve(tmp_path: Path) -> Path:
    """Return a folder with twelve files, of which eight do not fit."""
    for number in range(12):
        (tmp_path / f"{number}.py").write_text("x = (\n" if number % 3 else "x = 1\n")
    return tmp_path


def test_several_processes(twelve: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Several processes say the same as one, in the same order."""
    assert said(capsys, twelve, "--jobs", 2) == said(capsys, twelve, "--jobs", 1)


def test_several_processes_of_a_command(twelve: Path) -> None:
    """A command of its own, which copies itself where it can, says the same too."""
    command = [sys.executable, "-m", "dovetail", "check", str(twelve)]
    said_by = [subprocess.run([*command, "--jobs", jobs], check=False, capture_output=True) for jobs in ("1", "2")]

    assert said_by[0].returncode == 1
    assert said_by[0].stdout == said_by[1].stdout
    assert said_by[0].stderr == said_by[1].stderr == b""


def test_other_processes_where_it_takes_long(
    twelve: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few files are checked by one process, and what is left after a while by others, which say the same."""
    alone = said(capsys, twelve, "--jobs", 1)
    left: list[int] = []

    def with_others(tasks: Sequence[FileToCheck], processes: int, at_once: int) -> Iterator[Checked]:
        left.append(len(tasks))
        return start(tasks, processes, at_once)

    start = checking._with_others
    monkeypatch.setattr(checking, "_with_others", with_others)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(checking, "_PATIENCE", 3600)
    assert said(capsys, twelve) == alone
    assert not left

    monkeypatch.setattr(checking, "_PATIENCE", -1)
    assert said(capsys, twelve) == alone
    assert left == [12]


def test_no_processes(twelve: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Fewer than one process is a mistake."""
    assert said(capsys, twelve, "--jobs", 0) == (2, "", "--jobs 0: at least one process is needed.\n")
