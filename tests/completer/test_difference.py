"""The edit between two versions of a text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dovetail.completer.difference import difference

TEXTS = st.text("ab", max_size=12)


@given(before=TEXTS, after=TEXTS)
def test_the_edit_makes_one_text_into_the_other(before: str, after: str) -> None:
    """Applying the edit to the old text gives the new one."""
    start, end, text = difference(before, after)

    assert before[:start] + text + before[end:] == after


@given(before=TEXTS, after=TEXTS)
def test_the_edit_leaves_alone_what_both_share(before: str, after: str) -> None:
    """The replaced part differs from its replacement in the first and the last character, or one is empty."""
    start, end, text = difference(before, after)

    old = before[start:end]
    assert not old or not text or (old[0] != text[0] and old[-1] != text[-1])
