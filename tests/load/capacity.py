"""`python -m tests.load.capacity`: the cards and processors that so many users need; writes `docs/capacity.md`."""

from __future__ import annotations

import math
import random
import statistics
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks import plot
from tests.load.measurement import REQUESTS, Measured
from tests.load.simulation import (
    DROPPED,
    REFUSED,
    RUN,
    TAKEN,
    EngineSpeed,
    LightHost,
    SimulatedHost,
    Work,
    simulate,
)
from tests.load.summary import GOOD, percentile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.load.measurement import Cost, Run

DOCS = Path(__file__).parents[2] / "docs"

ANCHOR = 10.5
"""Requests in a second that one H100 answers with nine in ten in `GOOD` seconds (JetBrains' documentation of its IDE
Services, for a model of some four billion parameters), which is said to be enough for `SEATS`."""

SEATS = 750, 1_500
"""The seats of that card."""

CARD = EngineSpeed(step=0.005, row=0.00005, read=0.00002)
"""The best that a card could do: 8 GB of weights at 3.35 TB/s and launches for a step; 8 GFLOP for a token of a prompt
at 400 TFLOP/s. `anchored` makes it slower by one factor, until it does what the anchor says."""

PROMPT = 1_500
"""Tokens of a prompt that the engine has not read yet: about a third of what is sent, since a document stays with one
engine."""

TOKENS = 30
"""Tokens of a text, if the measurement says nothing of it (the anchor's do not)."""

_LASTING = 300.0
"""Simulated seconds of each trial."""

_TRIALS = 200
"""Simulations of a measured load, which was short: they show how far chance alone moves its figures."""

_MOST_WAITING = 256
_SHOWN = 10_000.0
"""Milliseconds up to which the picture goes."""

_SERVED = 0.999
"""The share of requests that must not be refused."""


@dataclass(frozen=True, slots=True)
class Fare:
    """The fate of some requests."""

    p50: float
    p90: float
    dropped: float
    """The share that their editors dropped."""
    refused: float

    @property
    def good(self) -> bool:
        """True if nine in ten answers come in time, and hardly a request is refused."""
        return self.p90 <= GOOD and self.refused <= 1 - _SERVED


def fare(ends: Sequence[float | str]) -> Fare:
    """Return the figures of some ends; without an answer the times are infinite."""
    answered = [end for end in ends if isinstance(end, float)] or [float("inf")]
    shares = [sum(end == kind for end in ends) / max(1, len(ends)) for kind in (DROPPED, REFUSED)]
    return Fare(percentile(answered, 0.5), percentile(answered, 0.9), *shares)


def predicted(run: Run, costs: Sequence[Cost]) -> list[Fare]:
    """Return how a host of light replicas fares under just that load, by many simulations of it."""
    light = partial(LightHost, replicas=run.replicas, most_waiting=32)
    first, later = ([cost.whole for cost in costs if (cost.number > 0) is known] for known in (False, True))
    return [
        fare(
            simulate(
                light, first, run.editors, run.rate, math.inf, random.Random(seed), most=REQUESTS, later=later
            )
        )
        for seed in range(_TRIALS)
    ]  # fmt: skip


def anchored() -> EngineSpeed:
    """Return the speed of a card that answers `ANCHOR` requests a second in time, and not one more."""
    free = Work(0.0, 0.0, PROMPT, TOKENS)
    low, high = 1.0, 32.0
    for _ in range(12):
        middle = (low + high) / 2
        one = partial(SimulatedHost, processors=1, engines=1, speed=CARD.times(middle), most_waiting=_MOST_WAITING)
        seats = SEATS[1]
        if fare(simulate(one, [free], seats, ANCHOR / seats, _LASTING, random.Random(1))).good:
            low = middle
        else:
            high = middle
    return CARD.times(low)


def works(costs: Sequence[Cost]) -> list[Work]:
    """Return requests of the measured costs for the processor, with prompts and texts of the size of a card's model.

    Those of first requests, since a seat asks once in a minute or two: the dearer assumption.
    """
    return [Work(cost.contexts, cost.constraint, PROMPT, TOKENS) for cost in costs if cost.number == 0]


