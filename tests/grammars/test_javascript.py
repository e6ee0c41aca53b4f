"""The cases of the JavaScript grammar, against the parsers of JavaScript that are at hand, and cut anywhere."""

from __future__ import annotations

import pytest
from tests.grammars.cases import Case, read_cases
from tests.languages import shared_language
from tests.oracles.javascript.parsers import verdicts

CASES = read_cases("javascript")


def test_cases_are_true() -> None:
    """The cases say what the parsers say of a module or a script, where `make javascript-parsers` has fetched them."""
    judged = zip(CASES, verdicts("next", [case.text for case in CASES]), strict=True)

    assert {case.name: case.valid for case in CASES} == {case.name: verdict.accepted for case, verdict in judged}


@pytest.mark.parametrize("case", CASES[::8], ids=lambda case: case.name)
def test_a_case_is_what_it_is_wherever_it_is_cut(case: Case) -> None:
    """Nothing inserted, a valid text is accepted and an invalid one is not."""
    chosen, text = shared_language("javascript"), case.text
    cuts = [chosen.quotient(text[:at], text[at:], tolerant=False) for at in range(0, len(text) + 1, 11)]

    assert [quotient.start.accepting for quotient in cuts] == [case.valid] * len(cuts)
    assert all(quotient.viable for quotient in cuts) or not case.valid


def test_closings_cost_no_more_where_a_first_line_is_known() -> None:
    """A closing is a shortest one, too, where texts may begin with a first line that is as short as a comment."""
    quotient = shared_language("javascript").quotient("", "ion a(b) {\n  return b;\n}\n}\n")

    assert quotient.start.closing() == "{{//"
