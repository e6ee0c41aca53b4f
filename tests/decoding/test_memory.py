"""Shown texts are remembered without the document that it was shown in, and is still told from all others."""

from __future__ import annotations

import pickle
import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.decoding.finite_quotient import FiniteQuotient

from dovetail.decoding.completion import Completion, Seconds, Stop
from dovetail.decoding.memory import Memory
from dovetail.decoding.request import Request

SHOWN = Completion("abc", Stop.END, "c", 3, 1, Seconds(0.1, 0.2, 0.3, 0.4), acceptance=0.7)
TEXTS = st.text("ab", max_size=2)  # so few that they are often the same


def request(left: str, right: str, document: str = "a document") -> Request:
    return Request(left, right, lambda: FiniteQuotient(["abc", "bc", "c"]), document=document)


def recalled(memory: Memory, left: str, right: str) -> str | None:
    completion = memory.recall(request(left, right))
    return None if completion is None else completion.text


def test_a_long_document_is_not_kept() -> None:
    """However often something is shown in it, its text is not held on to, nor whoever asked."""
    memory = Memory()
    left, right = "x = 1\n" * 50_000 + "😀", "y = 2\n" * 50_000
    for count in range(40):
        asked = request(left + "y" * count, right)
        memory.keep(asked, SHOWN)
    closure = weakref.ref(asked.open_quotient)
    del asked

    assert len(pickle.dumps(memory)) < 10_000
    assert closure() is None
    assert recalled(memory, left + "y" * 39 + "a", right) == "bc"


def test_the_rest_keeps_its_closing_and_its_reason() -> None:
    """A recalled text says why it ended, how likely it is and what of it nobody wrote, and took no work."""
    memory = Memory()
    memory.keep(request("x", "y"), SHOWN)

    rest = memory.recall(request("xa", "y"))

    assert rest == Completion("bc", Stop.END, "c", 0, 0, Seconds(0.0, 0.0, 0.0, 0.0), acceptance=0.7)


@given(TEXTS, TEXTS, TEXTS, TEXTS, st.integers(0, 3))
def test_what_is_recalled_is_of_the_same_text(left: str, right: str, other: str, beyond: str, typed: int) -> None:
    """In whatever document: the rest comes where both sides are those that it was shown in, and nowhere else."""
    memory = Memory()
    memory.keep(request(left, right), SHOWN)
    text = "abc"

    rest = recalled(memory, other + text[:typed], beyond)

    shown = {left + text[:count]: text[count:] for count in range(len(text))}
    assert rest == (shown.get(other + text[:typed]) if beyond == right else None)


@pytest.mark.parametrize(("left", "right"), [("xyz", "\nend"), ("xy", "z\nend"), ("xz", "y\nend"), ("xy", "z\nEnd")])
def test_another_text_of_the_same_length_is_another(left: str, right: str) -> None:
    """One character is enough, on either side, and so is another place in the same text."""
    memory = Memory()
    memory.keep(request("xy", "z\nend"), SHOWN)

    assert (recalled(memory, left, right) is not None) == ((left, right) == ("xy", "z\nend"))


def test_half_a_pair_of_utf_16_is_a_character() -> None:
    """A document may hold one by itself, and what is shown there is recalled there."""
    memory = Memory()
    memory.keep(request("x\ud83d", "\ude00"), SHOWN)

    assert recalled(memory, "x\ud83da", "\ude00") == "bc"
    assert recalled(memory, "x\ud83ea", "\ude00") is None