def team(seats: int, rate: float, processors: int, engines: int, speed: EngineSpeed, asked: Sequence[Work]) -> Fare:
    """Return how a team fares on so many processors and cards; `rate`: requests of a seat in a second."""
    make = partial(SimulatedHost, processors=processors, engines=engines, speed=speed, most_waiting=_MOST_WAITING)
    return fare(simulate(make, asked, seats, rate, _LASTING, random.Random(1)))


def least(seats: int, rate: float, speed: EngineSpeed, asked: Sequence[Work]) -> tuple[int, int, Fare]:
    """Return the fewest cards, then the fewest processors, with which a team is served in time; and how it fares."""
    many = 64
    engines = next(count for count in range(1, many) if team(seats, rate, many, count, speed, asked).good)
    for processors in range(1, many):
        found = team(seats, rate, processors, engines, speed, asked)
        if found.good:
            return processors, engines, found
    return many, engines, team(seats, rate, many, engines, speed, asked)


def page(measured: Measured) -> Iterator[str]:
    """Yield the paragraphs, tables and headings of the page."""
    speed, asked = anchored(), works(measured.costs)
    yield "# What a team's host needs"
    yield (
        "A simulation says how many graphics cards and processors [the host](team.md) of so many people needs. "
        "It is made of measurements on one small machine without a graphics card, and of one published figure; "
        "what was not measured is said to be an assumption. `python -m tests.load.measurement` measures, and "
        "`python -m tests.load.capacity` writes this page."
    )
    yield "## What was measured"
    yield from _measured(measured)
    yield "## What is assumed"
    yield from _assumed(speed)
    yield "## What so many seats need"
    yield (
        "The fewest cards, then the fewest processors (cores), with which nine in ten answers come within "
        f"{1000 * GOOD:.0f} ms and at most one request in a thousand is refused."
    )
    rows = ["| seats | requests a second | cards | cores | p50 | p90 |", "| --- | --- | --- | --- | --- | --- |"]
    for seats in (100, 250, 500, 750, 1_500, 3_000):
        for rate in (ANCHOR / SEATS[1], ANCHOR / SEATS[0]):
            processors, engines, found = least(seats, rate, speed, asked)
            rows.append(
                f"| {seats:,} | {seats * rate:.1f} | {engines} | {processors} | {1000 * found.p50:.0f} ms "
                f"| {1000 * found.p90:.0f} ms |"
            )
    yield "\n".join(rows)
    yield (
        f"{SEATS[1]:,} seats that ask as seldom as those of the published figure fill the card there; with texts that "
        "are checked they need a second one, since checking adds one to two tenths of a second to an answer, for "
        "which a card at its limit has no time left. A core checks the texts of several hundred seats. What a host "
        "does under more than it can answer, and while its replicas end, is in `tests/load/RESULTS.md`."
    )
    yield "![p90 over seats, for one to three cards, with checked texts and without](drawings/capacity.svg)"


