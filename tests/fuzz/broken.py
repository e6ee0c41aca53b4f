"""Documents that are broken elsewhere: `python -m tests.fuzz.broken --cases 5000`.

Programs are cut, and what is left of the lines around the cursor is broken at one to five random places. Counted is
how often something can still be suggested, and whether what fits makes a program of the text that is kept.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import track
from tests.fuzz.mutations import mutated
from tests.fuzz.places import CUTS
from tests.fuzz.survey import language, passage
from tests.oracles.cpython import TARGET, parses

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail import Quotient

MOST = 5
"""Places at which a document is broken."""


def broken(random: Random, lines: list[str]) -> str:
    """Return lines of which one is changed, repeated, lost or joined to the next."""
    at = random.randrange(len(lines))
    change = random.choice(["mutate", "mutate", "mutate", "lose", "repeat", "swap", "end early"])
    lines = list(lines)
    if change == "mutate":
        lines[at] = mutated(random, lines[at])
    elif change == "lose":
        del lines[at]
    elif change == "repeat":
        lines.insert(at, lines[at])
    elif change == "swap":
        other = random.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    else:
        lines[at] = lines[at][: random.randrange(len(lines[at]) + 1)].rstrip("\n") + "\n"
    return "".join(lines)


def broken_elsewhere(random: Random, left: str, right: str) -> tuple[str, str]:
    """Return the texts around a cursor, broken at some places that are not on its line."""
    before, own_left = left[: left.rfind("\n") + 1], left[left.rfind("\n") + 1 :]
    end = right.find("\n") + 1 or len(right)
    own_right, after = right[:end], right[end:]
    for _ in range(random.randint(1, MOST)):
        if before and (not after or random.random() < len(before) / (len(before) + len(after))):
            before = broken(random, before.splitlines(keepends=True))
            before += "" if before.endswith("\n") or not before else "\n"  # the cursor's line stays a line
        elif after:
            after = broken(random, after.splitlines(keepends=True))
    return before + own_left, own_right + after


def kept(quotient: Quotient, left: str, right: str) -> tuple[str, str]:
    """Return the texts less what a quotient leaves out."""
    sides = [left, right]
    for start, end, instead, _ in sorted(quotient.ignored, reverse=True):
        side, shift = (0, 0) if end <= len(left) else (1, len(left))
        sides[side] = sides[side][: start - shift] + instead + sides[side][end - shift :]
    return sides[0], sides[1]


def judge(seed: int, number: int) -> tuple[str, str | None]:
    """Judge one case; return what came of it, and a report if it is wrong."""
    random = Random(f"{seed}/{number}")
    while True:
        _, text = passage(random, TARGET)
        cut = CUTS[random.choice(list(CUTS))](random, text)
        if cut is not None:
            break
    left, right = broken_elsewhere(random, text[: cut[0]], text[cut[1] :])
    middle = text[cut[0] : cut[1]]
    chosen = language(TARGET)
    strict = chosen.quotient(left, right, tolerant=False)
    quotient = chosen.quotient(left, right)
    place = f"case {number}: {left!r} + {right!r}: "
    if strict.viable:
        same = not quotient.ignored and quotient.start.closing() == strict.start.closing()
        return "fits as it is", None if same else place + "tolerant is not strict"
    if parses(left + middle + right):
        return "wrong", place + "a program is refused"
    if not quotient.viable:
        return "nothing fits", None
    closing = quotient.start.closing()
    if closing is None:
        return "wrong", place + "viable, without a closing"
    before, after = kept(quotient, left, right)
    if parses(before + closing + after) is False:
        return "wrong", place + f"{closing!r} makes no program of what is kept: {quotient.ignored}"
    return "fits with parts left out", None


def judge_block(seed: int, first: int, count: int) -> tuple[Counter[str], list[str]]:
    """Judge some cases; return the counts and what is wrong."""
    found = [judge(seed, number) for number in range(first, first + count)]
    return Counter(kind for kind, _ in found), [report for _, report in found if report]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.broken", description=__doc__)
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--summary", type=Path, help="write the counts here")
    options = parser.parse_args(arguments)
    console = Console()
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    firsts = range(0, options.cases, 20)
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        jobs = [pool.submit(judge_block, options.seed, first, min(20, options.cases - first)) for first in firsts]
        for job in track(jobs, "judging", console=console):
            more, reports = job.result()
            counts += more
            wrong += reports
    fits = options.cases - counts["nothing fits"] - counts["wrong"]
    lines = [f"seed: {options.seed}", *(f"{kind}: {count}" for kind, count in sorted(counts.items()))]
    lines.append(f"something can be suggested: {fits / options.cases:.2%}")
    console.print("\n".join([*lines, *wrong[:5]]))
    if options.summary:
        items = "".join(f"- {line}\n" for line in lines)
        options.summary.write_text(f"# Documents broken elsewhere, the last long run\n\n{items}", encoding="utf-8")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
