"""Rows made ahead of a fast device, by processes of their own.

A device reads a million tokens a second, one process makes some tens of thousands. Each process draws from packages of
its own, so it remembers the files around its samples, which take most of the time to prepare.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import random
from collections import deque
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from dovetail.model.samples import Sampler

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from dovetail.model.dataset import Dataset
    from dovetail.model.recipe import Recipe
    from dovetail.model.samples import SampleRow

CAN_STREAM = "fork" in multiprocessing.get_all_start_methods()
"""True where processes can share the documents of their parent, which Windows does not have."""

_CHUNK = 4
"""Rows that a process makes at a time."""
_AHEAD = 16
"""Chunks that a process may be ahead."""
_REMEMBERED = 4_000
"""Chunks that may be seen once more where new ones do not come fast enough."""
_NICER = 5


class RowBatch(NamedTuple):
    """Rows of equal length as arrays, each (rows, length)."""

    inputs: NDArray[np.int32]
    targets: NDArray[np.int32]
    in_middle: NDArray[np.bool_]


def batch_of(rows: Sequence[SampleRow]) -> RowBatch:
    """Return rows as arrays."""
    return RowBatch(
        np.array([row.inputs for row in rows], np.int32),
        np.array([row.targets for row in rows], np.int32),
        np.array([row.in_middle for row in rows], np.bool_),
    )


def joined(batches: Sequence[RowBatch]) -> RowBatch:
    """Return the rows of all batches as one."""
    return RowBatch(*(np.concatenate(parts) for parts in zip(*batches, strict=True)))


def parts_of(dataset: Dataset, count: int) -> list[list[int]]:
    """Return the numbers of a data set's documents in parts that weigh much the same, packages whole."""
    packages: dict[str, list[int]] = {}
    for number, document in enumerate(dataset.documents):
        packages.setdefault(document.package, []).append(number)
    weights = {name: sum(dataset.documents[number].weight for number in some) for name, some in packages.items()}
    parts: list[list[int]] = [[] for _ in range(count)]
    totals = [0.0] * count
    for name in sorted(packages, key=lambda name: (-weights[name], name)):
        lightest = totals.index(min(totals))
        parts[lightest] += packages[name]
        totals[lightest] += weights[name]
    return [part for part in parts if part]


class RowStream:
    """Batches of rows for one step after the other."""

    def __init__(
        self, dataset: Dataset, tokenizer: Tokenizer, recipe: Recipe, workers: int, first: int, *, may_repeat: bool
    ) -> None:
        """Start processes that make rows of the recipe's length.

        `first`: the number of rows that were taken before, by a run that goes on.
        `may_repeat`: whether rows may come again where new ones are not ready. Otherwise what comes is the same each
        time, for the same number of workers.
        """
        context = multiprocessing.get_context("fork")  # the documents are shared, not copied
        self._may_repeat = may_repeat
        self._remembered: deque[RowBatch] = deque(maxlen=_REMEMBERED)
        self._choice = random.Random(recipe.seed)
        self._number = -(-first // _CHUNK)
        parts = parts_of(dataset, workers)
        self._queues = [context.Queue(_AHEAD) for _ in parts]
        fixed = dataset, tokenizer, recipe
        self._processes = [
            context.Process(
                target=_make, args=(*fixed, part, range(place, len(parts)), self._number, made), daemon=True
            )
            for place, (part, made) in enumerate(zip(parts, self._queues, strict=True))
        ]

    def __enter__(self) -> Self:
        """Start the processes."""
        for process in self._processes:
            process.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End them."""
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()

    def take(self, rows: int) -> RowBatch:
        """Return the next rows, a multiple of four of them."""
        assert rows % _CHUNK == 0, "rows come in whole chunks"
        found = []
        for _ in range(rows // _CHUNK):
            made = self._queues[self._number % len(self._queues)]
            self._number += 1
            try:
                found.append(made.get(block=not (self._may_repeat and self._remembered)))
            except queue.Empty:
                found.append(self._choice.choice(self._remembered))
                continue
            self._remembered.append(found[-1])
        return joined(found)


def _make(
    dataset: Dataset,
    tokenizer: Tokenizer,
    recipe: Recipe,
    part: list[int],
    turns: range,
    first: int,
    made: multiprocessing.Queue[RowBatch],
) -> None:
    """Make the chunks of one process, from the first that was not taken; `turns`: its place, and of how many it is."""
    os.nice(_NICER)  # what feeds the device goes first
    sampler = Sampler(dataset, tokenizer, recipe.seed, recipe.context_share, recipe.path_share, recipe.length, part)
    place, count = turns.start, turns.stop
    number = first + (place - first) % count
    while True:
        made.put(batch_of([sampler.row(number, index, recipe.length) for index in range(_CHUNK)]))
        number += count
