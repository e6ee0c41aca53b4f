"""The end of a text: the place with the greatest expected gain, and no text after it once no more can be gained."""

from __future__ import annotations

import math
from itertools import accumulate

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.decoding.finite_quotient import FiniteQuotient
from tests.decoding.scripted_proposer import ScriptedProposer, writes

from dovetail.decoding.acceptance import PARTS, Choice
from dovetail.decoding.completion import Stop
from dovetail.decoding.decoder import complete
from dovetail.decoding.gain import READING, gain
from dovetail.decoding.limits import Limits, Shape

PIECES = (b"a", b" bc", b"d e", "é".encode(), b"\n")
TOKENS = st.lists(st.tuples(st.sampled_from(PIECES), st.floats(0.05, 1)), min_size=1, max_size=7)


def written(tokens: list[tuple[bytes, float]]) -> tuple[bytes, list[Choice]]:
    """Return a text and its tokens, with the probability that each is right after right ones."""
    lengths = accumulate(len(piece) for piece, _ in tokens)
    totals = accumulate(math.log(share) for _, share in tokens)
    choices = [Choice(length, -20.0, -20.0, total) for length, total in zip(lengths, totals, strict=True)]
    return b"".join(piece for piece, _ in tokens), choices


@given(TOKENS)
def test_the_gain_is_the_mean_over_all_users(tokens: list[tuple[bytes, float]]) -> None:
    """Brute force: over the token at which a text goes wrong and both kinds of user, by characters without blanks."""
    text, choices = written(tokens)
    sizes = [len(piece.decode().replace(" ", "").replace("\n", "")) for piece, _ in tokens]
    expected = 0.0
    for right in range(len(tokens) + 1):
        probability = math.prod(share for _, share in tokens[:right])
        if right < len(tokens):
            probability *= 1 - tokens[right][1]
        whole = sum(sizes) if right == len(tokens) else 0
        gained = PARTS * sum(sizes[:right]) + (1 - PARTS) * whole
        expected += probability * (gained - READING * sum(sizes[right:]))

    assert gain(text, choices, len(text)) == pytest.approx(expected)


@given(TOKENS, st.integers(1, 6))
def test_after_a_hopeless_token_every_gain_is_smaller(tokens: list[tuple[bytes, float]], place: int) -> None:
    """Once a beginning is less likely than the bound of `is_hopeless`, no longer text gains more."""
    text, choices = written(tokens)
    assume(place < len(choices))
    assume(math.exp(choices[place - 1].total) < READING / (1 + READING))

    shorter, longer = (gain(text, choices, choices[end].length) for end in (place - 1, place))

    assert longer <= shorter + 1e-9


@pytest.mark.parametrize("shape", [Shape.AUTO, Shape.FREE])
def test_a_hopeless_text_is_not_written_on(shape: Shape) -> None:
    """The model is not asked for more where the text may end and more would be read in vain; experiments go on."""
    pieces = [b"x", b"+y", b"+z", b"+w"]
    proposer = ScriptedProposer(pieces, writes(*pieces), chances={1: 0.1})
    middles = ["x", "x+y", "x+y+z", "x+y+z+w"]

    completion = complete(proposer, lambda: FiniteQuotient(middles), "", "", Limits(20, shape=shape))

    if shape is Shape.FREE:
        assert (completion.text, completion.stop) == ("x+y+z+w", Stop.END)
    else:
        assert (completion.text, completion.stop, completion.tokens) == ("x", Stop.GAIN, 2)


def test_a_text_that_may_end_nowhere_goes_on() -> None:
    """An unlikely text is finished if it is no program before."""
    proposer = ScriptedProposer([b"x", b"+", b"y"], writes(b"x", b"+", b"y"), chances={0: 0.1})

    completion = complete(proposer, lambda: FiniteQuotient(["x+y"]), "", "")

    assert completion.text == "x+y"
    assert completion.acceptance == pytest.approx(0.1, rel=0.01)
