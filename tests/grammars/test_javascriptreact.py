"""The cases of JavaScript with JSX, against the parsers that are at hand, and cut anywhere."""

from __future__ import annotations

import pytest
from tests.grammars.cases import Case, read_cases
from tests.languages import shared_language
from tests.oracles.javascript.parsers import verdicts

CASES = read_cases("javascriptreact")


def test_cases_are_true() -> None:
    """The cases say what the parsers say of a module, where `make javascript-parsers` has fetched them."""
    judged = zip(CASES, verdicts("next jsx", [case.text for case in CASES]), strict=True)

    decided = [(case, verdict.accepted) for case, verdict in judged]
    # `>` and `}` in a text are refused by all but one of the parsers.
    assert {case.name for case, accepted in decided if accepted is None} <= {
        "invalid-brace_in_text",
        "invalid-greater_in_text",
    }
    assert [case.name for case, accepted in decided if accepted not in (None, case.valid)] == []


@pytest.mark.parametrize("case", CASES[::8], ids=lambda case: case.name)
def test_a_case_is_what_it_is_wherever_it_is_cut(case: Case) -> None:
    """Nothing inserted, a valid text is accepted and an invalid one is not."""
    chosen, text = shared_language("javascriptreact"), case.text
    cuts = [chosen.quotient(text[:at], text[at:], tolerant=False) for at in range(0, len(text) + 1, 11)]

    assert [quotient.start.accepting for quotient in cuts] == [case.valid] * len(cuts)
    assert all(quotient.viable for quotient in cuts) or not case.valid
