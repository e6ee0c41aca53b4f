"""The grammar of TypeScript with JSX, case by case, and each case against the parsers that are at hand."""

from __future__ import annotations

import pytest
from tests.grammars.cases import Case, read_cases
from tests.oracles.javascript.parsers import verdicts

import dovetail

CASES = read_cases("typescriptreact")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Case) -> None:
    """A case is accepted, or refused, as its folder says."""
    assert dovetail.load_language("typescriptreact").accepts(case.text) == case.valid


def test_cases_are_true() -> None:
    """The cases say what the parsers of TypeScript say, where `make javascript-parsers` has fetched them."""
    judged = zip(CASES, verdicts("tsx", [case.text for case in CASES]), strict=True)

    decided = [(case, verdict.accepted) for case, verdict in judged]
    # Babel takes an arrow function behind one name in angle brackets.
    assert {case.name for case, accepted in decided if accepted is None} <= {
        "invalid-async_generic_arrow_without_comma",
        "invalid-generic_arrow_without_comma",
    }
    assert [case.name for case, accepted in decided if accepted not in (None, case.valid)] == []


@pytest.mark.parametrize("case", CASES[::6], ids=lambda case: case.name)
def test_a_case_is_what_it_is_wherever_it_is_cut(case: Case) -> None:
    """Nothing inserted, a valid text is accepted and an invalid one is not."""
    chosen, text = dovetail.load_language("typescriptreact"), case.text
    cuts = [chosen.quotient(text[:at], text[at:], tolerant=False) for at in range(0, len(text) + 1, 31)]

    assert [quotient.start.accepting for quotient in cuts] == [case.valid] * len(cuts)
    assert all(quotient.viable for quotient in cuts) or not case.valid
