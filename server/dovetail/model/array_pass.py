"""A pass of tokens through a small model, computed with numpy in 32 bits.

The products of numpy's own library are near what a processor can do at all, so a prompt takes a third of the time that
llama.cpp takes for it (`tests/benchmarks/README.md`). Rows of tokens go through a layer in blocks small enough for the
caches, and threads share them.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dovetail.model.blas_threads import has_one_thread
from dovetail.model.free_cores import free_cores, usable_cores
from dovetail.model.ordered_steps import OrderedSteps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dovetail.model.array_memory import ArrayMemory, SharedStart
    from dovetail.model.array_weights import ArrayLayer, ArrayWeights, Matrix
    from dovetail.model.sequence_context import SequencePart

_BLOCK = 256
"""Rows of a block. A product arranges its matrix anew for each block, which takes a tenth longer with 128 rows; with
512 there are too few blocks for two threads."""

_SEEING = 64
"""Rows whose scores are computed together: so few that these stay in a core's own cache."""

_FEW = 8
"""Rows up to which each is multiplied with each row of a matrix by itself. Then a product takes as long as its matrix
takes to be read, and numpy's products of a matrix and few rows read at a third of that speed."""

_SOME = 64
"""Rows up to which a product takes less time with the matrix on its left: 16 rows two thirds, 64 nine tenths."""

_MOST_THREADS = 4


class RowSpan(NamedTuple):
    """Rows of a pass that are tokens of one sequence."""

    begin: int
    end: int
    sequence: int
    start: int
    """The place in the sequence of the first row."""
    shared: SharedStart | None
    """The first tokens of the sequence, where they are those of another; all rows come after them."""


class RowBlock(NamedTuple):
    """Rows of a pass that go through a layer together."""

    begin: int
    end: int
    spans: tuple[RowSpan, ...]
    """Its parts, counted from its own first row."""
    places: slice | NDArray[np.intp]
    """The place of each row in its sequence, (rows)."""


