"""Judgement of masks: the tokens of a mask beside what the state itself says of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dovetail.comparison.disagreement import Disagreement
from dovetail.masking.mask import unpack

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from numpy.typing import NDArray

    from dovetail.masking.mask import Masker
    from dovetail.quotient.state import State

ASKED = 150
"""Tokens that are asked for by themselves, of those in a mask and of those outside it."""


def drawn_tokens(masker: Masker, state: State, mask: NDArray[np.bool_], random: Random) -> list[int]:
    """Return tokens in a mask and tokens outside it, drawn at random.

    Half of those outside begin with a byte that fits, since where few texts fit most others are plainly wrong.
    """
    pieces = masker.vocabulary.pieces
    outside = np.flatnonzero(~mask).tolist()
    fitting = {first for first in {piece[:1] for piece in pieces if piece} if state.advance(first) is not None}
    near = [token for token in outside if (pieces[token] or b"")[:1] in fitting]
    found: list[int] = []
    for tokens, most in ((np.flatnonzero(mask).tolist(), ASKED), (outside, ASKED // 2), (near, ASKED // 2)):
        found += random.sample(tokens, min(most, len(tokens)))
    return sorted(set(found))


def mask_of(masker: Masker, state: State) -> NDArray[np.bool_]:
    """Return for each token of the vocabulary whether it is in the mask of a state."""
    return unpack(masker.mask(state))[: len(masker.vocabulary.pieces)].astype(np.bool_)


def wrong_tokens(masker: Masker, state: State, mask: NDArray[np.bool_], tokens: Iterable[int]) -> list[int]:
    """Return those of some tokens about which a mask does not say what the state says."""
    pieces = masker.vocabulary.pieces
    return [
        token
        for token in tokens
        if ((piece := pieces[token]) is not None and state.advance(piece) is not None) != mask[token]
    ]


def judge_mask(
    masker: Masker, left: str, middle: str, right: str, random: Random, only: str | None = None
) -> list[Disagreement]:
    """Return where the mask after a middle and the state there disagree, of tokens that are drawn at random.

    `only`: the token to ask for, as `repr` of its bytes. A middle that does not fit is nothing to judge here.
    """
    quotient = masker.language.quotient(left, right, tolerant=False)
    state = quotient.start.advance(middle) if quotient.viable else None
    if state is None:
        return []
    mask, pieces = mask_of(masker, state), masker.vocabulary.pieces
    if only is None:
        tokens = drawn_tokens(masker, state, mask, random)
    else:
        tokens = [token for token, piece in enumerate(pieces) if repr(piece) == only]
    found = []
    for token in wrong_tokens(masker, state, mask, tokens):
        words = ("the mask has a token", "the state refuses it") if mask[token] else (
            "the mask lacks a token", "the state takes it"
        )  # fmt: skip
        found.append(Disagreement("mask", left, middle, right, *words, repr(pieces[token]), grain=1))
    return found
