"""Texts in blocks, compared with the same texts cut anew."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dovetail.project.blocks import LINES, cut, words_of

TEXTS = st.lists(st.sampled_from(["\n", "a", "total", " = ", "price\n", "x\r\n", "\f", "name_1"]), max_size=60).map(
    "".join
)


@given(TEXTS)
def test_blocks_are_the_text(text: str) -> None:
    """The blocks of a text are the text, have up to five whole lines each, and know their words."""
    blocks = cut(text)
    assert "".join(block.text for block in blocks) == text
    assert all(block.text.count("\n") <= LINES and block.text for block in blocks)
    assert all(block.text.endswith("\n") for block in blocks[:-1])
    assert all(block.words == words_of(block.text) for block in blocks)


@given(TEXTS, st.data())
def test_an_edit_changes_what_it_touches(text: str, data: st.DataObject) -> None:
    """The blocks after an edit are blocks of the new text, and those that do not touch the edit are the same values."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    changed = text[:start] + data.draw(TEXTS) + text[end:]
    before = cut(text)
    after = cut(changed, before)
    assert "".join(block.text for block in after) == changed
    assert all(block.text.count("\n") <= LINES and block.words == words_of(block.text) for block in after)
    assert all(block.text.endswith("\n") for block in after[:-1])
    offset = 0
    for number, block in enumerate(before):
        offset += len(block.text)
        if offset < start and block.is_full and all(other.is_full for other in before[: number + 1]):
            assert after[number] is block


def test_short_blocks_do_not_pile_up() -> None:
    """A text that is typed line by line has about as many blocks as one that is cut at once."""
    text, blocks = "", cut("")
    for number in range(100):
        text += f"line_{number} = {number}\n"
        blocks = cut(text, blocks)
    assert len(blocks) == len(cut(text))
