"""Texts that a model writes by itself."""

from __future__ import annotations

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer, at_random, writes

from dovetail.decoding.limits import Shape
from dovetail.decoding.prompt import Prompts
from dovetail.evaluation.unconstrained import BUDGET, ENDED, LINE, Written, write


def written(proposer: ScriptedProposer, left: str = "", tokens: int = 8, shape: Shape = Shape.FREE) -> Written:
    prompts = Prompts(proposer)
    prompt = prompts.build(left, "", tokens)
    return write(proposer.begin(prompt.tokens), prompt, proposer, prompts.index, shape, lambda: 0.0)


def test_it_ends_where_the_model_ends() -> None:
    """All tokens before the end token make the text."""
    result = written(ScriptedProposer([b"foo", b"(x)"], writes(b"foo", b"(x)")))

    assert (result.text, result.reason, result.pieces) == ("foo(x)", ENDED, (b"foo", b"(x)"))
    assert result.prefixes() == ["", "foo", "foo(x)"]


def test_its_tokens_are_used_up() -> None:
    """A model that does not end is stopped after as many tokens as it may have."""
    result = written(ScriptedProposer([b"ab"], writes(*[b"ab"] * 20)), tokens=5)

    assert (result.text, result.reason) == ("ab" * 5, BUDGET)


def test_one_line() -> None:
    """The text ends with the first line that has content if a line is asked for, within a token if need be."""
    pieces = [b"\n", b"x", b" =", b" 1\ny", b" = 2"]

    result = written(ScriptedProposer(pieces, writes(*pieces)), shape=Shape.LINE)

    assert (result.text, result.reason) == ("\nx = 1", LINE)
    assert len(result.pieces) == 4


def test_special_tokens_stand_for_no_text() -> None:
    """A mark in the middle of a text brings nothing and ends nothing."""
    marks = ScriptedProposer([b"ab"])
    mark = marks.vocabulary.specials["<|fim_prefix|>"]
    script = [marks.token(b"ab"), mark, marks.token(b"ab"), marks.end]

    class Generation:
        def __init__(self) -> None:
            self.fed = 0

        def ranked(self, count: int) -> list[tuple[int, float]]:
            return [(script[self.fed], 0.0)]

        def feed(self, token: int) -> None:
            assert token == script[self.fed]
            self.fed += 1

        def start(self, draft: object = ()) -> None:
            pass

    prompts = Prompts(marks)
    prompt = prompts.build("", "", 8)
    result = write(Generation(), prompt, marks, prompts.index, Shape.FREE, lambda: 0.0)  # type: ignore[arg-type]

    assert (result.text, result.pieces) == ("abab", (b"ab", b"", b"ab"))


def test_what_was_held_back_is_spelt_first() -> None:
    """A cursor within a word: the token that goes on from it is found, and only what is new counts."""
    proposer = ScriptedProposer([b"return", b" x"], writes(b"return", b" x"))

    result = written(proposer, left="ret")

    assert (result.text, result.reason) == ("urn x", ENDED)


def test_half_a_character_is_no_beginning() -> None:
    """A token may end inside a character; such a beginning is left out, and at the end it is lost."""
    whole = written(ScriptedProposer([b"\xc3", b"\xa9"], writes(b"\xc3", b"\xa9")))
    half = written(ScriptedProposer([b"a\xc3"], writes(b"a\xc3")))

    assert (whole.text, whole.prefixes()) == ("é", ["", None, "é"])
    assert (half.text, half.prefixes()) == ("a\N{REPLACEMENT CHARACTER}", ["", None])


@pytest.mark.parametrize("seed", range(6))
def test_drafts_change_nothing(seed: int) -> None:
    """The tokens are those that the model ranks first, one after the other, whatever was guessed before."""
    repeating = writes(*[b"ab", b"cd", b"e"] * 9)

    def rank(proposer: ScriptedProposer, text: bytes) -> list[int]:
        return list((repeating if len(text) % 7 != seed else at_random(seed))(proposer, text))

    proposer = ScriptedProposer([b"ab", b"cd", b"e"], rank)
    result = written(proposer, left="abcdeabcde abcde", tokens=30)

    generation = ScriptedProposer([b"ab", b"cd", b"e"], rank).begin(())
    expected: list[bytes] = []
    while len(expected) < 30:
        [(token, _)] = generation.ranked(1)
        if token == proposer.end:
            break
        expected.append(proposer.vocabulary.pieces[token] or b"")
        generation.feed(token)
    assert list(result.pieces) == expected
    assert any(proposer.drafts)
