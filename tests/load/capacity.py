"""`python -m tests.load.capacity`: the cards and processors that so many users need; writes `docs/capacity.md`."""

from __future__ import annotations

import random
import statistics
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks import plot
from tests.load.measurement import Measured
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

_MOST_WAITING = 256
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


def predicted(run: Run, costs: Sequence[Cost]) -> Fare:
    """Return how a host of light replicas fares under a load, by the simulation."""
    seconds = run.requests / (run.editors * run.rate)
    light = partial(LightHost, replicas=run.replicas, most_waiting=32)
    chance = random.Random(1)
    return fare(simulate(light, [cost.whole for cost in costs], run.editors, run.rate, 20 * seconds, chance))


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
    """Return requests of the measured costs for the processor, with prompts and texts of the size of a card's model."""
    return [Work(cost.contexts, cost.constraint, PROMPT, TOKENS) for cost in costs]


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
    yield "![p90 over seats, for one to three cards, with checked texts and without](drawings/capacity.svg)"


def _measured(measured: Measured) -> Iterator[str]:
    """Yield what was seen, and beside it what the simulation says of the same load."""
    names = ("contexts", "prompt", "model", "constraint", "whole")
    mean = {name: 1000 * statistics.fmean(getattr(cost, name) for cost in measured.costs) for name in names}
    yield (
        f"{len(measured.costs)} requests, one at a time, each at a new place of a file of the standard library, to a "
        f"host with the embedded model on two shared cores (load before it: {measured.load:.1f}): "
        f"{mean['contexts']:.0f} ms of reading the text on both sides, {mean['constraint']:.0f} ms of checking tokens "
        f"and closing, {mean['prompt'] + mean['model']:.0f} ms of the model; {mean['whole']:.0f} ms from request to "
        "answer."
    )
    yield (
        "Then editors that ask on their own, about every twelve seconds each, whether or not the answer before is "
        "there. The simulation of the same load, with nothing fitted to it, stands beside what was seen."
    )
    kinds = "p50", "simulated", "p90", "simulated", "dropped", "simulated"
    heads = ["replicas", "editors", "requests a second", *kinds]
    rows = [f"| {' | '.join(heads)} |", f"|{' --- |' * len(heads)}"]
    for run in measured.runs:
        said = predicted(run, measured.costs)
        rows.append(
            f"| {run.replicas} | {run.editors} | {run.requests / run.seconds:.1f} | {1000 * run.p50:.0f} ms "
            f"| {1000 * said.p50:.0f} ms | {1000 * run.p90:.0f} ms | {1000 * said.p90:.0f} ms "
            f"| {run.dropped / run.requests:.0%} | {said.dropped:.0%} |"
        )
    yield "\n".join(rows)


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
        "- Checking costs what it costs here; most processors of servers are faster. Nothing is in memory from the "
        "request before, which favours nobody.\n"
        "- Requests of the seats are independent of each other; a request is dropped when its editor asks again."
    )


def picture(measured: Measured) -> str:
    """Return an SVG of p90 over seats."""
    speed, asked = anchored(), works(measured.costs)
    lines: dict[str, plot.Points] = {}
    for engines in (1, 2, 3):
        for name, kind in (("checked", asked), ("unchecked", [Work(0.0, 0.0, PROMPT, TOKENS)])):
            lines[f"{engines} {'card' if engines == 1 else 'cards'}, {name}"] = [
                (seats, 1000 * team(seats, ANCHOR / SEATS[1], 8 * engines, engines, speed, kind).p90)
                for seats in (200, 400, 700, 1_000, 1_500, 2_000, 3_000, 4_000)
            ]
    title = f"p90 over seats, each with {ANCHOR / SEATS[1]:.3f} requests a second; 8 cores a card"
    return plot.growth(title, lines, axis="seats")


def main() -> None:
    """Write the page and its picture."""
    measured = Measured.read()
    (DOCS / "capacity.md").write_text("\n\n".join(page(measured)) + "\n", "utf-8")
    (DOCS / "drawings" / "capacity.svg").write_text(picture(measured), "utf-8")
    sys.stdout.write(f"Written: {DOCS / 'capacity.md'}\n")


if __name__ == "__main__":
    main()
