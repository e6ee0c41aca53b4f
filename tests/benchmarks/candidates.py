"""The cost of several candidates beside the cost of one, in pairs and in turn."""

from __future__ import annotations

import time
from statistics import median
from typing import TYPE_CHECKING

from tests.benchmarks.tables import Table

from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits
from dovetail.decoding.request import Request
from dovetail.masking.mask import Masker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.benchmarks.contexts import Context

    from dovetail import Language
    from dovetail.decoding.proposer import Proposer

COUNT = 3

FRESH, READ = "a place that was not asked about before", "the same place, its prompt read already"


def measure(
    language: Language, contexts: Sequence[Context], model: Proposer, clock: Callable[[], float] = time.perf_counter
) -> dict[str, list[tuple[float, float]]]:
    """Return the seconds of one candidate and of several, for each place that has one: with a new prompt, and again.

    Every other place begins with the several.
    """
    masker = Masker(language, model.vocabulary)
    seconds: dict[str, list[tuple[float, float]]] = {FRESH: [], READ: []}
    for number, context in enumerate(contexts):
        left, right = context.left, context.right
        spent: dict[tuple[str, int], float] = {}
        has_text = False
        for count in (1, COUNT) if number % 2 else (COUNT, 1):
            decoder = Decoder(model)
            document = f"{number} {count}"
            for phase in (FRESH, READ):
                request = Request(
                    left, right, lambda left=left, right=right: language.quotient(left, right), Limits(),
                    document=document, open_masker=lambda: masker,
                )  # fmt: skip
                started = clock()
                found = decoder.candidates(request, count)
                spent[phase, count] = clock() - started
                has_text = found[0].text is not None
            decoder.forget(document)
        if has_text:
            for phase, pairs in seconds.items():
                pairs.append((spent[phase, 1], spent[phase, COUNT]))
    return seconds


def table(seconds: dict[str, list[tuple[float, float]]], title: str) -> Table:
    """Return the medians, and the median of the ratios of the pairs."""
    rows = [
        (
            name,
            1000 * median(one for one, _ in pairs),
            1000 * median(several for _, several in pairs),
            median(several / one for one, several in pairs),
        )
        for name, pairs in seconds.items()
        if pairs
    ]
    columns = ("place", "one candidate", f"{COUNT} candidates", "median ratio")
    return Table(title, columns, rows, "Milliseconds by the clock, medians; ratios of pairs. The bar is 1.5.")
