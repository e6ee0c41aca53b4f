"""Token healing: a cursor in the middle of a word is not a boundary between tokens.

A model that has read `ret` as a token has been told that no `return` follows: its tokenizer would have made one
token of that. So the prompt stops before the last token boundary that the cursor may have split. The text after that
boundary is *held*: the first tokens of the completion spell it again, and the last of them goes on beyond the cursor.

All spellings are considered, not only those that begin with one token or with the tokenizer's own. A best-first search
over the beginnings of the held text yields them likeliest first; each beginning costs at most one forward pass. The
order is exact, because a longer spelling is never likelier than its beginning.
"""

from __future__ import annotations

import heapq
import math
from typing import TYPE_CHECKING

from dovetail.decoding.proposer import Proposal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail.decoding.proposer import Generation
    from dovetail.vocabulary.prefix_index import PrefixIndex

_TOKENS = 4
"""The most tokens that are held back; a longer word was hardly split by the cursor."""

_FIRST, _MORE = 64, 8
"""Tokens of a ranking that are asked for at first, and the factor for each further time."""


def held_back(tokens: Sequence[int], pieces: Sequence[bytes | None], index: PrefixIndex) -> int:
    """Return the number of tokens to hold back at the end of a text; 0 if no boundary near the end may be split.

    A boundary may be split if some token of the vocabulary begins with all the text after it and is longer.
    """
    text = b""
    found = 0
    for count, token in enumerate(reversed(tokens[-_TOKENS:]), 1):
        piece = pieces[token]
        if piece is None:
            break
        text = piece + text
        if index.goes_on(text):
            found = count
    return found


def spellings(generation: Generation, held: bytes, index: PrefixIndex, size: int) -> Iterator[Proposal]:
    """Yield the ways to spell held text and to go on, likeliest first; `size` is the vocabulary's.

    The generation is as it was before whenever one is yielded. If a path spells all of the held text, any token may
    follow, special ones too.
    """
    # An entry is (−log-probability, order of arrival, path, rest of the held text, the tokens that may come next,
    # likeliest last; None if the model has not been asked yet).
    arrivals = 0
    asked: dict[tuple[int, ...], int] = {}  # path → number of tokens after it that the model was asked for
    heap: list[tuple[float, int, tuple[int, ...], bytes, list[tuple[int, float]] | None]] = [(0.0, 0, (), held, None)]
    spelled = 0.0  # the probability of all that spells the held text, as far as the model was asked
    while heap:
        cost, _, path, rest, ranked = heapq.heappop(heap)
        if ranked:
            token, score = ranked.pop()
            before = cost + score  # −log-probability of the path alone
            yield Proposal(token, -cost, path, len(rest), math.log(spelled) if spelled > 0 else 0.0)
            if not ranked and not rest and asked[path] < size:
                # Hardly ever are more wanted than the first few. Those of one score may come in another order.
                _feed(generation, path)
                known = dict(generation.ranked(asked[path]))
                asked[path] = min(size, _MORE * asked[path])
                ranked = [pair for pair in reversed(generation.ranked(asked[path])) if pair[0] not in known]
                generation.rewind(len(path))
        else:
            before = cost
            _feed(generation, path)
            further = list(index.within(rest))
            for (token, piece), score in zip(further, generation.scores([token for token, _ in further]), strict=True):
                arrivals += 1
                heapq.heappush(heap, (cost - score, arrivals, (*path, token), rest[len(piece) :], None))
            asked[path] = min(size, _FIRST)
            ranked = _beyond(generation, rest, index, asked[path])
            # After the whole held text any token may follow, one with all of the probability that is there.
            following = 1.0 if not rest else math.fsum(math.exp(score) for _, score in ranked)
            spelled = min(1.0, spelled + math.exp(-before) * following)
            generation.rewind(len(path))
        if ranked:
            arrivals += 1
            heapq.heappush(heap, (before - ranked[-1][1], arrivals, path, rest, ranked))


def _feed(generation: Generation, path: tuple[int, ...]) -> None:
    for token in path:
        generation.feed(token)


def _beyond(generation: Generation, rest: bytes, index: PrefixIndex, count: int) -> list[tuple[int, float]]:
    """Return the tokens that go on beyond a held text, with scores, likeliest last; the best `count` if it is empty."""
    if not rest:
        return list(reversed(generation.ranked(count)))
    tokens = index.beginning_with(rest)
    return sorted(zip(tokens, generation.scores(tokens), strict=True), key=lambda pair: pair[1])
