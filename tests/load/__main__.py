"""`python -m tests.load`: simulated editors type against a team's host with the embedded model; prints figures."""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time

import psutil
from tests.load.editor import Editor, drive
from tests.load.loaded_host import configuration, files_of, parts_at
from tests.load.summary import sentences
from tests.team.demo import host


def main() -> int:
    """Run the load; return 1 if a request was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--editors", type=int, default=50)
    parser.add_argument("--rate", type=float, default=0.05, help="requests of an editor in a second, on average")
    parser.add_argument("--requests", type=int, default=6, help="of each editor")
    parser.add_argument("--replicas", type=int, default=1)
    parser.add_argument("--keys", type=int, default=4, help="editors share them")
    parser.add_argument("--seed", type=int, default=1)
    parsed = parser.parse_args()
    names = [f"key{number}" for number in range(parsed.keys)]
    with host(configuration(parsed.replicas, names)) as (address, process):
        memory = _megabytes(process.pid)
        chance = random.Random(parsed.seed)
        files = list(files_of(chance, parsed.editors))
        editors = [
            Editor(address, names[number % len(names)], text, parsed.rate, random.Random(chance.random()))
            for number, text in enumerate(files)
        ]
        began = time.monotonic()
        outcomes = asyncio.run(drive(editors, parsed.requests))
        seconds = time.monotonic() - began
        for sentence in sentences(outcomes, seconds, parts_at(address, names[0])):
            sys.stdout.write(sentence + "\n")
        sys.stdout.write(f"Memory of all processes: {memory:.0f} MB before, {_megabytes(process.pid):.0f} MB after.\n")
    return 1 if any(outcome.status not in (0, 200, 429) for outcome in outcomes) else 0


def _megabytes(process: int) -> float:
    """Return the memory of a process and those below it that no other process shares."""
    family = [psutil.Process(process), *psutil.Process(process).children(recursive=True)]
    return float(sum(each.memory_full_info().uss for each in family)) / 1e6


if __name__ == "__main__":
    sys.exit(main())
