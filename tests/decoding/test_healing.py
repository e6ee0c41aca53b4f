"""Token healing against every tokenization there is."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from tests.decoding.finite_quotient import FiniteQuotient
from tests.decoding.scripted_proposer import ScriptedProposer, at_random

from dovetail.decoding.decoder import complete
from dovetail.decoding.healing import spellings
from dovetail.decoding.limits import Limits
from dovetail.vocabulary.prefix_index import PrefixIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PIECES = st.lists(st.text("abc ", min_size=2, max_size=4).map(str.encode), max_size=8, unique=True)


@given(PIECES, st.binary(max_size=5))
def test_the_index_finds_what_a_look_at_every_piece_finds(pieces: list[bytes], text: bytes) -> None:
    """The tokens that begin with a text, and those that it begins with, are those of the whole vocabulary."""
    proposer = ScriptedProposer([*pieces, b"\xff\xff", b"\xff\xffa"])
    known = proposer.vocabulary.pieces
    index = PrefixIndex(known)
    text = text if len(text) % 2 else bytes(b"abc \xff"[byte % 5] for byte in text)

    beginning = [token for token, piece in enumerate(known) if piece and piece.startswith(text) and piece != text]
    within = [(token, piece) for token, piece in enumerate(known) if piece and text.startswith(piece)]

    assert sorted(index.beginning_with(text)) == beginning
    assert index.goes_on(text) == bool(beginning)
    assert sorted(index.within(text)) == sorted(within)


def tokenizations(text: bytes, pieces: Sequence[bytes | None]) -> list[tuple[int, ...]]:
    """Return every way to spell a text."""
    ways: list[tuple[int, ...]] = [()] if not text else []
    for token, piece in enumerate(pieces):
        if piece and text.startswith(piece):
            ways += [(token, *rest) for rest in tokenizations(text[len(piece) :], pieces)]
    return ways


@given(PIECES, st.text("abc ", max_size=4), st.integers(0, 1000))
def test_spellings_come_by_likelihood_over_all_tokenizations(pieces: list[bytes], held: str, seed: int) -> None:
    """The spellings are all there are, likeliest first, with the scores that the model gives their tokens."""
    proposer = ScriptedProposer(pieces, at_random(seed))
    known, text = proposer.vocabulary.pieces, held.encode()

    def score(path: Sequence[int]) -> float:
        generation = proposer.begin([])
        total = 0.0
        for token in path:
            total += generation.scores([token])[0]
            generation.feed(token)
        return total

    expected = []
    for cut in range(len(text) + 1):
        beyond = [
            token
            for token, piece in enumerate(known)
            if cut == len(text) or (piece and piece.startswith(text[cut:]) and piece != text[cut:])
        ]
        expected += [(*path, token) for path, token in product(tokenizations(text[:cut], known), beyond)]

    generation = proposer.begin([])
    found = list(spellings(generation, text, PrefixIndex(known), len(known)))

    assert generation.text == b""
    assert sorted((*spelling.path, spelling.token) for spelling in found) == sorted(expected)
    scores = [spelling.score for spelling in found]
    assert scores == sorted(scores, reverse=True)
    for spelling in found[:5]:
        assert math.isclose(spelling.score, score((*spelling.path, spelling.token)))
        spelt = b"".join(known[token] or b"" for token in spelling.path)
        assert text == spelt + text[len(text) - spelling.skipped :]


def continuing(*words: tuple[bytes, ...]) -> Callable[[ScriptedProposer, bytes], list[int]]:
    """Return the script of a model that likes texts in this order, by the tokens that spell them."""

    def rank(proposer: ScriptedProposer, text: bytes) -> list[int]:
        wanted = []
        for word in words:
            spelt = b""
            for piece in (*word, b""):
                if spelt == text:
                    wanted.append(proposer.token(piece) if piece else proposer.end)
                spelt += piece
        rest = range(len(proposer.vocabulary.pieces))
        return [*dict.fromkeys(wanted), *(token for token in rest if token not in wanted)]

    return rank


def healed(proposer: ScriptedProposer, left: str, middles: list[str]) -> str | None:
    return complete(proposer, lambda: FiniteQuotient(middles), left, "\n", Limits()).text


def test_a_word_that_the_cursor_split_is_finished() -> None:
    """After `ret` the model's `return` is taken, though `ret` is a token, and only what is new is inserted."""
    proposer = ScriptedProposer([b"ret", b"return", b" x"], continuing((b"return", b" x"), (b"ret", b"q")))

    assert healed(proposer, "    ret", ["urn", "urn x", "q", "ry"]) == "urn x"


def test_the_tokenizers_own_spelling_is_one_of_them() -> None:
    """The model has its way if it likes best what begins after the cursor, or in the middle of the word."""
    pieces = [b"ret", b"return", b"re", b"try"]

    after = ScriptedProposer(pieces, continuing((b"ret", b"q")))
    inside = ScriptedProposer(pieces, continuing((b"re", b"try")))

    assert healed(after, "ret", ["urn", "q", "ry"]) == "q"
    assert healed(inside, "ret", ["urn", "q", "ry"]) == "ry"


def test_after_a_blank_the_token_that_begins_with_it_is_found() -> None:
    """After a space or a tab, tokens that begin with it are proposed as if it had not been typed."""
    for blank in (" ", "\t", "    "):
        word = f"{blank}name".encode()
        proposer = ScriptedProposer([word], continuing((word,), (blank.encode(), b"q") if len(blank) == 1 else (word,)))

        assert healed(proposer, f"x ={blank}", ["name", "q"]) == "name"


def test_a_refused_spelling_makes_way_for_the_next() -> None:
    """A spelling that does not fit is refused like any token."""
    proposer = ScriptedProposer([b"return", b"retry"], continuing((b"return",), (b"retry",)))

    assert healed(proposer, "ret", ["ry"]) == "ry"
