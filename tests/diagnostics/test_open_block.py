"""Words that open blocks, such as `if`, and the words that close them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dovetail import Language, load_language

EXAMPLE = (Path(__file__).parents[1] / "cases" / "lua" / "valid" / "queue.lua").read_text("utf-8")
_OPENS = re.compile(r"\s*(local )?(function|if|for|while|repeat|do)\b|.*\bfunction\(")
_CLOSES = re.compile(r"\s*(end\b|until\b)")


@pytest.fixture(scope="module")
def lua() -> Language:
    return load_language("lua")


def pairs(lines: list[str]) -> list[tuple[int, int]]:
    """Return the indices of the lines that open and close each block of a text with one such word a line."""
    opened: list[int] = []
    found = []
    for at, line in enumerate(lines):
        if _CLOSES.match(line):
            found.append((opened.pop(), at))
        elif _OPENS.match(line):
            opened.append(at)
    return found


def test_each_end_that_is_lost(lua: Language) -> None:
    """A block without its end is reported once, where it begins."""
    lines = EXAMPLE.splitlines(keepends=True)
    found = {}
    for opened, closed in pairs(lines):
        without = re.sub(r"\b(end|until item == nil)\b", "", lines[closed])
        faults = lua.errors("".join([*lines[:closed], without, *lines[closed + 1 :]]))
        found[opened + 1] = [fault.reported.line for fault in faults]
        assert all(" is never closed by `" in fault.reported.message for fault in faults)

    assert len(found) == 12
    assert found == {line: [line] for line in found}


def test_each_end_that_is_too_many(lua: Language) -> None:
    """An end too many is reported once, as one of the lines that end at its place; the outermost closes nothing."""
    lines = EXAMPLE.splitlines(keepends=True)
    for _, closed in pairs(lines):
        if not lines[closed].strip().startswith("end"):
            continue
        further = lines[closed].replace("end)", "end")
        faults = lua.errors("".join([*lines[: closed + 1], further, *lines[closed + 1 :]]))

        message = "closes nothing" if lines[closed].startswith("end") else "is one too many"
        assert [(fault.reported.line, fault.reported.message) for fault in faults] == [(closed + 2, f"`end` {message}")]


def test_an_end_of_a_text_without_blocks(lua: Language) -> None:
    """A closing word is stray where nothing is open, and a text without such a mistake has no such report."""
    assert [fault.reported.message for fault in lua.errors("x = 1\nend\ny = 2\n")] == ["`end` closes nothing"]
    assert lua.errors(EXAMPLE) == []
