"""The interpreter's verdict: a program, none, or nothing said."""

from __future__ import annotations

import shlex
import sys

import pytest
from tests.oracles.cpython import parses

from dovetail.evaluation.error import EvaluationError
from dovetail.evaluation.subject import find_subject
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


def test_a_language_is_judged_by_the_parser_of_its_description() -> None:
    """JSON's texts are judged by Python's reader of JSON."""
    subject = find_subject("json")

    assert [subject.verdict(text) for text in ("[1, 2]", "[1, 2", "NaN")] == [True, False, False]


def test_a_language_is_judged_by_the_command_that_is_named() -> None:
    """The version stands in the command, and the command's answer is the verdict."""
    worker = (
        "import sys\n"
        "while line := sys.stdin.readline():\n"
        "    text = sys.stdin.read(int(line))\n"
        "    print('1' if text == sys.argv[1] else '0 another text', flush=True)\n"
    )
    subject = find_subject("go", "1.22", shlex.join([sys.executable, "-c", worker, "{target}"]))

    assert (subject.verdict("1.22"), subject.judge("1.21").error) == (True, "another text")
    subject.close()


@pytest.mark.parametrize(
    ("name", "target", "message"),
    [
        ("go", None, "No parser of Go is known here"),
        ("json", "1", "there is no such version of JSON; known are none"),
        ("java", None, "there is no such language; known are"),
        (None, "3.8", "judges Python .* only"),
    ],
)
def test_a_parser_that_is_not_at_hand_is_a_mistake(name: str | None, target: str | None, message: str) -> None:
    """The remedy is named."""
    with pytest.raises(EvaluationError, match=message):
        find_subject(name, target)