class ArrayPass:
    """Sends tokens through a model."""

    def __init__(self, weights: ArrayWeights, memory: ArrayMemory) -> None:
        self._weights = weights
        self._memory = memory
        self._epsilon = np.float32(weights.epsilon)
        half = np.arange(0, weights.head_width, 2, dtype=np.float32) / np.float32(weights.head_width)
        speeds = np.float32(1) / np.float32(weights.base) ** half
        angles = np.arange(weights.window, dtype=np.float32)[:, None] * speeds
        self._turns = np.cos(angles) + 1j * np.sin(angles)
        """By place, as complex numbers, (window, head width / 2)."""
        self._later = np.triu(np.full((_SEEING, _SEEING), -np.inf, np.float32), 1)
        """Added to the scores of a block's own tokens: none sees those after it."""
        self._most_threads = min(_MOST_THREADS, usable_cores()) if has_one_thread() else 1
        self._helpers = ThreadPoolExecutor(max(1, self._most_threads - 1), "dovetail-arrays")

    def run(self, parts: Sequence[SequencePart]) -> list[Matrix]:
        """Read parts of different sequences; return the logits (rows, vocabulary) of each."""
        weights = self._weights
        spans = self._spans(parts)
        blocks = _blocks(spans)
        # (rows, width), changed in place
        rows = weights.embedding[np.concatenate([part.tokens for part in parts])]
        most = min(self._most_threads, len(blocks))
        queries: dict[int, Matrix] = {}

        def send(number: int) -> None:
            """Send a block through a layer, and have it tell the next one its keys and values."""
            at, index = divmod(number, len(blocks))
            if at:
                self._advance(at - 1, rows, blocks[index], queries[index])
            queries[index] = self._note(at, rows, blocks[index])

        def helpers_wanted(helping: int) -> int:
            return min(most, free_cores(helping)) - 1 if helping < most - 1 else helping

        # A block needs the keys and values of those before it, which have been through the layer before.
        OrderedSteps(send, len(weights.layers) * len(blocks), len(blocks)).run(self._helpers, helpers_wanted)
        return self._finish(spans, [part.rows for part in parts], rows)

    def _spans(self, parts: Sequence[SequencePart]) -> list[RowSpan]:
        """Return the rows of a pass, with room for them in the memory."""
        memory = self._memory
        for part in parts:
            memory.write(part.sequence, part.start, len(part.tokens))
        spans = []
        begin = 0
        for part in parts:
            end = begin + len(part.tokens)
            spans.append(RowSpan(begin, end, part.sequence, part.start, memory.shared(part.sequence)))
            begin = end
        return spans

    def _finish(self, spans: Sequence[RowSpan], counts: Sequence[int], rows: Matrix) -> list[Matrix]:
        """Return the logits of the last rows of each span; only these go through the rest of the last layer."""
        weights = self._weights
        wanted: list[RowSpan] = []
        kept: list[NDArray[np.intp]] = []
        begin = 0
        for span, count in zip(spans, counts, strict=True):
            kept.append(np.arange(span.end - count, span.end))
            start = span.start + span.end - span.begin - count
            wanted.append(span._replace(begin=begin, end=begin + count, start=start))
            begin += count
        last, block = rows[np.concatenate(kept)], _block(wanted)
        at = len(weights.layers) - 1
        queries = _product(self._normal(last), weights.layers[at].attention[: weights.heads * weights.head_width])
        self._advance(at, last, block, self._heads(self._turn(queries, block.places)))
        logits = self._head(self._normal(last) * weights.norm)
        return [logits[span.begin : span.end] for span in wanted]

    def _head(self, rows: Matrix) -> Matrix:
        """Return the logits of rows, (rows, vocabulary), half of them computed beside the others if a core is free."""
        head = self._weights.head
        if self._most_threads == 1 or free_cores() == 1:
            return _product(rows, head)
        half = len(head) // 2
        second = self._helpers.submit(_product, rows, head[half:])
        first = _product(rows, head[:half])
        return np.concatenate([first, _product(rows, head[half:]) if second.cancel() else second.result()], axis=1)

    def _note(self, at: int, rows: Matrix, block: RowBlock) -> Matrix:
        """Store keys and values of a block for a layer; return its queries (heads, rows, head width)."""
        weights, memory = self._weights, self._memory
        product = _product(self._normal(rows[block.begin : block.end]), weights.layers[at].attention)
        width = (weights.heads + weights.key_heads) * weights.head_width
        turned = self._heads(self._turn(product[:, :width], block.places))
        values = self._heads(product[:, width:])
        for begin, end, sequence, start, _ in block.spans:
            stop = start + end - begin
            memory.keys[at, sequence, :, :, start:stop] = turned[weights.heads :, begin:end].transpose(0, 2, 1)
            memory.values[at, sequence, :, start:stop] = values[:, begin:end]
        return turned[: weights.heads]

    def _advance(self, at: int, rows: Matrix, block: RowBlock, queries: Matrix) -> None:
        """Send a block through a layer, in place; all keys and values before it have to be there."""
        layer = self._weights.layers[at]
        attended = np.empty((block.end - block.begin, self._weights.heads * self._weights.head_width), np.float32)
        for shared, together in groupby(block.spans, lambda span: span.shared):
            spans = list(together)
            if shared is not None:
                begin, end = spans[0].begin, spans[-1].end
                attended[begin:end] = self._attend_together(at, queries[:, begin:end], shared, spans)
                continue
            for begin, end, sequence, start, _ in spans:
                for first in range(begin, end, _SEEING):
                    last = min(first + _SEEING, end)
                    attended[first:last] = self._attend(at, queries[:, first:last], sequence, start + first - begin)
        own = rows[block.begin : block.end]
        own += _product(attended, layer.attended)
        own += _gate(self._normal(own), layer)

    def _attend(self, at: int, queries: Matrix, sequence: int, start: int) -> Matrix:
        """Return what the rows of a sequence see, (rows, heads · head width)."""
        weights = self._weights
        count = queries.shape[1]
        stop, group = start + count, weights.heads // weights.key_heads
        # Queries of one group share their keys, so they are rows of one product.
        queries = queries.reshape(weights.key_heads, group * count, -1)
        keys = self._memory.keys[at, sequence, :, :, :stop]
        scores: Matrix
        if count == 1:
            scores = np.vecmat(queries, keys[:, None])  # a product of so few rows takes half as long again
        else:
            scores = queries @ keys
            own = scores.reshape(weights.key_heads, group, count, stop)[..., start:]
            own += self._later[:count, :count]
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        seen: Matrix = scores @ self._memory.values[at, sequence, :, :stop]  # (key heads, group · rows, head width)
        seen /= scores.sum(axis=-1, keepdims=True)
        return seen.reshape(weights.heads, count, -1).transpose(1, 0, 2).reshape(count, -1)

    def _attend_together(
        self, at: int, queries: Matrix, shared: SharedStart, spans: Sequence[RowSpan]
    ) -> Matrix:  # fmt: skip
        """Return what the rows of sequences with one shared start see, (rows, heads · head width).

        One product has the scores of all rows with the shared tokens, so these are read once.
        """
        weights, count, length = self._weights, queries.shape[1], shared.length
        keys, values = self._memory.keys[at], self._memory.values[at]
        queries = queries.reshape(weights.key_heads, -1, count, weights.head_width)
        own = max(span.start + span.end - span.begin for span in spans) - length
        scores = np.empty((*queries.shape[:3], length + own), np.float32)  # (key heads, group, rows, tokens)
        scores[..., length:] = -np.inf
        flat = scores.reshape(weights.key_heads, -1, length + own)
        np.matmul(queries.reshape(*flat.shape[:2], -1), keys[shared.sequence, :, :, :length], out=flat[..., :length])
        places = []
        for begin, end, sequence, start, _ in spans:
            rows, stop = slice(begin - spans[0].begin, end - spans[0].begin), start + end - begin
            places.append((rows, slice(length, stop), sequence))
            scores[:, :, rows, length:stop] = queries[:, :, rows] @ keys[sequence, :, None, :, length:stop]
            scores[:, :, rows, start:stop] += self._later[: end - begin, : end - begin]
        flat -= flat.max(axis=-1, keepdims=True)
        np.exp(flat, out=flat)
        seen: Matrix = flat[..., :length] @ values[shared.sequence, :, :length]  # (key heads, group · rows, head width)
        seen = seen.reshape(queries.shape)
        for rows, tokens, sequence in places:
            seen[:, :, rows] += scores[:, :, rows, tokens] @ values[sequence, :, None, tokens]
        seen /= scores.sum(axis=-1, keepdims=True)
        return seen.reshape(weights.heads, count, -1).transpose(1, 0, 2).reshape(count, -1)

    def _turn(self, product: Matrix, places: slice | NDArray[np.intp]) -> Matrix:
        """Return queries or keys (rows, heads · head width), each turned by the angles of its place."""
        turns = self._turns[places][:, None]
        numbers = product.view(np.complex64).reshape(len(product), -1, turns.shape[-1])
        turned: Matrix = (numbers * turns).view(np.float32).reshape(len(product), -1)
        return turned

    def _heads(self, product: Matrix) -> Matrix:
        """Return a product (rows, heads · head width) by heads, (heads, rows, head width)."""
        return product.reshape(len(product), -1, self._weights.head_width).transpose(1, 0, 2)

    def _normal(self, rows: Matrix) -> Matrix:
        """Return rows of mean square 1; the factors are in the matrix that follows."""
        squares = np.vecdot(rows, rows)[:, None]
        squares /= np.float32(rows.shape[1])
        squares += self._epsilon
        normal: Matrix = rows / np.sqrt(squares, out=squares)
        return normal


