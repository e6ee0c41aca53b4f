"""The interpreter's verdict: a program, none, or nothing said."""

from __future__ import annotations

import pytest
from tests.oracles.cpython import parses

from dovetail.evaluation.verdict import verdict


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\n", True),
        ("x = '\\d'\n", True),  # what only warns, parses
        ("x is 1\n", True),
        ("x = (\n", False),
        ("\ud800", None),
        ("x = 1\0\n", None),
        ("(" * 300 + ")" * 300, None),  # the interpreter's limit, not its language
        ("'\\N{no such character}'\n", None),
        ("x = 1 \\\r\n", None),
    ],
)
def test_verdicts(text: str, said: bool | None) -> None:
    """Syntax decides; the interpreter's own limits and tables say nothing."""
    assert verdict(text) is said


@pytest.mark.parametrize("text", ["x = 1\n", "x = (\n", "if x:\n\ty\n        z\n", "f'{x'", "(" * 300])
def test_it_is_the_verdict_of_the_oracle(text: str) -> None:
    """The verdict by which experiments are judged is that of the tests' own oracle."""
    assert verdict(text) is parses(text)
