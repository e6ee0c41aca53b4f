"""The cases of the TypeScript grammar, against the parsers that are at hand, and cut anywhere."""

from __future__ import annotations

import pytest
from tests.grammars.cases import Case, read_cases
from tests.languages import shared_language
from tests.oracles.javascript.parsers import verdicts

CASES = read_cases("typescript")


def test_cases_are_true() -> None:
    """The cases say what the compiler's parser and others say, where `make javascript-parsers` has fetched them."""
    judged = zip(CASES, verdicts("ts", [case.text for case in CASES]), strict=True)

    assert [(case.name, verdict.error) for case, verdict in judged if verdict.accepted != case.valid] == []


@pytest.mark.parametrize("case", CASES[::4], ids=lambda case: case.name)
def test_a_case_is_what_it_is_wherever_it_is_cut(case: Case) -> None:
    """Nothing inserted, a valid text is accepted and an invalid one is not."""
    chosen, text = shared_language("typescript"), case.text
    cuts = [chosen.quotient(text[:at], text[at:], tolerant=False) for at in range(0, len(text) + 1, 61)]

    assert [quotient.start.accepting for quotient in cuts] == [case.valid] * len(cuts)
    assert all(quotient.viable for quotient in cuts) or not case.valid
