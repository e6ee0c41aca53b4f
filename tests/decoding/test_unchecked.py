"""The constraint that is none."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from dovetail.decoding.unchecked import UncheckedQuotient, UncheckedState

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(left=TEXTS, text=TEXTS, cuts=st.lists(st.integers(min_value=0, max_value=48), max_size=4))
def test_every_text_fits_however_it_is_cut(left: str, text: str, cuts: list[int]) -> None:
    """A text may end between characters and nowhere else, and the state at its end does not depend on the pieces."""
    data = text.encode()
    state: UncheckedState | None = UncheckedQuotient(left).start
    places = sorted({0, len(data), *(min(cut, len(data)) for cut in cuts)})
    for start, end in itertools.pairwise(places):
        assert state is not None
        accepts = state.accepts(data[start:end])
        state = state.advance(data[start:end])
        assert state is not None
        assert accepts == state.accepting
        try:
            data[:end].decode()
        except UnicodeDecodeError:
            assert (state.accepting, state.closing()) == (False, None)
        else:
            assert (state.accepting, state.closing()) == (True, "")

    assert state == UncheckedQuotient(left + text).start


def test_what_is_no_text_is_refused() -> None:
    """Bytes that begin no character, or do not go on in the one begun, fit nowhere."""
    start = UncheckedQuotient("").start
    begun = start.advance("é".encode()[:1])

    assert start.advance(b"\xff") is None
    assert begun is not None
    assert begun.advance("x") is None
    assert not begun.accepts("x")


def test_a_line_has_blanks_or_content() -> None:
    """The content of the cursor's line so far is known; nothing is ever open."""
    lefts = ["x\n  ", "x\r\ty", "\t"]

    found = [UncheckedQuotient(left).start.enclosure for left in lefts]

    assert [tuple(enclosure) for enclosure in found] == [
        (0, 0, 2, False, False, 0),
        (0, 0, None, False, False, 0),
        (0, 0, 8, False, False, 0),
    ]
