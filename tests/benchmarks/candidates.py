"""The cost of several candidates, and of the first of them, beside the cost of one, in pairs and in turn."""

from __future__ import annotations

import time
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

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

REPETITIONS = 3
"""Other work on the machine only adds time, so the least of some is the nearest to the cost."""

FRESH, READ = "a place that was not asked about before", "the same place, its prompt read already"


class Times(NamedTuple):
    """The seconds that one place takes."""

    one: float
    """For one candidate."""
    first: float
    """For the first of several."""
    several: float


def measure(
    language: Language, contexts: Sequence[Context], model: Proposer, clock: Callable[[], float] = time.perf_counter
) -> dict[str, list[Times]]:
    """Return the seconds for each place that has a candidate: with a new prompt, and again; the least of some.

    One and several take turns, and every other place begins with the several.
    """
    masker = Masker(language, model.vocabulary)
    seconds: dict[str, list[Times]] = {FRESH: [], READ: []}
    for number, context in enumerate(contexts):
        left, right = context.left, context.right
        spent: dict[tuple[str, int], list[tuple[float, float]]] = {}  # phase, count → seconds to the first, and to all
        counts = [COUNT, 1] if number % 2 else [1, COUNT]
        has_text = True
        for count in counts * REPETITIONS:
            decoder = Decoder(model)
            document = f"{number} {count}"
            for phase in (FRESH, READ):
                request = Request(
                    left, right, lambda left=left, right=right: language.quotient(left, right), Limits(),
                    document=document, open_masker=lambda: masker,
                )  # fmt: skip
                started = clock()
                ready = decoder.ready_candidates(request, count)
                has_text &= next(ready).text is not None
                first = clock() - started
                list(ready)
                spent.setdefault((phase, count), []).append((first, clock() - started))
            decoder.forget(document)
            if not has_text:
                break
        if has_text:
            for phase, times in seconds.items():
                one, first, several = (
                    min(pair[part] for pair in spent[phase, count]) for count, part in ((1, 1), (COUNT, 0), (COUNT, 1))
                )
                times.append(Times(one, first, several))
    return seconds


def table(seconds: dict[str, list[Times]], title: str) -> Table:
    """Return the medians, and the median of the ratios of all candidates to one."""
    rows = [
        (
            name,
            len(places),
            1000 * median(times.one for times in places),
            1000 * median(times.first for times in places),
            1000 * median(times.several for times in places),
            median(times.several / times.one for times in places),
        )
        for name, places in seconds.items()
        if places
    ]
    columns = ("place", "places", "one candidate", f"the first of {COUNT}", f"{COUNT} candidates", "median ratio")
    note = (
        f"Milliseconds by the clock, the least of {REPETITIONS}, medians over the places; ratios of several to one, "
        "place by place, in turn. The bar is 1.5."
    )
    return Table(title, columns, rows, note)
