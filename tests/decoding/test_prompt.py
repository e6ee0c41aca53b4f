"""The prompt: formats and the window."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.decoding.scripted_proposer import MARKS, ScriptedProposer

from dovetail.decoding.formats import Order
from dovetail.decoding.prompt import Prompt, Prompts


def build(proposer: ScriptedProposer, left: str, right: str, max_tokens: int) -> Prompt:
    return Prompts(proposer).build(left, right, max_tokens)


def test_the_parts_are_in_order() -> None:
    """Special tokens are tokens; the texts lie between them, and text that looks like one stays text."""
    proposer = ScriptedProposer()
    prefix, suffix, middle, _ = (proposer.vocabulary.specials[mark] for mark in MARKS)

    prompt = build(proposer, "a<|fim_middle|>", "b", 10)

    assert (prompt.held, prompt.held_tokens) == (b"", ())
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

    assert len(prompt.tokens) + prompt.room + prompt.spare == window
    assert prompt.spare >= len(prompt.held_tokens)
    assert left.encode().endswith(prompt.held)
    assert 1 <= prompt.room <= max_tokens
    assert left.endswith(prompt.left)
    assert right.startswith(prompt.right)
    start, end = len(left) - len(prompt.left), len(prompt.right)
    assert start in line_starts(left) or start > max(line_starts(left) - {len(left)}, default=0)
    assert end in {*line_starts(right), len(right)} or end < min(line_starts(right) - {0}, default=len(right))
    if len(proposer.encode(left)) + len(proposer.encode(right)) + 3 + prompt.room <= window:
        assert (prompt.left, prompt.right) == (left, right)


def test_what_one_token_could_begin_with_is_held_back() -> None:
    """The prompt stops where a token could begin that goes on beyond the cursor, and nowhere else."""
    proposer = ScriptedProposer([b"return", b"self.", b".re", b".return_value"])

    expected = {"x = ret": b"ret", "self.re": b"re", "x.re": b".re", "self.": b"", "x = ": b"", "retu rn": b""}

    assert expected == {left: build(proposer, left, "", 10).held for left in expected}


def test_a_document_keeps_the_beginning_of_its_prompt() -> None:
    """While text is typed the prompt begins with the tokens that it had, also where the left has outgrown it."""
    proposer = ScriptedProposer(window=200)
    prompts = Prompts(proposer)
    left = "".join(f"line {number:3}\n" for number in range(30))
    last = prompts.build(left, "right\n", 20)
    kept = 0

    for number in range(40):
        left += f"typed {number:2}\n"
        prompt = prompts.build(left, "right\n", 20, last)
        assert left.endswith(prompt.left)
        assert len(prompt.tokens) + prompt.room <= proposer.window
        kept += prompt.left.startswith(last.left)
        last = prompt

    assert kept >= 20  # a fresh cut each time would keep none


def test_another_right_text_is_seen() -> None:
    """A right text that grew or changed since the last prompt is read anew."""
    prompts = Prompts(ScriptedProposer())
    last = prompts.build("a\nb", "c", 10)

    assert prompts.build("a\nb", "cd", 10, last).right == "cd"
    assert prompts.build("a\nb", "d", 10, last).right == "d"
    assert prompts.build("b", "c", 10, last).left == "b"


@given(TEXT, TEXT, TEXT, TEXT, st.integers(16, 90))
def test_the_last_prompt_changes_only_where_it_begins(
    before: str, left: str, right: str, other: str, window: int
) -> None:
    """Both texts are the nearest ones, begin at lines, and fit the window, whatever the last prompt was."""
    proposer = ScriptedProposer([b"a b", b"ab", b"  "], window=window)
    prompts = Prompts(proposer)
    last = prompts.build(before, other, 8)

    prompt = prompts.build(before + left, right, 8, last)

    assert (before + left).endswith(prompt.left)
    assert right.startswith(prompt.right)
    assert len(prompt.tokens) + prompt.room <= window
    if len(proposer.encode(before + left)) + len(proposer.encode(right)) + 3 + prompt.room <= window * 7 // 8:
        assert prompt.right == right


def test_an_order_is_taken_where_the_model_knows_it() -> None:
    """The prompt has the order that was asked for, or the one that there is."""
    both = ScriptedProposer(specials=["<fim_prefix>", "<fim_suffix>", "<fim_middle>", "<|endoftext|>"])
    one = ScriptedProposer()
    pre, suf, mid = (both.vocabulary.specials[mark] for mark in ("<fim_prefix>", "<fim_suffix>", "<fim_middle>"))

    psm = Prompts(both, Order.PSM).build("a", "b", 10).tokens
    spm = Prompts(both, Order.SPM).build("a", "b", 10).tokens

    assert psm == (pre, ord("a"), suf, ord("b"), mid)
    assert spm == (pre, suf, ord("b"), mid, ord("a"))
    assert Prompts(one, Order.SPM).build("a", "b", 10) == Prompts(one, Order.PSM).build("a", "b", 10)
