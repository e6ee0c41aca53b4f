"""The Python grammar, case by case, and each case against the interpreters that are at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.grammars.cases import Case, read_cases
from tests.languages import shared_language
from tests.oracles.cpython import TARGET, parses
from tests.oracles.interpreters import Interpreter, find_interpreter

import dovetail

if TYPE_CHECKING:
    from dovetail.engine.language import Language

VERSIONS = ("3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14")
CASES = read_cases("python")


def language(version: str) -> Language:
    return shared_language("python", version)


def described(case: Case) -> str:
    return case.name


@pytest.mark.parametrize("case", [case for case in CASES if TARGET in case.among(VERSIONS)], ids=described)
def test_case_is_true(case: Case) -> None:
    """A case's verdict is that of the running interpreter."""
    assert case.valid == parses(case.text)


@pytest.mark.parametrize("version", [version for version in VERSIONS if version != TARGET])
def test_cases_are_true_elsewhere(version: str) -> None:
    """The cases' verdicts are those of every other interpreter at hand."""
    path = find_interpreter(version)
    if path is None:
        pytest.skip(f"no CPython {version} at hand")
    cases = [case for case in CASES if version in case.among(VERSIONS)]
    interpreter = Interpreter(path)
    verdicts = interpreter.parses([case.text for case in cases])
    interpreter.close()

    assert {case.name: case.valid for case in cases} == {
        case.name: verdict for case, verdict in zip(cases, verdicts, strict=True)
    }


def test_null_character() -> None:
    """A null character is refused wherever it stands."""
    texts = ("\0", "x\0", "x = 1 # \0\n", "'\0'", "f'\0{a}'")

    assert [False] * len(texts) == [language("3.14").accepts(text) for text in texts]


def test_newest_is_default() -> None:
    """Without a target the newest version is read."""
    assert dovetail.load_language("python").accepts("t'{a}'\n")


def test_unknown_version() -> None:
    """A version that the grammar does not know is a mistake of the user's, with the known ones named."""
    with pytest.raises(dovetail.GrammarError, match=r"2\.7.*3\.8.*3\.14"):
        dovetail.load_language("python", target="2.7")
