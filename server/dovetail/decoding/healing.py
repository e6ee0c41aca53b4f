"""Token healing: a cursor in the middle of a word is not a boundary between tokens.

A model that has read `ret` as a token has been told that no `return` follows: its tokenizer would have made one
token of that. So the prompt stops before the last token boundary that the cursor may have split, and what was
held back is spelt again by tokens of which the last goes on beyond the cursor. Of all such spellings the one that
the model finds likeliest is wanted, not only of those that begin with one token or with the tokenizer's own: a
best-first search over the beginnings of what was held back, each of which costs one forward pass at most. It is
exact, because a longer spelling is never likelier than its beginning.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from dovetail.decoding.proposer import Proposal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail.decoding.proposer import Generation
    from dovetail.vocabulary.prefix_index import PrefixIndex

_TOKENS = 4
"""How many tokens are held back at most: a longer word was hardly split by the cursor."""

_FIRST, _MORE = 64, 8
"""How many tokens of a ranking are asked for at first, and how many times as many when they were all refused."""


def held_back(tokens: Sequence[int], pieces: Sequence[bytes | None], index: PrefixIndex) -> int:
    """Return how many of a text's last tokens are held back: all that one token could begin with and go on.

    0 where no token goes on from a boundary near the text's end.
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
    """Yield the ways to spell what was held back and to go on, likeliest first; `size` is that of the vocabulary.

    Leaves the generation as it was before each is yielded. A spelling whose path is all of what was held back
    goes on with any token, special ones too.
    """
    # An entry is (−log-probability, order of arrival, path, what is left of the held text, the tokens that may
    # come next, likeliest last; None where the model has not been asked yet).
    arrivals = 0
    asked: dict[tuple[int, ...], int] = {}  # path → how many of the tokens after it the model was asked for
    heap: list[tuple[float, int, tuple[int, ...], bytes, list[tuple[int, float]] | None]] = [(0.0, 0, (), held, None)]
    while heap:
        cost, _, path, rest, ranked = heapq.heappop(heap)
        if ranked:
            token, score = ranked.pop()
            before = cost + score  # −log-probability of the path alone
            yield Proposal(token, -cost, path, len(rest))
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
            generation.rewind(len(path))
        if ranked:
            arrivals += 1
            heapq.heappush(heap, (before - ranked[-1][1], arrivals, path, rest, ranked))


def _feed(generation: Generation, path: tuple[int, ...]) -> None:
    for token in path:
        generation.feed(token)


def _beyond(generation: Generation, rest: bytes, index: PrefixIndex, count: int) -> list[tuple[int, float]]:
    """Return the tokens that go on beyond a held text with their scores, likeliest last; `count` if it is empty."""
    if not rest:
        return list(reversed(generation.ranked(count)))
    tokens = index.beginning_with(rest)
    return sorted(zip(tokens, generation.scores(tokens), strict=True), key=lambda pair: pair[1])
