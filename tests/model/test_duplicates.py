"""Texts that are nearly the same count once."""

from __future__ import annotations

import inspect
import textwrap

from hypothesis import given
from hypothesis import strategies as st

from dovetail.model.duplicates import Seen


def text(part: object) -> str:
    return inspect.getsource(part)  # type: ignore[arg-type]


def test_a_changed_copy_is_no_new_text() -> None:
    """A copy with other blanks, a new header and a line changed is dropped; another text is not."""
    original = text(textwrap)
    copy = "# A header.\n\n" + original.replace("    ", "\t").replace("width=70", "width=80")
    seen = Seen()

    assert seen.is_new(original)
    assert not seen.is_new(copy)
    assert not seen.is_new(original)
    assert seen.is_new(text(inspect))


def test_texts_that_share_a_half_are_two() -> None:
    """Half of a text followed by something else is a new text."""
    original, other = text(textwrap), text(inspect)
    seen = Seen()

    assert seen.is_new(original)
    assert seen.is_new(original[: len(original) // 2] + other[: len(original) // 2])


@given(st.lists(st.text(st.sampled_from("ab(\n é\udcff")), max_size=6))
def test_any_text_is_new_once(texts: list[str]) -> None:
    """However short or strange texts are, each is new when it comes first and not when it comes again."""
    seen = Seen()
    for one in texts:
        seen.is_new(one)

    assert not any(map(seen.is_new, texts))
