"""Faults of an older version that a newer one does not have."""

from __future__ import annotations

import pytest

from dovetail.commands.checking import check_text
from dovetail.commands.targets import FileToCheck

MATCH = "def f(x):\n    match x:\n        case 1:\n            return 1\n    return 2\n"


@pytest.mark.parametrize(
    ("target", "text", "wanted"),
    [
        ("3.9", MATCH, ["2: `x` does not fit here; this fits from Python 3.10 on"]),
        ("3.10", MATCH, []),
        (
            "3.9",
            f"{MATCH}y = = 1\n",
            ["2: `x` does not fit here; this fits from Python 3.10 on", "6: `=` does not fit"],
        ),
        ("3.9", "y = = 1\n", ["1: `=` does not fit here; expected an expression"]),
    ],
)
def test_a_newer_version_is_named(target: str, text: str, wanted: list[str]) -> None:
    """A form that a newer version reads names the first such version, and nothing follows from it."""
    found = [f"{fault.at.line}: {fault.at.message}" for fault in check_text(FileToCheck("a.py", target), text).faults]

    assert [report[: len(start)] for report, start in zip(found, wanted, strict=True)] == wanted
