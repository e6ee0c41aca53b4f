"""Programs to cut: runs of statements from the standard library of the running interpreter."""

from __future__ import annotations

import ast
import sysconfig
import tokenize
import warnings
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from tests.oracles.cpython import parses

if TYPE_CHECKING:
    from random import Random

LIBRARY = Path(sysconfig.get_path("stdlib"))
LARGEST = 200_000
"""Bytes; larger files are tables, and slow to read."""


@cache
def files(tests: bool = False) -> tuple[Path, ...]:
    """Return the modules of the standard library in a fixed order, its own tests only if asked for."""
    apart = {"site-packages", "lib2to3", "__pycache__", "idlelib", "encodings"} | (
        set() if tests else {"test", "tests"}
    )
    return tuple(
        path
        for path in sorted(LIBRARY.rglob("*.py"))
        if not apart & set(path.relative_to(LIBRARY).parts) and 0 < path.stat().st_size <= LARGEST
    )


@lru_cache(maxsize=64)
def program(path: Path) -> tuple[str, tuple[int, ...]] | None:
    """Return the text of a file and where its top-level statements begin; None if it is no program."""
    try:
        with tokenize.open(path) as file:
            text = file.read()
    except (SyntaxError, UnicodeDecodeError):
        return None
    if not parses(text):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        body = ast.parse(text).body
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    offsets: list[int] = []
    for statement in body:
        decorators = getattr(statement, "decorator_list", [])
        line = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
        # Two statements may share a line.
        if not offsets or starts[line - 1] > offsets[-1]:
            offsets.append(starts[line - 1])
    return (text, tuple(offsets)) if offsets else None


def passage(random: Random, largest: int, tests: bool = False) -> tuple[str, str]:
    """Return the name of a file and some consecutive top-level statements of it, a program of their own.

    The program has at most `largest` characters, or is one statement.
    """
    while True:
        path = random.choice(files(tests))
        found = program(path)
        if found is None:
            continue
        text, offsets = found
        first = random.randrange(len(offsets))
        low = offsets[first]
        last = first + 1
        while last < len(offsets) and offsets[last] - low <= largest:
            last += 1
        high = offsets[random.randint(first + 1, last)] if last < len(offsets) else len(text)
        chosen = text[low:high]
        if len(chosen) <= 4 * largest and parses(chosen):
            return path.relative_to(LIBRARY).as_posix(), chosen
