"""The long comparison, kept short: cuts of all kinds and whole files, with the running interpreter."""

from __future__ import annotations

from random import Random

import pytest
from tests.fuzz.places import CUTS
from tests.fuzz.survey import disagreements, files, judge_cut, judge_file, judge_middles
from tests.oracles.cpython import TARGET

from dovetail import Language, Quotient

SEED = 20261120
PROGRAM = (
    'def f(x, *, y="a\\"b"):  # a comment\n\n'
    "    '''doc\n    string'''\n"
    "    return f\"{x!r:>{y}} {{}}\" if x >= 1 else rb'bytes'\n"
)


@pytest.mark.parametrize("number", range(20))
def test_a_cut_is_judged_as_the_interpreter_judges_it(number: int) -> None:
    """The true middle and mutated ones: accepting is parsing, and closings parse."""
    assert disagreements(judge_cut(SEED, number, [TARGET])[2]) == []


@pytest.mark.parametrize("number", range(20))
def test_a_file_is_judged_as_the_interpreter_judges_it(number: int) -> None:
    """A file of the library or of an installed package is accepted if and only if it parses."""
    chosen = files(TARGET)

    assert disagreements(judge_file(TARGET, chosen[Random(SEED + number).randrange(len(chosen))])) == []


@pytest.mark.parametrize("kind", CUTS)
def test_every_kind_of_cut_is_made(kind: str) -> None:
    """Each finds its places in a program that has them all, within the text."""
    cuts = [CUTS[kind](Random(seed), PROGRAM) for seed in range(20)]

    assert any(cut is not None for cut in cuts)
    assert all(0 <= cut[0] <= cut[1] <= len(PROGRAM) for cut in cuts if cut is not None)


def test_a_disagreement_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that accepts what it should not is reported with the middle that shows it."""
    monkeypatch.setattr("dovetail.quotient.state.State.accepting", property(lambda _: True))
    found = judge_middles(TARGET, "x = ", "\n", ["1", "("], 20)

    assert [(finding["middle"], finding["parser"]) for finding in found if finding["check"] == "middle"] == [
        ("(", "refuses")
    ]


def test_tolerance_where_all_fits_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tolerant quotient that is not the strict one, though that fits, is reported."""
    strict = Language.quotient

    def careless(language: Language, left: str, right: str, *, tolerant: bool = True) -> Quotient:
        return strict(language, left, "\n" if tolerant else right, tolerant=False)

    monkeypatch.setattr(Language, "quotient", careless)
    found = judge_middles(TARGET, "x = (", ")\n", ["1", "("], 20)

    assert [finding["middle"] for finding in found if finding["check"] == "tolerance"] == ["", "1", "("]
