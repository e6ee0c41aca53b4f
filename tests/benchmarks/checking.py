"""The check of a whole tree beside `python -m compileall -q`, which compiles it and keeps what comes of it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

COMMANDS = {
    "compileall -q": ("compileall", "-q"),
    "dovetail check": ("dovetail", "check"),
    "dovetail check --jobs 1": ("dovetail", "check", "--jobs", "1"),
}
"""Name → module of Python with its arguments before the folder."""

_LEFT_OUT = frozenset({"site-packages", "test", "tests", "idle_test", "lib2to3"})
"""Folders of files that are no programs on purpose, or no part of the library."""


def standard_library() -> Path:
    """Return the folder of the standard library that runs here."""
    return Path(sysconfig.get_path("stdlib"))


def measure_checking(library: Path, repetitions: int) -> tuple[int, dict[str, list[float]]]:
    """Return the number of files of a cold tree, a library of Python, and seconds by the clock for each command.

    The commands take turns. By the clock, since both use as many processors as they are given.
    """
    seconds: dict[str, list[float]] = {name: [] for name in COMMANDS}
    with tempfile.TemporaryDirectory() as folder:
        count = _copy(library, Path(folder))
        for _ in range(repetitions):
            for name, arguments in COMMANDS.items():
                for kept in Path(folder).rglob("__pycache__"):
                    shutil.rmtree(kept)
                begin = time.perf_counter()
                subprocess.run([sys.executable, "-m", *arguments, folder], check=True, stdout=subprocess.DEVNULL)
                seconds[name].append(time.perf_counter() - begin)
    return count, seconds


def _copy(library: Path, folder: Path) -> int:
    """Copy the modules of a library; return how many they are."""
    count = 0
    for path in library.rglob("*.py"):
        below = path.relative_to(library)
        if _LEFT_OUT.isdisjoint(below.parts):
            (folder / below).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, folder / below)
            count += 1
    return count
