"""The mask of a whole vocabulary along true middles, one text after the other, as a server would meet them.

What a mask costs depends on what was met before: so the first texts are kept apart from the later ones, and the
same texts are measured once more, where everything was met. Groups are made before, and are on disk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.benchmarks.series import Series
from tests.benchmarks.vocabularies import tokenizer, vocabulary

from dovetail.masking.mask import Masker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.benchmarks.contexts import Context

    from dovetail import Language

FIRST, LATER, AGAIN, ADVANCE = "mask, first texts", "mask, later texts", "mask, texts met before", "advance, a token"
KINDS = (FIRST, LATER, AGAIN, ADVANCE)


def measure(language: Language, name: str, first: Sequence[Context], later: Sequence[Context]) -> dict[str, Series]:
    """Return the durations of each kind for a vocabulary of `vocabularies`; every true token must be in its mask."""
    series = {kind: Series() for kind in KINDS}
    passes = [(FIRST, first), (LATER, later), (AGAIN, later)]
    # A masker whose groups are all on disk, and that knows nothing else.
    _follow(Masker(language, vocabulary(name)), language, name, [*first, *later], Series(), Series())
    masker = Masker(language, vocabulary(name))
    for kind, contexts in passes:
        _follow(masker, language, name, contexts, series[kind], series[ADVANCE])
    return series


def _follow(
    masker: Masker, language: Language, name: str, contexts: Sequence[Context], masks: Series, advances: Series
) -> None:
    pieces = masker.vocabulary.pieces
    for context in contexts:
        state = language.quotient(context.left, context.right).start
        for token in tokenizer(name).encode(context.middle).ids:
            mask = masks.time(masker.mask, state)
            piece = pieces[token]
            assert piece is not None
            assert mask[token // 8] >> token % 8 & 1, f"{context.source}: the true token {piece!r} is not allowed"
            following = advances.time(state.advance, piece)
            assert following is not None
            state = following
