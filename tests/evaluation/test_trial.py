"""A case completed in three ways, with the real engine and scripted models."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer, writes
from tests.oracles.cpython import TARGET

import dovetail
from dovetail.evaluation.cases import Case
from dovetail.evaluation.cuts import DATA_SETS
from dovetail.evaluation.record import Method, Record
from dovetail.evaluation.trial import Trial

if TYPE_CHECKING:
    from collections.abc import Sequence


@pytest.fixture(name="language", scope="module")
def _language() -> dovetail.Language:
    return dovetail.load_language("python", target=TARGET)


def case(left: str, removed: str, right: str) -> Case:
    return Case(7, "file.py", left + removed + right, len(left), len(left) + len(removed))


def tried(
    language: Any, asked: Case, *pieces: bytes, methods: Sequence[Method] = tuple(Method), tokens: int = 8
) -> Record:
    """Return what becomes of a case with a model that wants to write the pieces and to end."""
    proposer = ScriptedProposer(sorted(set(pieces)), writes(*pieces))
    return Trial(language, proposer, DATA_SETS["boundary"], methods, tokens).run(asked)


def test_a_model_that_is_right_is_right_with_every_method(language: dovetail.Language) -> None:
    """The removed text, written by the model, is valid and exact in all three ways."""
    record = tried(language, case("x = (", "1 + 2", ")\n"), b"1 +", b" 2")

    assert list(record.outcomes) == list(Method)
    for outcome in record.outcomes.values():
        assert (outcome.text, outcome.valid, outcome.exact, outcome.similarity) == ("1 + 2", True, True, 1.0)
    assert (record.case, record.file, record.offset, record.context) == (7, "file.py", 5, 7)
    assert record.disagreements == ()


def test_beams_are_tried_as_the_constrained_method(language: dovetail.Language) -> None:
    """With beams the constrained method offers the likeliest text, which is a program like any other of it."""
    proposer = ScriptedProposer([b"1 +", b" 2"], writes(b"1 +", b" 2"))

    record = Trial(language, proposer, DATA_SETS["boundary"], (Method.CONSTRAINED,), 8, beams=3).run(
        case("x = (", "1 + 2", ")\n")
    )

    outcome = record.outcomes[Method.CONSTRAINED]
    assert (outcome.text, outcome.valid, outcome.exact) == ("1 + 2", True, True)


def test_the_longest_beginning_that_parses_is_taken(language: dovetail.Language) -> None:
    """Checked generation cuts what unconstrained generation did not end; constrained generation never writes it."""
    record = tried(language, case("x = (", "1", ")\n"), b"1", b" + 2", b"))", b" + 3")
    free, checked, constrained = record.outcomes.values()

    assert (free.text, free.valid) == ("1 + 2)) + 3", False)
    assert (checked.text, checked.valid) == ("1 + 2", True)
    assert constrained.valid
    assert constrained.text is not None
    assert constrained.text.startswith("1 + 2")


def test_a_beginning_may_end_within_a_token(language: dovetail.Language) -> None:
    """The characters of the tokens are tried if no token ends at a program."""
    record = tried(language, case("x = (y +", "1", ")\n"), b"12))", methods=[Method.CHECKED])

    assert list(record.outcomes) == [Method.CHECKED]
    assert record.outcomes[Method.CHECKED].text == "12"


def test_no_beginning_parses(language: dovetail.Language) -> None:
    """Checked generation offers nothing if nothing of the model's text will do, and constrained does."""
    record = tried(language, case("x = (y *", "1", " * y)\n"), b"))", b"))")

    assert record.outcomes[Method.CHECKED].text is None
    assert record.outcomes[Method.CHECKED].valid is False
    assert record.outcomes[Method.CONSTRAINED].valid


def test_both_are_asked_about_every_beginning(language: dovetail.Language) -> None:
    """The removed text, each beginning, and the constrained text are compared, the same text once."""
    record = tried(language, case("x = (", "7", ")\n"), b"1", b" + 2", b"))")

    assert record.compared == len({"7", "", "1", "1 + 2", "1 + 2))", record.outcomes[Method.CONSTRAINED].text})


class LyingState:
    """A state that says the opposite of the truth about one middle."""

    def __init__(self, state: Any, text: str, middle: str) -> None:
        self._state = state
        self._text = text
        self._middle = middle

    @property
    def accepting(self) -> bool:
        """True if it is a program, except for the one middle."""
        truth: bool = self._state.accepting
        return truth is not (self._text == self._middle)

    def advance(self, piece: str) -> LyingState | None:
        """Return the state after more text."""
        state = self._state.advance(piece)
        return None if state is None else LyingState(state, self._text + piece, self._middle)


class Lying:
    """A quotient of such states."""

    viable = True
    ignored = ()

    def __init__(self, start: Any, middle: str) -> None:
        self.start = LyingState(start, "", middle)


class Wrong:
    """A language whose engine lies about one middle."""

    def __init__(self, language: dovetail.Language, middle: str) -> None:
        self._language = language
        self._middle = middle

    def __getattr__(self, name: str) -> Any:
        return getattr(self._language, name)

    def quotient(self, left: str, right: str) -> Lying:
        """Return a quotient that lies."""
        return Lying(self._language.quotient(left, right).start, self._middle)


@pytest.mark.parametrize("middle", ["7", "1", "1 + 2", "1 + 2+"])
def test_a_disagreement_is_recorded(language: dovetail.Language, middle: str) -> None:
    """An engine that is wrong about one text is found out, whichever of them it is."""
    asked = case("x = (", "7", ")\n")

    record = tried(Wrong(language, middle), asked, b"1", b" + 2", b"+", methods=[Method.CHECKED])

    assert record.disagreements == (middle,)


def test_an_engine_that_takes_too_much_is_found_out(language: dovetail.Language) -> None:
    """A text that is no program in its place, and is taken for one, is a disagreement."""
    asked = case("", "x = 7", "\n")

    record = tried(Wrong(language, "x = "), asked, b"x = ", methods=[Method.CHECKED])

    assert record.disagreements == ("x = ",)


def test_nothing_offered_has_a_reason(language: dovetail.Language) -> None:
    """The outcome says if even the shortest text is too long for the budget, and is a failure."""
    record = tried(language, case("x = [", "1]; y = (2", ")\n"), b"1", tokens=1)
    outcome = record.outcomes[Method.CONSTRAINED]

    assert (outcome.text, outcome.valid, outcome.exact, outcome.similarity) == (None, False, False, 0.0)
    assert outcome.reason == "even the shortest text that fits has more tokens than allowed"


def test_a_record_survives_its_json(language: dovetail.Language) -> None:
    """Records are read as they were written, and each method has a row of its own."""
    record = tried(language, case("x = (", "1", ")\n"), b"1", b"))")
    plain = record.to_json()

    assert Record.from_json(plain) == record
    rows = record.rows()
    assert [row["method"] for row in rows] == [method.value for method in Method]
    names = "file offset method valid exact similarity text reason tokens model constraint"
    assert all(set(names.split()) < set(row) for row in rows)


def test_times_do_not_change_what_is_written(language: dovetail.Language) -> None:
    """Two runs of a case differ in their times alone."""
    first, second = (tried(language, case("x = (", "1", ")\n"), b"1", b" +", b" y") for _ in range(2))
    times: dict[str, Any] = {"contexts": 0.0, "model": 0.0, "constraint": 0.0}

    for method in Method:
        one, two = (dataclasses.replace(record.outcomes[method], **times) for record in (first, second))
        assert one == two
