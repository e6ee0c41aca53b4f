"""Classes of what may come next: a phrase for all that it covers, otherwise each terminal for itself."""

from __future__ import annotations

import re

import pytest
from tests.languages import shared_language

from dovetail.diagnostics.broken_lexeme import kind_of
from dovetail.diagnostics.expected_class import expected_classes
from dovetail.grammar.library import languages
from dovetail.quotient.expectations import readable_name

JSON = shared_language("json")
PYTHON = shared_language("python")


@pytest.mark.parametrize(
    ("left", "right", "names"),
    [
        ("[1, ", "]", ["a value"]),
        ("[1 ", "]", ["`,`"]),
        ("{", "}", ["a string"]),
        ("", "", ["a value"]),
    ],
)
def test_classes_of_json(left: str, right: str, names: list[str]) -> None:
    """All values are one class; marks stand for themselves."""
    state = JSON.quotient(left, right).start

    found = expected_classes(JSON.machine, state.expectations(), JSON.machine.lexer.start.stack)

    assert [each.name for each in found] == names


def test_every_terminal_is_in_one_class() -> None:
    """Nothing is lost and nothing is said twice where most of a language may come."""
    for left in ("", "x = ", "x = a ", "def f(", "f(a, *", "class A:\n    ", "import "):
        state = PYTHON.quotient(left, "").start
        expectations = state.expectations()

        found = expected_classes(PYTHON.machine, expectations, PYTHON.machine.lexer.start.stack)

        assert sorted(member.terminal for each in found for member in each.members) == sorted(
            expectation.terminal for expectation in expectations
        )
        assert tuple(expectation.name for expectation in expectations) == state.expected()


@pytest.mark.parametrize("name", sorted(languages()))
def test_every_terminal_has_a_name_for_people(name: str) -> None:
    """Messages and programs are told the text of a terminal, or words; no number or abbreviation."""
    machine = shared_language(name).machine
    known = {terminal for mode in machine.compiled.modes for terminal in mode.terminals}

    names = {readable_name(machine.spelling, terminal) for terminal in known - machine.compiled.errors}

    seen = {terminal for mode in machine.compiled.modes for terminal in mode.terminals if terminal not in mode.ignored}
    own = {terminal: machine.compiled.productions.names[terminal] for terminal in seen - machine.compiled.errors}
    words = re.compile(r"(a )?[a-z]{2,}( [a-z]+)*")
    assert [each for each in names if not each.startswith("`") and not words.fullmatch(each)] == []
    assert [
        name
        for terminal, name in own.items()
        if "_" in name and readable_name(machine.spelling, terminal) == name.replace("_", " ").lower()
    ] == []
    assert names.isdisjoint({"augmented", "t empty", "real", "imaginary", "bytes", "raw escaped"})


@pytest.mark.parametrize("name", sorted(languages()))
def test_what_a_broken_lexeme_is_not_has_a_name_for_people(name: str) -> None:
    """The grammar's own name of a terminal is told of no lexeme, unless it is what all other messages call it."""
    machine = shared_language(name).machine
    compiled = machine.compiled
    seen = {terminal for mode in compiled.modes for terminal in mode.terminals if terminal not in mode.ignored}
    words = {terminal for terminal in seen - compiled.errors if compiled.literals[terminal] is None}

    kinds = {terminal: kind_of(machine.lexer, {terminal}) for terminal in words}

    fine = {None, "a block", "a newline", *(phrase for phrase, _ in compiled.phrases)}
    for terminal in words:
        name_for_people = readable_name(machine.spelling, terminal)
        if kinds[terminal] not in (f"a {name_for_people}", f"an {name_for_people}"):
            assert kinds[terminal] in fine, compiled.productions.names[terminal]


def test_the_kinds_of_numbers_have_one_name() -> None:
    """Each has its text under it."""
    found = [one.text for one in PYTHON.quotient("x = ", "\n").expectations() if one.name == "number"]

    assert "0" in found
    assert len(found) == 2
