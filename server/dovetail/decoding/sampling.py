"""The order in which a model's tokens are tried: by rank, or as chance draws them.

Ranked first, mask second: a few of the best, more on demand, and the whole vocabulary only when all of them were
refused. Drawing: tokens are drawn from the nucleus of the model's own distribution (Holtzman et al. 2020) without
putting those back that were refused, which is a draw from the nucleus restricted to what fits and renormalised.
The order of such draws is that of the log-probabilities with independent Gumbel noise (Kool et al. 2019), so
one sort stands for all of them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
    from random import Random

    from dovetail.decoding.constraint import Mask
    from dovetail.decoding.limits import Limits
    from dovetail.decoding.proposer import Generation

_RANKS = (8, 64)
"""The number of best tokens that the model is asked for until one fits; after these, the whole vocabulary."""

_FEW = 128
"""If no more tokens fit than these, the model is asked for their scores alone: an engine far away can tell so many."""


def by_rank(
    generation: Generation, size: int, ends: Collection[int], mask: Callable[[], Mask | None]
) -> Iterator[Iterable[tuple[int, float]]]:
    """Yield tokens and their log-probabilities in batches, likeliest first, each token once.

    The model is asked for a batch when that is wanted. `mask` is called before the last batch, the rest of the
    vocabulary of `size` tokens; tokens that it rules out are left out, except those in `ends`, which it does not know.
    """
    seen: set[int] = set()  # two answers may order equal likelihoods differently
    for count in (count for count in _RANKS if count < size):
        batch = generation.ranked(count)
        if seen:
            batch = [pair for pair in batch if pair[0] not in seen]
        yield batch
        seen.update(token for token, _ in batch)
    allowed = mask()
    few = None if allowed is None else _few(allowed, size, ends)
    if few is not None:
        left = [token for token in few if token not in seen]
        pairs = zip(left, generation.scores(left), strict=True)
        yield sorted((pair for pair in pairs if pair[1] > -math.inf), key=lambda pair: (-pair[1], pair[0]))
        return
    yield (pair for pair in generation.ranked(size) if pair[0] not in seen and _passes(pair[0], allowed, ends))


def by_chance(
    generation: Generation,
    limits: Limits,
    random: Random,
    ends: Container[int],
    mask: Callable[[], Mask | None],
) -> Iterator[Iterable[tuple[int, float]]]:
    """Yield the tokens of the nucleus in the order of draws; then, if it is wanted, all others, drawn likewise."""
    nucleus = generation.nucleus(limits.temperature, limits.top_p)
    yield drawn(nucleus, random)
    seen = {token for token, _ in nucleus}
    allowed = mask()
    others = [
        pair
        for pair in generation.nucleus(limits.temperature, 1.0)
        if pair[0] not in seen and _passes(pair[0], allowed, ends)
    ]
    yield drawn(others, random)


def nucleus(scores: Sequence[float], top_p: float) -> int:
    """Return how many of some texts, likeliest first, hold the share `top_p` of their whole probability; at least 1."""
    weights = [math.exp(score - scores[0]) for score in scores]
    most, sum_so_far = top_p * math.fsum(weights), 0.0
    for count, weight in enumerate(weights):
        if count and sum_so_far >= most:
            return count
        sum_so_far += weight
    return len(weights)


def _few(allowed: Mask, size: int, ends: Collection[int]) -> list[int] | None:
    """Return the tokens that a mask lets pass, with those in `ends`; None if they are many."""
    found = set(ends)
    for place in range((size + 7) >> 3):
        byte = int(allowed[place])
        if byte:
            found.update(8 * place + bit for bit in range(8) if byte >> bit & 1)
            if len(found) > _FEW:
                return None
    return sorted(token for token in found if token < size)


def _passes(token: int, allowed: Mask | None, ends: Container[int]) -> bool:
    return allowed is None or token in ends or bool(allowed[token >> 3] >> (token & 7) & 1)


def drawn(pairs: Sequence[tuple[int, float]], random: Random) -> list[tuple[int, float]]:
    """Return tokens in an order drawn by their log-probabilities, without replacement."""
    keyed = [(score - math.log(random.expovariate(1.0)), token, score) for token, score in pairs]
    keyed.sort(reverse=True)
    return [(token, score) for _, token, score in keyed]
