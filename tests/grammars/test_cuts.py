"""Every case of Python, cut at every position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.grammars.cases import Case, read_cases
from tests.grammars.test_python import VERSIONS
from tests.languages import shared_language

if TYPE_CHECKING:
    import dovetail

pytestmark = pytest.mark.long  # some twenty thousand quotients
CASES = read_cases("python")


def language(version: str) -> dovetail.Language:
    return shared_language("python", version)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_is_what_it_is_wherever_it_is_cut(case: Case) -> None:
    """Nothing inserted, a valid text is accepted and an invalid one is not, in the newest version that it is for."""
    chosen = language(case.among(VERSIONS)[-1])
    text = case.text
    cuts = [chosen.quotient(text[:at], text[at:], tolerant=False) for at in range(len(text) + 1)]

    assert [quotient.start.accepting for quotient in cuts] == [case.valid] * len(cuts)
    assert all(quotient.viable for quotient in cuts) or not case.valid


@pytest.mark.parametrize("case", [case for case in CASES if case.valid], ids=lambda case: case.name)
def test_what_was_cut_out_of_a_case_fits_again(case: Case) -> None:
    """A character taken out of a valid text is viable in its place, and after it the text is accepted."""
    chosen = language(case.among(VERSIONS)[-1])
    for offset, character in enumerate(case.text):
        state = chosen.quotient(case.text[:offset], case.text[offset + 1 :], tolerant=False).start.advance(character)

        assert state is not None
        assert state.accepting
