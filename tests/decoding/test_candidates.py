"""Several completions of one place: they differ, and what brings no other is not tried again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.decoding.finite_quotient import FiniteQuotient
from tests.decoding.scripted_proposer import ScriptedProposer

import dovetail
from dovetail.decoding.completion import Stop
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits
from dovetail.decoding.request import Request

if TYPE_CHECKING:
    from collections.abc import Sequence


@pytest.fixture(name="language", scope="module")
def _language() -> dovetail.Language:
    return dovetail.load_language("python", target="3.11")


def likes(*pieces: bytes) -> ScriptedProposer:
    """Return a model that would begin with these pieces, the best first, and end behind them; none is an ending."""

    def rank(proposer: ScriptedProposer, text: bytes) -> Sequence[int]:
        wanted = [proposer.token(piece) if piece else proposer.end for piece in pieces]
        if text.endswith(tuple(piece for piece in pieces if piece)):
            wanted = [proposer.end]
        return [*wanted, *(token for token in range(len(proposer.vocabulary.pieces)) if token not in wanted)]

    return ScriptedProposer([piece for piece in pieces if len(piece) > 1], rank)


def test_candidates_differ() -> None:
    """Several candidates have different texts, the first is the one that is offered alone, all of them fit."""
    middles = ["alpha", "beta", "gamma", "gamma + 1"]
    proposer = ScriptedProposer([b"alpha", b"beta", b"gamma"], lambda proposer, text: [258, 256, 257, proposer.end])
    decoder = Decoder(proposer)
    request = Request("", "\n", lambda: FiniteQuotient(middles))

    alone = decoder.complete(request)
    three = decoder.candidates(request, 3)
    drawn = decoder.candidates(
        Request("", "\n", lambda: FiniteQuotient(middles), Limits(temperature=2.0, top_p=1.0, seed=3)), 3
    )

    assert alone.text == "gamma"
    assert [completion.text for completion in three] == ["gamma", "alpha", "beta"]
    assert len({completion.text for completion in drawn}) == 3
    assert {completion.text for completion in drawn} <= set(middles)


def test_there_may_be_fewer_candidates_than_wanted() -> None:
    """Where only one text fits there is one candidate, and where none does one reason."""
    proposer = ScriptedProposer()
    decoder = Decoder(proposer)

    (one,) = decoder.candidates(Request("", "", lambda: FiniteQuotient(["ab"])), 3)
    (none,) = decoder.candidates(Request("", "", lambda: FiniteQuotient([])), 3)

    assert (one.text, none.text) == ("ab", None)
    assert len(proposer.prompts) == 2  # the second finds nothing else to begin with


@pytest.mark.parametrize(
    ("left", "right", "pieces", "texts"),
    [
        ("x = f(a", "\n", [b")", b", b)", b", c)"], [")", ", b)", ", c)"]),
        ("x = f(a", "\n", [b")\n", b", b)", b", c)"], [")", ", b)", ", c)"]),
        ("if f(a", "\n    pass\n", [b"):\n", b", b):", b", c):"], ["):", ", b):", ", c):"]),
        ("x = f(a)", "\n", [b"", b".b", b".c"], [".b", ".c"]),
        ("x = [a", "] + b\n", [b"]", b", b", b", c"], [", b", ", c"]),
    ],
)
def test_whatever_came_first_the_next_candidate_begins_in_another_way(
    left: str, right: str, pieces: list[bytes], texts: list[str], language: dovetail.Language
) -> None:
    """A token that ends the line, an end at once and what follows anyway come first once, as any token does."""
    proposer = likes(*pieces)
    request = Request(left, right, lambda: language.quotient(left, right), Limits(max_tokens=16))

    found = Decoder(proposer).candidates(request, len(texts))

    assert [completion.text for completion in found] == texts
    assert len(proposer.prompts) == len(pieces)


def test_where_the_model_would_end_and_nothing_else_fits_the_reason_is_the_first() -> None:
    """An end that came first is left out once; then there is nothing left, and no more attempts are made."""
    proposer = likes(b"")

    (none,) = Decoder(proposer).candidates(Request("", "", lambda: FiniteQuotient([""])), 3)

    assert (none.text, none.stop) == (None, Stop.SHORT)
    assert len(proposer.prompts) == 2


def test_what_is_drawn_may_come_again() -> None:
    """Drawn attempts leave nothing out, so each of them may bring another text, whatever came before."""
    proposer = likes(b"a", b"b")
    limits = Limits(temperature=1.0, top_p=1.0)

    found = Decoder(proposer).candidates(Request("", "", lambda: FiniteQuotient(["a"]), limits), 2)

    assert [completion.text for completion in found] == ["a"]
    assert len(proposer.prompts) == 6
