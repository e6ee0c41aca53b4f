"""The fakes of these tests keep the promises that the real ones make."""

from __future__ import annotations

from tests.decoding.finite_quotient import FiniteQuotient
from tests.decoding.scripted_proposer import ScriptedProposer, at_random, writes


def test_encoding_spells_the_text() -> None:
    """The tokens of a text have its bytes, long tokens first, and special tokens are no text."""
    proposer = ScriptedProposer([b"foo", b"fo"])

    tokens = proposer.encode("fofoo<|endoftext|>é")

    pieces = [proposer.vocabulary.pieces[token] for token in tokens]
    assert pieces[:2] == [b"fo", b"foo"]
    assert b"".join(piece or b"" for piece in pieces) == "fofoo<|endoftext|>é".encode()


def test_script_is_followed() -> None:
    """A script's pieces are ranked first in their order, and then the end."""
    proposer = ScriptedProposer([b"foo"], writes(b"foo", b"("))
    generation = proposer.begin([1, 2])

    wanted = []
    for _ in range(3):
        ((token, _),) = generation.ranked(1)
        wanted.append(token)
        generation.feed(token)

    assert wanted == [proposer.token(b"foo"), proposer.token(b"("), proposer.end]
    assert proposer.prompts == [(1, 2)]
    assert proposer.asked == [1, 1, 1]


def test_ranks_hold_each_token_once() -> None:
    """Every script orders the whole vocabulary, and the same way each time."""
    for rank in (None, writes(b"a"), at_random(3)):
        proposer = ScriptedProposer([b"foo"], rank)

        ranked = [token for token, _ in proposer.begin([]).ranked(1000)]

        assert sorted(ranked) == list(range(len(proposer.vocabulary.pieces)))
        assert ranked == [token for token, _ in proposer.begin([]).ranked(1000)]


def test_finite_quotient() -> None:
    """A state exists while a middle begins so, accepts at a middle's end, closes with the shortest rest."""
    start = FiniteQuotient(["", "ab", "abcd", "é"]).start

    after = start.advance("a")
    inside = start.advance("é".encode()[:1])

    assert (start.accepting, start.closing()) == (True, "")
    assert after is not None
    assert (after.accepting, after.closing()) == (False, "b")
    assert after.advance(b"c") is None
    assert inside is not None
    assert inside.closing() is None
    assert not FiniteQuotient([]).viable