def _gate(rows: Matrix, layer: ArrayLayer) -> Matrix:
    """Return what the second half of a layer adds to rows, (rows, width)."""
    product = _product(rows, layer.gates)
    half = product.shape[1] // 2
    gates, others = product[:, :half], product[:, half:]
    with np.errstate(over="ignore"):  # a gate far below zero is shut, which infinity gives as well
        shares = np.exp(-gates)
    shares += 1
    np.divide(gates, shares, out=shares)
    shares *= others
    return _product(shares, layer.gated)


def _product(rows: Matrix, matrix: Matrix) -> Matrix:
    """Return rows (rows, in) multiplied with a matrix (out, in), (rows, out)."""
    if len(rows) > _SOME:
        return rows @ matrix.T
    # Each row of the matrix meets all rows while it is in the cache, so that the matrix is read once.
    product = matrix @ rows.T if len(rows) > _FEW else np.vecdot(matrix[:, None], rows)
    return np.ascontiguousarray(product.T)


def _blocks(spans: Sequence[RowSpan]) -> list[RowBlock]:
    """Return the blocks of a pass. A few tokens are one block, whatever sequences they belong to."""
    if spans[-1].end <= _BLOCK:
        return [_block(spans)]
    # Blocks end at multiples of their size in the sequence, so that a token has mostly the same ones beside it.
    return [
        _block([span._replace(begin=span.begin + first - span.start, end=span.begin + last - span.start, start=first)])
        for span in spans
        for first, last in _cuts(span.start, span.start + span.end - span.begin)
    ]


def _cuts(start: int, stop: int) -> list[tuple[int, int]]:
    edges = [start, *range(start - start % _BLOCK + _BLOCK, stop, _BLOCK), stop]
    return list(pairwise(edges))


def _block(spans: Sequence[RowSpan]) -> RowBlock:
    begin = spans[0].begin
    own = tuple(span._replace(begin=span.begin - begin, end=span.end - begin) for span in spans)
    if len(own) == 1:
        return RowBlock(begin, spans[-1].end, own, slice(own[0].start, own[0].start + own[0].end))
    places = [np.arange(span.start, span.start + span.end - span.begin) for span in own]
    return RowBlock(begin, spans[-1].end, own, np.concatenate(places))
