"""`python -m tests.load`: simulated editors type against a team's host with the embedded model; prints figures."""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import random
import re
import sys
import sysconfig
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
from tests.load.editor import Editor, drive
from tests.load.summary import sentences
from tests.team.demo import host

if TYPE_CHECKING:
    from collections.abc import Iterator

_PART = re.compile(r'^dovetail_part_seconds_total\{part="(\w+)"\} ([\d.e+-]+)$', re.MULTILINE)


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
    configuration = f"replicas = {parsed.replicas}\n" + "".join(map(_table, names))
    with host(configuration) as (address, process):
        memory = _megabytes(process.pid)
        chance = random.Random(parsed.seed)
        files = list(_files(chance, parsed.editors))
        editors = [
            Editor(address, names[number % len(names)], text, parsed.rate, random.Random(chance.random()))
            for number, text in enumerate(files)
        ]
        began = time.monotonic()
        outcomes = asyncio.run(drive(editors, parsed.requests))
        seconds = time.monotonic() - began
        request = urllib.request.Request(f"{address}/metrics", headers={"x-api-key": names[0]})
        with urllib.request.urlopen(request, timeout=60) as answer:
            parts = {part: float(spent) for part, spent in _PART.findall(answer.read().decode())}
        for sentence in sentences(outcomes, seconds, parts):
            sys.stdout.write(sentence + "\n")
        sys.stdout.write(f"Memory of all processes: {memory:.0f} MB before, {_megabytes(process.pid):.0f} MB after.\n")
    return 1 if any(outcome.status not in (0, 200, 429) for outcome in outcomes) else 0


def _table(name: str) -> str:
    digest = hashlib.sha256(name.encode()).hexdigest()
    return f'[[keys]]\nname = "{name}"\nsha256 = "{digest}"\nmost_at_once = 64\nper_minute = 100000\n'


def _files(chance: random.Random, count: int) -> Iterator[str]:
    """Yield files of the standard library."""
    paths = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
    texts = [text for path in paths if 2_000 < len(text := path.read_text("utf-8", errors="replace")) < 100_000]
    for _ in range(count):
        yield chance.choice(texts)


def _megabytes(process: int) -> float:
    """Return the memory of a process and those below it that no other process shares."""
    family = [psutil.Process(process), *psutil.Process(process).children(recursive=True)]
    return float(sum(each.memory_full_info().uss for each in family)) / 1e6


if __name__ == "__main__":
    sys.exit(main())
