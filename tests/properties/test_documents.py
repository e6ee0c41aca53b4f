"""A document under edits answers as its text does afresh."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.fuzz.cases import make_case
from tests.fuzz.mutations import mutated
from tests.oracles.cpython import parses

if TYPE_CHECKING:
    from dovetail import Language, Quotient


def answers(quotient: Quotient, middle: str) -> tuple[object, ...]:
    """Return everything that a quotient says about itself and about one middle."""
    if not quotient.viable:
        return (False, quotient.ignored)
    state = quotient.start.advance(middle)
    start = quotient.start
    said = None if state is None else (state.accepting, state.closing())
    return (True, quotient.ignored, start.accepting, start.closing(), said)


@pytest.mark.parametrize("number", range(8))
def test_edited_document_is_a_fresh_one(python: Language, number: int) -> None:
    """After any edits, a document's quotient at any place is that of its text cut there."""
    random = Random(number)
    case = make_case(4, number, mutate=False, largest=600)
    text = case.left + case.middle + case.right
    document = python.document(text)
    for _ in range(4):
        low = random.randint(0, len(text))
        high = min(len(text), low + random.choice([0, 0, 1, 5, 30]))
        new = random.choice(["", text[low:high], mutated(random, text[low:high])])
        document.edit(low, high, new)
        text = text[:low] + new + text[high:]
        for offset in (low, low + len(new), random.randint(0, len(text))):
            fresh = python.quotient(text[:offset], text[offset:])

            assert answers(document.quotient(offset), "x") == answers(fresh, "x")


@pytest.mark.parametrize("number", range(8))
def test_tolerance_changes_nothing_in_a_program(python: Language, number: int) -> None:
    """In a document that is a program the tolerant answer is the strict one."""
    random = Random(number)
    case = make_case(6, number, mutate=False, largest=600)
    text = case.left + case.middle + case.right
    for _ in range(4):
        offset = random.randint(0, len(text))
        left, right = text[:offset], text[offset:]
        strict = answers(python.quotient(left, right, tolerant=False), "x")
        tolerant = answers(python.quotient(left, right), "x")

        assert strict[2:] == tolerant[2:]
        assert strict[2:4] == (True, "")


@pytest.mark.parametrize("number", range(30))
def test_accepts_is_what_the_interpreter_says(python: Language, number: int) -> None:
    """A text is accepted as the interpreter accepts it, and exactly otherwise an error is told."""
    random = Random(number)
    case = make_case(7, number, mutate=True, largest=600)
    text = case.left + case.middle + case.right
    if random.random() < 0.5:
        text = mutated(random, text)
    verdict = parses(text)
    if verdict is None:
        pytest.skip("the interpreter gives no verdict")

    assert python.accepts(text) == verdict
    assert (python.error(text) is None) == verdict
