"""The prompt: formats and the window."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.decoding.scripted_proposer import MARKS, ScriptedProposer

from dovetail.decoding.formats import FORMATS, STARTS, Format, Side, format_for
from dovetail.decoding.prompt import build


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_a_format_is_recognised_by_its_tokens(form: Format) -> None:
    """A model that has a format's special tokens, and others beside, is asked in that format."""
    specials = {mark: number for number, mark in enumerate(("<pad>", *form.marks, "<eos>"))}

    assert format_for(specials) is form


def test_formats_hold_left_and_right_once() -> None:
    """Every format has one place for the left and one for the right text."""
    for form in FORMATS:
        assert [form.parts.count(side) for side in Side] == [1, 1]


def test_a_model_without_a_format_continues_the_left() -> None:
    """Without fill-in-the-middle tokens a model gets the left text, behind its start token if it has one."""
    assert format_for({"<|endoftext|>": 0}).parts == (Side.LEFT,)
    for start in STARTS:
        assert format_for({start: 0, "</s>": 1}).parts == (start, Side.LEFT)


def test_the_parts_are_in_order() -> None:
    """Special tokens are tokens; the texts lie between them, and text that looks like one stays text."""
    proposer = ScriptedProposer()
    prefix, suffix, middle, _ = (proposer.vocabulary.specials[mark] for mark in MARKS)

    prompt = build(proposer, "a<|fim_middle|>", "b", 10)

    expected = [prefix, *proposer.encode("a<|fim_middle|>"), suffix, *proposer.encode("b"), middle]
    assert list(prompt.tokens) == expected
    assert prompt.tokens.count(middle) == 1
    assert prompt.room == 10


def test_an_empty_prompt_asks_with_the_separator() -> None:
    """A model without a format or a start token is asked with its end token where the left is empty."""
    proposer = ScriptedProposer(specials=["<|endoftext|>"])

    prompt = build(proposer, "", "right", 10)

    assert (prompt.tokens, prompt.right) == ((proposer.end,), "")


def test_a_short_side_leaves_its_share_to_the_other() -> None:
    """A side that needs less than its share leaves the rest to the other side."""
    proposer = ScriptedProposer(window=100)
    line = "123456789\n"

    little_left = build(proposer, line, line * 20, 17)
    little_right = build(proposer, line * 20, line, 17)
    both = build(proposer, line * 20, line * 20, 17)

    assert (little_left.left, little_left.right) == (line, line * 7)
    assert (little_right.left, little_right.right) == (line * 7, line)
    assert (both.left, both.right) == (line * 6, line * 2)


def test_a_huge_line_is_cut_inside() -> None:
    """Of a line that is longer than the window the end next to the cursor is kept, and no other line."""
    proposer = ScriptedProposer(window=64)

    prompt = build(proposer, "first\n" + "l" * 9999 + "L", "R" + "r" * 9999 + "\nlast", 16)

    assert prompt.left.strip("l") == "L"
    assert prompt.right.strip("r") == "R"
    assert len(prompt.left) > 10
    assert len(prompt.right) > 5


def line_starts(text: str) -> set[int]:
    """Return the offsets at which a line starts."""
    breaks = (
        place + 1
        for place, mark in enumerate(text)
        if mark == "\n" or (mark == "\r" and text[place + 1 : place + 2] != "\n")
    )
    return {0, *breaks}


TEXT = st.text("ab\r\n é", max_size=120)


@given(TEXT, TEXT, st.integers(8, 90), st.integers(1, 90))
def test_the_window(left: str, right: str, window: int, max_tokens: int) -> None:
    """Prompt and room fit the window; the nearest text is kept, from a line start if a line fits."""
    proposer = ScriptedProposer([b"a b", b"ab", b"  "], window=window)

    prompt = build(proposer, left, right, max_tokens)

    assert len(prompt.tokens) + prompt.room <= window
    assert 1 <= prompt.room <= max_tokens
    assert left.endswith(prompt.left)
    assert right.startswith(prompt.right)
    start, end = len(left) - len(prompt.left), len(prompt.right)
    assert start in line_starts(left) or start > max(line_starts(left[:-1]))
    assert end in {*line_starts(right), len(right)} or end < min(line_starts(right) - {0}, default=len(right))
    if len(proposer.encode(left)) + len(proposer.encode(right)) + 3 + prompt.room <= window:
        assert (prompt.left, prompt.right) == (left, right)
