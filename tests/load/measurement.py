"""`python -m tests.load.measurement`: the cost of a request on this machine, and how a host fares under some loads.

The simulation draws its requests from the first, and is held against the second (`capacity.py`). Wants a quiet machine.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import os
import random
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tests.load.editor import Editor, drive
from tests.load.loaded_host import configuration, files_of, parts_at
from tests.load.summary import percentile
from tests.team.demo import host

FILE = Path(__file__).with_name("measured.json")

REQUESTS = 3
"""Requests of each editor."""

_WARM = 10
"""Editors before those that count."""

_PAUSE = 12.0
"""Seconds between the requests of an editor, on average."""


@dataclass(frozen=True, slots=True)
class Cost:
    """One request, alone on a host: all times in seconds."""

    contexts: float
    prompt: float
    model: float
    constraint: float
    tokens: float
    whole: float
    """From the request to its answer, as the client sees it."""
    number: int = 0
    """The number of the request among those of its editor; after the first one the host knows the document."""


@dataclass(frozen=True, slots=True)
class Run:
    """A host under load."""

    replicas: int
    editors: int
    rate: float
    """Requests of an editor in a second."""
    seconds: float
    requests: int
    answered: int
    dropped: int
    refused: int
    p50: float
    """Seconds until half of the answers were there."""
    p90: float


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything that was measured."""

    load: float
    """The machine's load before the measurement began, over a minute."""
    costs: tuple[Cost, ...]
    runs: tuple[Run, ...]

    @classmethod
    def read(cls) -> Measured:
        """Return the measurement that is kept."""
        plain = json.loads(FILE.read_text("utf-8"))
        return cls(
            plain["load"], tuple(Cost(*cost) for cost in plain["costs"]), tuple(Run(*run) for run in plain["runs"])
        )

    def write(self) -> None:
        """Keep it; times to the tenth of a millisecond."""
        rows = [json.dumps([round(value, 4) for value in dataclasses.astuple(cost)]) for cost in self.costs]
        runs = [json.dumps([round(value, 4) for value in dataclasses.astuple(run)]) for run in self.runs]
        text = ",\n".join(rows), ",\n".join(runs)
        FILE.write_text(f'{{"load": {self.load},\n"costs": [\n{text[0]}\n],\n"runs": [\n{text[1]}\n]}}\n', "utf-8")


def costs(editors: int, seed: int) -> list[Cost]:
    """Return the costs of requests that come one after another, each `REQUESTS` of an editor that types on."""
    chance = random.Random(seed)
    found = []
    with host(configuration(1, ["one"])) as (address, _):
        for file, text in enumerate(files_of(chance, editors + _WARM)):
            editor = Editor(address, "one", text, 1.0, random.Random(chance.random()))
            for number in range(REQUESTS):
                before = parts_at(address, "one")
                began = time.perf_counter()
                asyncio.run(editor.exchange(*editor.window()))
                whole = time.perf_counter() - began
                after = parts_at(address, "one")
                if file >= _WARM:
                    names = ("contexts", "prompt", "model", "constraint", "tokens")
                    parts = {name: after.get(name, 0.0) - before.get(name, 0.0) for name in names}
                    found.append(Cost(**parts, whole=whole, number=number))
            sys.stdout.write(f"\r{file + 1} of {editors + _WARM} editors")
            sys.stdout.flush()
    sys.stdout.write("\n")
    return found


def run(replicas: int, editors: int, rate: float, requests: int, seed: int) -> Run:
    """Put a load on a host, each editor with so many requests, and return how it fared."""
    chance = random.Random(seed)
    with host(configuration(replicas, ["one"])) as (address, _):
        texts = files_of(chance, editors)
        each = [Editor(address, "one", text, rate, random.Random(chance.random())) for text in texts]
        began = time.monotonic()
        outcomes = asyncio.run(drive(each, requests))
        seconds = time.monotonic() - began
    done = [outcome.seconds for outcome in outcomes if outcome.status == 200]
    dropped, refused = (sum(outcome.status == status for outcome in outcomes) for status in (0, 429))
    return Run(
        replicas, editors, rate, seconds, len(outcomes), len(done), dropped, refused,
        percentile(done, 0.5), percentile(done, 0.9),
    )  # fmt: skip


def main() -> None:
    """Measure, and keep it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--editors", type=int, default=120, help="that ask one after another")
    parser.add_argument("--costs", action="store_true", help="measure these alone, and keep the loads as they are")
    parser.add_argument("--seed", type=int, default=1)
    parsed = parser.parse_args()
    load = os.getloadavg()[0]
    alone = costs(parsed.editors, parsed.seed)
    if parsed.costs:
        dataclasses.replace(Measured.read(), costs=tuple(alone), load=load).write()
        return
    each = statistics.fmean(cost.whole for cost in alone)
    runs = []
    for replicas in (1, 2):
        for share in (0.3, 0.6, 0.9):
            editors = max(2, round(_PAUSE * share * replicas / each))
            runs.append(run(replicas, editors, 1 / _PAUSE, REQUESTS, parsed.seed))
            sys.stdout.write(f"{runs[-1]}\n")
            sys.stdout.flush()
    Measured(load, tuple(alone), tuple(runs)).write()


if __name__ == "__main__":
    main()
