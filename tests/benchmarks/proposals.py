"""`advance` along what the embedded model tries, right and wrong: its best tokens at each step of a completion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.benchmarks.series import Series

from dovetail.decoding.prompt import Prompts
from dovetail.model.error import ModelError
from dovetail.model.hosting import load_model

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.benchmarks.contexts import Context

    from dovetail import Language
    from dovetail.decoding.proposer import Proposer

FITS, REFUSED = "advance, model: fits", "advance, model: refused"
KINDS = (FITS, REFUSED)

_STEPS = 24  # tokens of a completion
_RANKS = 8  # of the model's best tokens, all tried


def embedded_model() -> Proposer | str:
    """Return the embedded model on one processor, or why there is none."""
    try:
        model = load_model()
    except ModelError as error:
        return str(error)
    import torch

    torch.set_num_threads(1)  # threads that wait would be counted with what comes after them
    return model


def measure(language: Language, contexts: Sequence[Context], model: Proposer) -> dict[str, Series]:
    """Return the durations of `advance` for the model's tokens, those that fit and those that are refused."""
    series = {kind: Series() for kind in KINDS}
    pieces = model.vocabulary.pieces
    for context in contexts:
        state = language.quotient(context.left, context.right).start
        generation = model.begin(Prompts(model).build(context.left, context.right, _STEPS).tokens)
        for _ in range(_STEPS):
            taken = None
            for token, _ in generation.ranked(_RANKS):
                piece = pieces[token]
                if piece is None:
                    continue
                timed = Series()
                after = timed.time(state.advance, piece)
                series[REFUSED if after is None else FITS].durations += timed.durations
                if taken is None and after is not None:
                    taken = token, after
            if taken is None:
                break
            generation.feed(taken[0])
            state = taken[1]
    return series