def _measured(measured: Measured) -> Iterator[str]:
    """Yield what was seen, and beside it what the simulation says of the same load."""
    first, later = ([cost for cost in measured.costs if (cost.number > 0) is known] for known in (False, True))
    yield (
        f"{len(measured.costs)} requests, one at a time, {REQUESTS} of each editor, which types on in a file of the "
        "standard library, to a host with the embedded model on two shared cores (load before it: "
        f"{measured.load:.1f}; what others did there makes these times too long rather than too short). In "
        "milliseconds, on average; the last column is from request to answer:"
    )
    rows = ["| request | reading both sides | checking, closing | model | whole |", f"|{' --- |' * 5}"]
    for name, some in (("at a new place", first), ("some keys later", later)):
        mean = [
            1000 * statistics.fmean(part)
            for part in (
                [cost.contexts for cost in some],
                [cost.constraint for cost in some],
                [cost.prompt + cost.model for cost in some],
                [cost.whole for cost in some],
            )
        ]
        rows.append(f"| {name} | {' | '.join(f'{value:.0f}' for value in mean)} |")
    yield "\n".join(rows)
    yield (
        f"Then, on the quiet machine, editors that each ask {REQUESTS} times on their own, every twelve seconds on "
        "average, whether or not the answer before is there. Beside what was seen stands what the simulation says of "
        f"the same editors, drawn from the costs above and with nothing fitted: of {_TRIALS} simulations the range in "
        "which nine in ten lie, since a load this short depends much on chance."
    )
    heads = ["replicas", "editors", "p50", "simulated", "p90", "simulated", "dropped", "simulated"]
    rows = [f"| {' | '.join(heads)} |", f"|{' --- |' * len(heads)}"]
    inside = 0
    for run in measured.runs:
        fares = predicted(run, measured.costs)
        cells = [f"{run.replicas}", f"{run.editors}"]
        for seen, name, unit in (
            (run.p50, "p50", 1000.0), (run.p90, "p90", 1000.0), (run.dropped / run.requests, "dropped", 100.0),
        ):  # fmt: skip
            values = [getattr(each, name) for each in fares]
            low, high = percentile(values, 0.05), percentile(values, 0.95)
            inside += low <= seen <= high
            sign = " ms" if unit > 100 else "%"
            cells += [f"{unit * seen:.0f}{sign}", f"{unit * low:.0f} to {unit * high:.0f}{sign}"]
        rows.append(f"| {' | '.join(cells)} |")
    yield "\n".join(rows)
    yield (
        f"{inside} of the {3 * len(measured.runs)} measured figures lie in the simulated range. The loads are of a "
        "host without a graphics card: they test the queue, the arrivals and the processor's part of the simulation; "
        "the card's part is tested by nothing but the published figure, to which it is fitted."
    )


def _assumed(speed: EngineSpeed) -> Iterator[str]:
    """Yield what nobody measured here."""
    yield (
        f"- A card answers {ANCHOR:g} requests a second with nine in ten within {1000 * GOOD:.0f} ms: JetBrains says "
        f"so of one H100, and that it is enough for {SEATS[0]} to {SEATS[1]:,} seats. So a seat asks "
        f"{ANCHOR / SEATS[1]:.3f} to {ANCHOR / SEATS[0]:.3f} times a second at the busiest time.\n"
        f"- The simulated card batches: a step takes {1000 * speed.step:.1f} ms, {1000 * speed.row:.2f} ms more for "
        f"each text, and {1e6 * speed.read:.0f} µs for each token of a prompt. That is "
        f"{speed.step / CARD.step:.1f} times what the card's memory and arithmetic allow for four billion "
        "parameters; the factor is what makes it do what the figure above says, and no more.\n"
        f"- {PROMPT:,} tokens of a prompt are new to the engine, and a text has {TOKENS} tokens. The decoder asks for "
        f"runs of {RUN} tokens while it checks the run before, and takes {TAKEN:g} of them on average (measured with "
        "the embedded model); what follows a refused token is computed in vain.\n"
        "- Checking costs what it costs here; most processors of servers are faster. Each request is at a new "
        "place of its document, the dearer kind.\n"
        "- Requests of the seats are independent of each other; a request is dropped when its editor asks again."
    )


def picture(measured: Measured) -> str:
    """Return an SVG of p90 over seats."""
    speed, asked = anchored(), works(measured.costs)
    lines: dict[str, plot.Points] = {}
    for engines in (1, 2, 3):
        for name, kind in (("checked", asked), ("unchecked", [Work(0.0, 0.0, PROMPT, TOKENS)])):
            lines[f"{engines} {'card' if engines == 1 else 'cards'}, {name}"] = [
                (seats, p90)
                for seats in (200, 400, 700, 1_000, 1_500, 2_000, 3_000, 4_000)
                if (p90 := 1000 * team(seats, ANCHOR / SEATS[1], 8 * engines, engines, speed, kind).p90) < _SHOWN
            ]
    title = f"p90 over seats, each with {ANCHOR / SEATS[1]:.3f} requests a second; 8 cores a card"
    return plot.growth(title, lines, [("in time", 130, 1000 * GOOD)], axis="seats")


def main() -> None:
    """Write the page and its picture."""
    measured = Measured.read()
    (DOCS / "capacity.md").write_text("\n\n".join(page(measured)) + "\n", "utf-8")
    (DOCS / "drawings" / "capacity.svg").write_text(picture(measured), "utf-8")
    sys.stdout.write(f"Written: {DOCS / 'capacity.md'}\n")


if __name__ == "__main__":
    main()
