"""Places in sources of this package, and what a model writes there."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING

from tests.decoding.test_cases import language

from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits
from dovetail.decoding.request import Request
from dovetail.masking.mask import Masker
from dovetail.model.hosting import EMBEDDED
from dovetail.vocabulary.vocabulary import Vocabulary

if TYPE_CHECKING:
    from dovetail.decoding.proposer import Proposer

SOURCES = ("decoding/decoder.py", "completer/gc_pauses.py", "model/encoding.py", "decoding/plan.py")

TOKENS = Limits(max_tokens=16)


def cuts() -> list[tuple[str, str]]:
    """Return places in sources of this package, most of them in the middle of a token."""
    chance = random.Random(5)
    found = []
    for name in SOURCES:
        text = (EMBEDDED.parents[1] / name).read_text("utf-8")
        place = chance.randrange(len(text))
        found.append((text[:place], text[text.find("\n", place) :]))
    return found


@cache
def masker(pieces: tuple[bytes | None, ...]) -> Masker:
    """Return the masker of a vocabulary, whose tables are made once."""
    return Masker(language("python"), Vocabulary(pieces, {}, frozenset()))


def written(proposer: Proposer, left: str, right: str, options: Limits) -> str | None:
    """Return what a model writes at a place; None for nothing."""
    known = language("python")
    request = Request(
        left, right, lambda: known.quotient(left, right), options,
        open_masker=lambda: masker(proposer.vocabulary.pieces),
    )  # fmt: skip
    return Decoder(proposer).complete(request).text
