"""The Python grammar over the running interpreter's own library, its tests and their broken files included."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest
from tests.oracles.cpython import TARGET, parses

import dovetail

SAMPLED = 40  # one file in so many


def library() -> list[Path]:
    root = Path(sysconfig.get_path("stdlib"))
    return [path for path in sorted(root.rglob("*.py")) if "site-packages" not in path.parts]


def disagreements(paths: list[Path]) -> list[str]:
    language = dovetail.load_language("python", target=TARGET)
    found = []
    for path in paths:
        try:
            text = path.read_bytes().decode()
        except UnicodeDecodeError:
            continue  # Dovetail is given characters, not bytes; some tests of the library are in other encodings
        verdict = parses(text)
        if verdict is not None and verdict != language.accepts(text):
            found.append(f"{path.name}: {verdict} by the interpreter")
    return found


def test_sample() -> None:
    """A part of the library is read as the interpreter reads it."""
    paths = library()[::SAMPLED]

    assert paths
    assert disagreements(paths) == []


@pytest.mark.long
def test_whole() -> None:
    """The whole library is read as the interpreter reads it."""
    assert disagreements(library()) == []
