"""Faults of an older version that a newer one does not have."""

from __future__ import annotations

import pytest

from dovetail.commands.checking import check_text
from dovetail.commands.targets import FileToCheck

MATCH = "def f(x):\n    match x:\n        case 1:\n            return 1\n    return 2\n"


@pytest.mark.parametrize(
    ("target", "text", "wanted"),
    [
        ("3.9", MATCH, ["2: `match` needs Python 3.10"]),
        ("3.10", MATCH, []),
        (
            "3.9",
            f"{MATCH}y = = 1\n",
            ["2: `match` needs Python 3.10", "6: `=` does not fit"],
        ),
        (
            "3.9",
            f"{MATCH}try:\n    f(2)\nexcept* E:\n    type X = int\n",
            [
                "2: `match` needs Python 3.10",
                "8: `except*` needs Python 3.11",
                "9: the statement `type` needs Python 3.12",
            ],
        ),
        ("3.9", "def f(x):\n    x[*x]\n", ["2: `*` in an index needs Python 3.11"]),
        ("3.9", "class A[T]:\n    pass\n", ["1: type parameters need Python 3.12"]),
        ("3.12", "class A[T = int]:\n    pass\n", ["1: type parameters with defaults need Python 3.13"]),
        ("3.9", "x = f'{y['z']}'\n", ["1: such braces in a string with fields need Python 3.12"]),
        ("3.11", 'x = f"{y!r is no"\n', ["1: `{` is never closed"]),
        ("3.13", "x = t'{y}'\n", ["1: template strings need Python 3.14"]),
        ("3.13", "try:\n    x\nexcept A, B:\n    y\n", ["3: `except` without parentheses around several names"]),
        ("3.8", "with (a as b, c as d):\n    b\n", ["1: `with` and parentheses around several managers need"]),
        ("3.8", "@a[0]\ndef f():\n    pass\n", ["1: a decorator that is no dotted name needs Python 3.9"]),
        (
            "3.8",
            f"{MATCH}@(lambda f: f)\ndef g():\n    with (a as b, c as d):\n        b\n",
            [
                "2: `match` needs Python 3.10",
                "6: a decorator that is no dotted name needs Python 3.9",
                "8: `with` and parentheses around several managers need Python 3.9",
            ],
        ),
        ("3.8", "match x:\n    case [a, *b]:\n        print(b)\n", ["1: `match` needs Python 3.10"]),
        ("3.9", "y = = 1\n", ["1: `=` does not fit here; expected an expression"]),
    ],
)
def test_a_newer_version_is_named(target: str, text: str, wanted: list[str]) -> None:
    """A form that a newer version reads names the first such version, and nothing follows from it."""
    found = [
        f"{fault.at.line}: {fault.at.message}"
        for fault in check_text(FileToCheck("a.py", "python", target), text).faults
    ]

    assert [report[: len(start)] for report, start in zip(found, wanted, strict=True)] == wanted
