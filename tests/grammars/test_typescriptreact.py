"""The cases of TypeScript with JSX, against the parsers that are at hand, and cut anywhere."""

from __future__ import annotations

import pytest
from tests.grammars.cases import Case, read_cases
from tests.languages import shared_language
from tests.oracles.javascript.parsers import verdicts

CASES = read_cases("typescriptreact")


def test_cases_are_true() -> None:
    """The cases say what the parsers of TypeScript say, where `make javascript-parsers` has fetched them."""
    judged = zip(CASES, verdicts("tsx", [case.text for case in CASES]), strict=True)

    decided = [(case, verdict.accepted) for case, verdict in judged]
    # Babel takes an arrow function behind one name in angle brackets, and an element as a base; to others than the
    # compiler `</` is two signs.
    assert {case.name for case, accepted in decided if accepted is None} <= {
        "invalid-async_generic_arrow_without_comma",
        "invalid-generic_arrow_without_comma",
        "invalid-element_as_a_base",
        "invalid-member_of_an_element",
        "invalid-blank_in_a_closing_tag",
        "invalid-comment_behind_less_than",
    }
    assert [case.name for case, accepted in decided if accepted not in (None, case.valid)] == []


@pytest.mark.parametrize("case", CASES[::6], ids=lambda case: case.name)
def test_a_case_is_what_it_is_wherever_it_is_cut(case: Case) -> None:
    """Nothing inserted, a valid text is accepted and an invalid one is not."""
    chosen, text = shared_language("typescriptreact"), case.text
    cuts = [chosen.quotient(text[:at], text[at:], tolerant=False) for at in range(0, len(text) + 1, 31)]

    assert [quotient.start.accepting for quotient in cuts] == [case.valid] * len(cuts)
    assert all(quotient.viable for quotient in cuts) or not case.valid
