"""The cases of every language that is shipped: the folder says whether a text is a program."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest
from tests.grammars.cases import Case, read_cases
from tests.languages import shared_language

from dovetail.grammar.library import languages

if TYPE_CHECKING:
    import dovetail

FACTS = languages()


@cache
def at_changes(name: str) -> list[str]:
    """Return the newest version of a language, and those that cases name: others would cost time and tell no more."""
    versions = FACTS[name].versions
    named = {version for case in read_cases(name) for version in (case.first, case.last)}
    return [version for version in versions if version in named or version == versions[-1]]


def language(name: str, version: str | None) -> dovetail.Language:
    return shared_language(name, version)


@pytest.mark.parametrize("name", sorted(FACTS))
def test_there_are_cases(name: str) -> None:
    """A language that is shipped has programs, and texts that it refuses."""
    assert {case.valid for case in read_cases(name)} == {True, False}


@pytest.mark.parametrize(
    ("name", "case"),
    [pytest.param(name, case, id=f"{name}-{case.name}") for name in sorted(FACTS) for case in read_cases(name)],
)
def test_case(name: str, case: Case) -> None:
    """A case is accepted, or refused, in the versions for which it says so."""
    versions = case.among(FACTS[name].versions)
    known: list[str | None] = [version for version in versions if version in at_changes(name)]
    verdicts = {version: language(name, version).accepts(case.text) for version in known or [None]}

    assert verdicts == dict.fromkeys(known or [None], case.valid)
