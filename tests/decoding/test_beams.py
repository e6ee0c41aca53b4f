"""Beam search: greedy with one beam, exact with enough, never worse than greedy, and always a text that fits."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.decoding.finite_quotient import FiniteQuotient
from tests.decoding.scripted_proposer import BatchedScript, ScriptedProposer, at_random
from tests.decoding.test_step import task_of

import dovetail
from dovetail.decoding.beams import BeamSearch
from dovetail.decoding.cancellation import Never
from dovetail.decoding.completion import Stop
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits, Shape
from dovetail.decoding.request import Request
from dovetail.decoding.rows import begin_rows
from dovetail.decoding.stopwatch import Stopwatch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail.decoding.completion import Completion

MIDDLES = st.sets(st.text("ab(", min_size=1, max_size=5), min_size=1, max_size=6)
PIECES = [b"ab", b"(a", b"ba("]
SEEDS = st.integers(0, 1 << 32)

ALL = 400
"""More beams than there are tokens, and more than there are beginnings of the texts here."""


class Weighed(BatchedScript):
    """A proposer whose tokens are likelier the fewer come before them in a random order; a few tokens only."""

    def __init__(self, seed: int) -> None:
        super().__init__(PIECES, self._ranked)
        self._order = at_random(seed)

    def _ranked(self, _: ScriptedProposer, text: bytes) -> list[int]:
        wanted = {*b"ab(", *(self.token(piece) for piece in PIECES), self.end}
        return [token for token in self._order(self, text) if token in wanted]


def search(proposer: ScriptedProposer, middles: Iterable[str], beams: int, count: int = 1) -> list[Completion]:
    """Return the texts of a search, which cuts nothing off."""
    limits = Limits(16, shape=Shape.FREE, beams=beams)
    task = task_of(proposer, middles, limits)
    request = Request("", "", lambda: FiniteQuotient(middles), limits)
    row = begin_rows(proposer, task.prompt.tokens).first
    return BeamSearch(request, task, (), count, Stopwatch()).run(row)


def likelihood(proposer: ScriptedProposer, text: str) -> float:
    """Return the greatest log-probability of the ways to spell a text and to end, by brute force."""
    data = text.encode()

    def best(written: bytes) -> float:
        scores = {token: -float(place) for place, token in enumerate(proposer.rank(written))}
        if written == data:
            return scores[proposer.end]
        spelled = (
            (scores[token], written + piece)
            for token in scores
            if (piece := proposer.vocabulary.pieces[token]) and data.startswith(written + piece)
        )
        return max((score + best(longer) for score, longer in spelled), default=-math.inf)

    return best(b"")


@settings(max_examples=50)
@given(MIDDLES, SEEDS)
def test_one_beam_is_greedy(middles: set[str], seed: int) -> None:
    """A search with one beam has the text of greedy decoding, its closing and its reason to stop."""
    limits = Limits(16, shape=Shape.FREE)
    greedy = Decoder(Weighed(seed)).complete(Request("", "", lambda: FiniteQuotient(middles), limits))

    (one,) = search(Weighed(seed), middles, 1)

    assert (one.text, one.stop, one.closing) == (greedy.text, greedy.stop, greedy.closing)


@settings(max_examples=50)
@given(MIDDLES, SEEDS)
def test_enough_beams_find_the_likeliest_texts(middles: set[str], seed: int) -> None:
    """With as many beams as there are beginnings the texts are the likeliest of all, in order, by brute force."""
    proposer = Weighed(seed)
    expected = sorted((likelihood(proposer, text) for text in middles), reverse=True)

    found = search(proposer, middles, ALL, count=3)

    scores = [likelihood(proposer, completion.text or "") for completion in found]
    assert scores == pytest.approx(expected[:3])
    assert len({completion.text for completion in found}) == len(found)


@settings(max_examples=50)
@given(MIDDLES, SEEDS, st.integers(2, 4))
def test_the_best_of_a_beam_is_at_least_as_likely_as_the_greedy_text(middles: set[str], seed: int, beams: int) -> None:
    """The greedy text is never lost on the way to worse ones, and every text of the beam fits."""
    proposer = Weighed(seed)
    (greedy,) = search(proposer, middles, 1)

    found = search(proposer, middles, beams)

    assert {completion.text for completion in found} <= middles
    assert likelihood(proposer, found[0].text or "") >= likelihood(proposer, greedy.text or "") - 1e-9


@settings(max_examples=25)
@given(MIDDLES, SEEDS)
def test_rows_in_turn_find_what_a_batch_finds(middles: set[str], seed: int) -> None:
    """A proposer without batches has the same texts in the same order."""
    batched = Weighed(seed)
    in_turn = ScriptedProposer(PIECES, batched._ranked)

    texts = [[one.text for one in search(proposer, middles, 3, count=3)] for proposer in (batched, in_turn)]

    assert texts[0] == texts[1]
    assert batched.rows[1:] == []  # all but the first row are dropped


PLACES = [
    ("x = f(a", "\n"),
    ("def total(values):\n    return ", "\n"),
    ("import os\nfor name in os.li", ":\n    print(name)\n"),
    ("", "x = 1\n"),
]


@pytest.mark.parametrize(("left", "right"), PLACES)
@pytest.mark.parametrize("seed", range(4))
def test_every_text_of_a_beam_is_a_program_with_both_sides(left: str, right: str, seed: int) -> None:
    """Each text fits within its tokens whatever a model prefers, also where the cursor splits a token."""
    language = dovetail.load_language("python", target="3.11")
    proposer = BatchedScript([b"list", b"listdir", b"return", b"(a)", b"\n"], at_random(seed))
    limits = Limits(12, beams=3)

    found = Decoder(proposer).candidates(Request(left, right, lambda: language.quotient(left, right), limits), 3)

    for completion in found:
        if completion.text is not None:
            assert language.accepts(left + completion.text + right)
            assert completion.tokens <= limits.max_tokens
    assert proposer.rows == []


def test_beams_that_are_interrupted_offer_what_fits() -> None:
    """Every beginning is closed as it is when the time is up; a request that was cancelled has no text."""
    now = [0.0]

    def clock() -> float:
        now[0] += 1.0
        return now[0]

    middles = ["a" * 12, "b" * 12]
    for cancelled in (False, True):
        token = Never() if not cancelled else SimpleNamespace(cancelled=True)
        limits = Limits(16, seconds=20.0, beams=3)
        request = Request("", "", lambda: FiniteQuotient(middles), limits, token)
        found = Decoder(BatchedScript(), clock=clock).candidates(request, 2)
        assert [one.stop for one in found][:1] == [Stop.CANCELLED if cancelled else Stop.TIME]
        assert {one.text for one in found} <= ({None} if cancelled else set(middles))


def test_nothing_is_drawn_with_beams() -> None:
    """A temperature above 0 together with beams is a mistake of the caller."""
    with pytest.raises(ValueError, match="temperature"):
        Limits(temperature=1.0, beams=2)
