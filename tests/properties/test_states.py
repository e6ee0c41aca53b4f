"""States are values: equal when equal, never changed, and indifferent to how the text came in pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.fuzz.cases import Case, make_case
from tests.strategies import pieces

if TYPE_CHECKING:
    from dovetail import Language

SETTINGS = settings(
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)

CASES = [make_case(3, number, mutate=False, largest=600) for number in range(12)]
DOCUMENT = '{"é": [1, 2.5e+3, "\\u00e9𝒳"], "b": {"c": null}}\n'


@SETTINGS
@given(data=st.data(), case=st.sampled_from(CASES))
def test_pieces_make_no_difference(python: Language, data: st.DataObject, case: Case) -> None:
    """However a middle is cut into pieces, its state is the same, with the same hash and the same answers."""
    whole = case.middle.encode()
    quotient = python.quotient(case.left, case.right)
    at_once = quotient.start.advance(whole)
    assert at_once is not None
    state = quotient.start
    for piece in data.draw(pieces(whole)):
        following = state.advance(piece)
        assert following is not None
        state = following

    assert state == at_once
    assert hash(state) == hash(at_once)
    assert state.accepting == at_once.accepting
    assert state.closing() == at_once.closing()


@SETTINGS
@given(data=st.data(), case=st.sampled_from(CASES), more=st.text("x1 ().:=\n'é#", max_size=4))
def test_accepts_is_advance_and_accepting(python: Language, data: st.DataObject, case: Case, more: str) -> None:
    """A piece leads to a program at once exactly if it does step by step, inside a character too."""
    whole = case.middle.encode()
    state = python.quotient(case.left, case.right).start
    for piece in [*data.draw(pieces(whole)), more.encode(), b"\xc3"]:
        following = state.advance(piece)
        for asked in (piece, piece + more.encode()):
            after = state.advance(asked)
            assert state.accepts(asked) == (after is not None and after.accepting)
        state = following or state


@SETTINGS
@given(data=st.data())
def test_text_and_bytes_are_the_same(json: Language, data: st.DataObject) -> None:
    """A middle as text and as bytes leads to the same state."""
    low = data.draw(st.integers(0, len(DOCUMENT)))
    high = data.draw(st.integers(low, len(DOCUMENT)))
    start = json.quotient(DOCUMENT[:low], DOCUMENT[high:]).start

    state = start.advance(DOCUMENT[low:high])

    assert state is not None
    assert state == start.advance(DOCUMENT[low:high].encode())


@SETTINGS
@given(place=st.integers(0, len(DOCUMENT)), other=st.integers(0, len(DOCUMENT)))
def test_equal_states_answer_alike(json: Language, place: int, other: int) -> None:
    """Two middles of one quotient with equal states lack the same text."""
    start = json.quotient("", "").start
    one, two = start.advance(DOCUMENT[:place]), start.advance(DOCUMENT[:other])

    assert one is not None
    assert two is not None
    if one == two:
        assert hash(one) == hash(two)
        assert one.closing() == two.closing()
        assert one.accepting == two.accepting
        assert len({one, two}) == 1
    else:
        assert place != other


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.source)
def test_advance_changes_nothing(python: Language, case: Case) -> None:
    """After advancing in many directions a state is what it was."""
    quotient = python.quotient(case.left, case.right)
    start = quotient.start
    before = (hash(start), start.accepting, start.closing(), start.expected())
    following = start.advance(case.middle)
    for piece in (case.middle, "x", ")", "\n", '"""', "if x:\n", b"\xc3", "é"):
        start.advance(piece)

    assert (hash(start), start.accepting, start.closing(), start.expected()) == before
    assert start == quotient.start
    assert start.advance(case.middle) == following
    assert start.advance("") == start


def test_half_a_character(json: Language) -> None:
    """A middle may end inside a character, and is viable as long as some completion of the character is."""
    start = json.quotient('["', '"]').start
    half = start.advance("é".encode()[:1])

    assert half is not None
    assert not half.accepting
    assert half.advance(b'"') is None
    whole = half.advance("é".encode()[1:])
    assert whole is not None
    assert whole.accepting
    # No character begins with these bytes, and outside a string no character of two bytes fits.
    assert start.advance(b"\xff") is None
    assert start.advance(b"\xc0") is None
    assert start.advance(b"\xed\xa0") is None
    assert json.quotient("[", "]").start.advance("é".encode()[:1]) is None
