"""Drawing tokens: the model's own nucleus, restricted to what fits and renormalised."""

from __future__ import annotations

import math
from collections import Counter
from itertools import chain
from random import Random

import pytest
from tests.decoding.finite_quotient import FiniteQuotient
from tests.decoding.scripted_proposer import ScriptedProposer

from dovetail.decoding.decoder import complete
from dovetail.decoding.limits import Limits
from dovetail.decoding.sampling import by_chance, by_rank, nucleus

DRAWS = 4000


def ranking(*letters: str) -> ScriptedProposer:
    """Return a model that likes these letters in this order, each e times less than the one before, then to end."""
    return ScriptedProposer([], lambda proposer, text: [] if text else [ord(letter) for letter in letters])


@pytest.mark.parametrize("temperature", [0.7, 1.0, 1.6])
def test_draws_are_those_of_the_restricted_nucleus(temperature: float) -> None:
    """Of a nucleus of which some tokens fit, these are drawn as often as their probabilities say."""
    weights = {letter: math.exp(-place / temperature) for place, letter in enumerate("abcdef")}
    total = sum(weights.values())
    inside = [letter for place, letter in enumerate("abcdef") if sum(list(weights.values())[:place]) < 0.95 * total]
    middles = [letter for letter in "ace" if letter in inside]
    expected = {letter: weights[letter] / sum(weights[other] for other in middles) for letter in middles}
    assert len(middles) > 1

    counts = Counter(
        complete(
            ranking(*"abcdef"),
            lambda: FiniteQuotient("ace"),
            "",
            "",
            Limits(max_tokens=1, temperature=temperature, top_p=0.95, seed=seed),
        ).text
        for seed in range(DRAWS)
    )

    assert set(counts) == set(middles)
    for letter, share in expected.items():
        # Four standard deviations of a binomial count.
        assert abs(counts[letter] - DRAWS * share) < 4 * math.sqrt(DRAWS * share * (1 - share)) + 1


def test_where_nothing_of_the_nucleus_fits_the_others_are_drawn() -> None:
    """A token outside of the nucleus is drawn if all of it is refused, by the probabilities of those that fit."""
    counts = Counter(
        complete(
            ranking(*"abcdef"), lambda: FiniteQuotient("ef"), "", "", Limits(max_tokens=1, temperature=1.0, seed=seed)
        ).text
        for seed in range(DRAWS)
    )

    share = 1 / (1 + math.exp(-1))
    assert set(counts) == {"e", "f"}
    assert abs(counts["e"] - DRAWS * share) < 4 * math.sqrt(DRAWS * share * (1 - share))


def test_the_same_seed_draws_the_same() -> None:
    """A request has one completion for each seed."""

    def drawn(seed: int) -> str | None:
        limits = Limits(max_tokens=4, temperature=3.0, top_p=1.0, seed=seed)
        proposer = ScriptedProposer([], lambda proposer, text: [ord("a"), ord("b"), ord("c"), proposer.end])
        middles = [first + second for first in "abc" for second in "abc"]
        return complete(proposer, lambda: FiniteQuotient(middles), "", "", limits).text

    assert [drawn(seed) for seed in range(20)] == [drawn(seed) for seed in range(20)]
    assert len({drawn(seed) for seed in range(20)}) > 3


def test_the_mask_spares_the_questions() -> None:
    """Only where the best were all refused is the mask asked, and what it rules out is not proposed."""
    proposer = ScriptedProposer([b"z%d" % number for number in range(900)])
    size = len(proposer.vocabulary.pieces)
    generation = proposer.begin([])
    asked: list[int] = []

    def mask() -> bytes:
        asked.append(len(seen))
        return bytes(1 << 7 if byte == 1000 // 8 else 0 for byte in range(size // 8 + 1))

    seen: list[int] = []
    for token, _ in chain.from_iterable(by_rank(generation, size, {proposer.end}, mask)):
        seen.append(token)

    assert seen == [*range(64), 1007, proposer.end]  # a mask knows nothing of ends
    assert asked == [64]

    limits = Limits(temperature=1.0, top_p=0.5)
    batches = by_chance(generation, limits, Random(1), {proposer.end}, mask)
    drawn = [token for token, _ in chain.from_iterable(batches)]
    assert set(drawn[-2:]) == {1007, proposer.end}
    assert len(drawn) <= 4


@pytest.mark.parametrize(
    ("chances", "top_p", "count"),
    [([1.0], 0.1, 1), ([0.5, 0.3, 0.2], 0.5, 1), ([0.5, 0.3, 0.2], 0.51, 2), ([0.5, 0.3, 0.2], 1.0, 3),
     ([1.0, 1e-30, 1e-40], 0.99, 1), ([1e-200, 0.9e-200], 0.6, 2)],
)  # fmt: skip
def test_the_nucleus_of_some_texts(chances: list[float], top_p: float, count: int) -> None:
    """The fewest of the likeliest that together have a part of what all have."""
    assert nucleus([math.log(chance) for chance in chances], top_p) == count


def test_the_first_token_is_of_the_nucleus_too() -> None:
    """Tokens that spell the text that was held back are drawn from the likeliest spellings only."""
    words = [b" a", b" b", b" c"]
    texts = set()
    for seed in range(40):
        proposer = ScriptedProposer(words, lambda proposer, text: [*(proposer.token(word) for word in words)])
        limits = Limits(max_tokens=4, temperature=1.0, top_p=0.6, seed=seed)
        texts.add(complete(proposer, lambda: FiniteQuotient(["a", "b", "c"]), "x = ", "\n", limits).text)

    assert texts == {"a"}
