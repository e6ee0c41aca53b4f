"""Python at random places of real files, judged by the running interpreter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.fuzz.cases import make_case
from tests.fuzz.judging import judge

if TYPE_CHECKING:
    from dovetail import Language

SEED = 2
CASES = 20
"""Cases in one test; `python -m tests.fuzz` judges as many as one likes and makes those that fail small."""


def failures(python: Language, block: int, *, mutate: bool) -> list[str]:
    """Return what is wrong in one block of cases, each with its texts."""
    found = []
    for number in range(block * CASES, (block + 1) * CASES):
        case = make_case(SEED, number, mutate=mutate)
        if wrong := judge(python, case):
            found.append(f"{case.to_json()}: {'; '.join(wrong)}")
    return found


@pytest.mark.parametrize("block", range(8))
def test_true_middle_is_never_refused(python: Language, block: int) -> None:
    """A file's own text at the cursor passes piece by piece and is accepted at its end."""
    assert failures(python, block, mutate=False) == []


@pytest.mark.parametrize(
    "block", [*range(10), *(pytest.param(block, marks=pytest.mark.long) for block in range(10, 20))]
)
def test_changed_middle_is_judged_as_the_interpreter_judges(python: Language, block: int) -> None:
    """A middle is accepted exactly when the interpreter parses the whole, and never refused where it may."""
    assert failures(python, block, mutate=True) == []


@pytest.mark.long
@pytest.mark.parametrize("block", range(100, 600))
@pytest.mark.parametrize("mutate", [False, True])
def test_many_more_middles(python: Language, block: int, mutate: bool) -> None:
    """The same for many more places."""
    assert failures(python, block, mutate=mutate) == []
