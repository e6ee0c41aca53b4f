"""The verdicts of engine and parser side by side, with what is reported beside the grammar."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import dovetail
from dovetail.comparison.middles import Cutting, judge_middles, judge_text
from dovetail.grammar.oracle import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

MISPLACED = "function f() { await g(); }\n"
"""A text that the grammar accepts, and in which a word is reported."""


class Answers:
    """A parser that gives all texts one answer."""

    def __init__(self, accepted: bool) -> None:
        self.accepted = accepted

    def judge(self, texts: Sequence[str]) -> list[Verdict]:
        """Return the verdict on each text."""
        return [Verdict(self.accepted, "" if self.accepted else "no program")] * len(texts)


@pytest.fixture(scope="module")
def language() -> dovetail.Language:
    """Return a language of which the grammar accepts more than is allowed."""
    return dovetail.load_language("javascript")


@pytest.mark.parametrize(
    ("text", "accepted", "checks", "reported"),
    [
        (MISPLACED, False, ["text"], [True]),
        (MISPLACED, True, ["report"], [False]),
        ("async " + MISPLACED, True, [], []),
        ("async " + MISPLACED, False, ["text"], [False]),
        ("function f( {", False, [], []),
    ],
)
def test_a_mistake_that_is_reported_counts(
    language: dovetail.Language, text: str, accepted: bool, checks: list[str], reported: list[bool]
) -> None:
    """It explains a text that only the grammar accepts, and is a disagreement in one that the parser accepts."""
    found = judge_text(language, Answers(accepted), text)

    assert [each.check for each in found] == checks
    assert [each.reported for each in found] == reported


def test_it_counts_in_middles_and_closings(language: dovetail.Language) -> None:
    """Both are judged as whole texts are."""
    left, middle, right = MISPLACED.partition("await ")

    found = judge_middles(language, Answers(accepted=False), Cutting(left, right, [middle], 20))

    assert {each.check for each in found if each.reported} == {"middle", "closing"}
    assert all(middle in each.text for each in found if each.reported)
