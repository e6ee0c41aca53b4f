"""The Go grammar, case by case, and each case against the `go/parser` of every version that is at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.grammars.cases import Case, read_cases
from tests.languages import shared_language
from tests.oracles.go_parser import find_worker

import dovetail
from dovetail.comparison.oracle_process import OracleProcess
from dovetail.grammar.library import languages

if TYPE_CHECKING:
    from dovetail.engine.language import Language

VERSIONS = languages()["go"].versions
CASES = read_cases("go")


def language(version: str) -> Language:
    return shared_language("go", version)


@pytest.mark.parametrize("version", VERSIONS)
def test_cases_are_true(version: str) -> None:
    """The cases say what `go/parser` of that version says, where `make go-parsers` has built it."""
    worker = find_worker(version)
    if worker is None:
        pytest.skip(f"no go/parser {version} at hand; `make go-parsers` builds it")
    cases = [case for case in CASES if version in case.among(VERSIONS)]
    judge = OracleProcess(str(worker))
    verdicts = judge.judge([case.text for case in cases])
    judge.close()

    assert {case.name: case.valid for case in cases} == {
        case.name: verdict.accepted for case, verdict in zip(cases, verdicts, strict=True)
    }


def test_the_other_versions_are_like_the_oldest_at_a_change() -> None:
    """Versions that are not tried with the cases have the productions of 1.24."""
    alike = {version: language(version).machine.compiled.productions for version in ("1.21", "1.24")}

    assert alike["1.21"] == alike["1.24"]


def test_newest_is_default() -> None:
    """Without a target the newest version is read: 1.27 has methods with type parameters."""
    assert dovetail.load_language("go").accepts("package p\n\nfunc (T) m[P any](x P) {}\n")


@pytest.mark.parametrize("case", CASES[::5], ids=lambda case: case.name)
def test_a_case_is_what_it_is_wherever_it_is_cut(case: Case) -> None:
    """Nothing inserted, a valid text is accepted and an invalid one is not, in the newest version that it is for."""
    chosen, text = language(case.among(VERSIONS)[-1]), case.text
    cuts = [chosen.quotient(text[:at], text[at:], tolerant=False) for at in range(0, len(text) + 1, 7)]

    assert [quotient.start.accepting for quotient in cuts] == [case.valid] * len(cuts)
    assert all(quotient.viable for quotient in cuts) or not case.valid


@pytest.mark.parametrize("case", [case for case in CASES if case.valid][::3], ids=lambda case: case.name)
def test_the_beginning_of_a_program_is_closed(case: Case) -> None:
    """Every beginning of a valid text has a closing, and with it is a program."""
    chosen, text = language(case.among(VERSIONS)[-1]), case.text
    for at in range(0, len(text), 11):
        closing = chosen.quotient(text[:at], "", tolerant=False).start.closing()

        assert closing is not None
        assert chosen.accepts(text[:at] + closing)
