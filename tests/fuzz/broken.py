"""Documents that are broken elsewhere: `python -m tests.fuzz.broken --cases 5000`.

Programs are cut, and what is left of the lines around the cursor is broken at one to five random places. Counted is

- how often something can be suggested,
- how often the true text is followed: the middle that was cut out is taken to its end, and the state is accepting
  there (each of its prefixes is viable then),
- how often it is taken to its end, whether the state is accepting there or not: this alone is a weak promise, as text
  that is read inside a string or a bracket can always go on,
- whether what fits makes a program of the text that is kept. If it does not, the case is wrong.
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
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console
from rich.progress import track
from tests.fuzz.breaks import by_chance, by_persons
from tests.fuzz.places import CUTS
from tests.fuzz.survey import language, passage
from tests.oracles.cpython import TARGET, parses

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail import Quotient

MOST = 5
"""Places at which a document is broken."""

WAYS = {"chance": by_chance, "persons": by_persons}
"""Ways to break a document."""


class Case(NamedTuple):
    """A program with a middle cut out, and with mistakes in the lines around that of the cursor."""

    left: str
    middle: str
    right: str
    breaks: tuple[str, ...]
    """The kinds of the mistakes."""


class Verdict(NamedTuple):
    """The result of a case."""

    kind: str
    followed: bool = False
    """The true middle is taken to its end, and the state is accepting there."""
    taken: bool = False
    """The true middle is taken to its end."""
    wrong: str | None = None
    """A report, if the answer is wrong."""


def broken_elsewhere(random: Random, left: str, right: str, way: str = "chance") -> tuple[str, str, tuple[str, ...]]:
    """Return the texts around a cursor, broken at some places that are not on its line, and the kinds of the breaks."""
    before, own_left = left[: left.rfind("\n") + 1], left[left.rfind("\n") + 1 :]
    end = right.find("\n") + 1 or len(right)
    own_right, after = right[:end], right[end:]
    kinds: list[str] = []
    for _ in range(random.randint(1, MOST)):
        if before and (not after or random.random() < len(before) / (len(before) + len(after))):
            kind, lines = WAYS[way](random, before.splitlines(keepends=True))
            before = "".join(lines)
            before += "" if before.endswith("\n") or not before else "\n"  # the cursor's line stays a line
            kinds.append(kind)
        elif after:
            kind, lines = WAYS[way](random, after.splitlines(keepends=True))
            after = "".join(lines)
            kinds.append(kind)
    return before + own_left, own_right + after, tuple(kinds)


def draw(seed: int, number: int, way: str = "chance") -> Case:
    """Return a case; the same one for the same numbers."""
    random = Random(f"{seed}/{number}")
    while True:
        _, text = passage(random, TARGET)
        cut = CUTS[random.choice(list(CUTS))](random, text)
        if cut is None:
            continue
        left, right, kinds = broken_elsewhere(random, text[: cut[0]], text[cut[1] :], way)
        if kinds:  # There are none in a text of one line.
            return Case(left, text[cut[0] : cut[1]], right, kinds)


def kept(quotient: Quotient, left: str, right: str) -> tuple[str, str]:
    """Return the texts less what a quotient leaves out."""
    sides = [left, right]
    for start, end, instead, _ in sorted(quotient.ignored, reverse=True):
        side, shift = (0, 0) if end <= len(left) else (1, len(left))
        sides[side] = sides[side][: start - shift] + instead + sides[side][end - shift :]
    return sides[0], sides[1]


def judge(case: Case) -> Verdict:
    """Judge one case."""
    left, middle, right, _ = case
    chosen = language(TARGET)
    strict = chosen.quotient(left, right, tolerant=False)
    quotient = chosen.quotient(left, right)
    place = f"{left!r} + {right!r}: "
    end = quotient.start.advance(middle) if quotient.viable else None
    followed = end is not None and end.accepting
    if strict.viable:
        same = not quotient.ignored and quotient.start.closing() == strict.start.closing()
        return Verdict("fits as it is", followed, end is not None, None if same else place + "tolerant is not strict")
    if parses(left + middle + right):
        return Verdict("wrong", wrong=place + "a program is refused")
    if not quotient.viable:
        return Verdict("nothing fits")
    closing = quotient.start.closing()
    if closing is None:
        return Verdict("wrong", wrong=place + "viable, without a closing")
    before, after = kept(quotient, left, right)
    for text in (closing, *([middle] if followed else [])):
        if parses(before + text + after) is False:
            report = place + f"{text!r} makes no program of what is kept: {quotient.ignored}"
            return Verdict("wrong", wrong=report)
    return Verdict("fits with parts left out", followed, end is not None)


class Counts:
    """Counts of verdicts."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()
        self.judged: Counter[str] = Counter()
        """By the number of breaks, and by the kinds of those that have one break."""
        self.followed: Counter[str] = Counter()
        self.taken = 0
        self.wrong: list[str] = []

    def add(self, number: int, case: Case, verdict: Verdict) -> None:
        """Count one case."""
        self.kinds[verdict.kind] += 1
        self.taken += verdict.taken
        names = ["all", verdict.kind, f"{len(case.breaks)} breaks"]
        for name in (*names, *(case.breaks if len(case.breaks) == 1 else ())):
            self.judged[name] += 1
            self.followed[name] += verdict.followed
        if verdict.wrong:
            self.wrong.append(f"case {number}: {verdict.wrong}")

    def join(self, other: Counts) -> None:
        """Add the counts of other cases."""
        self.kinds += other.kinds
        self.judged += other.judged
        self.followed += other.followed
        self.taken += other.taken
        self.wrong += other.wrong

    def lines(self) -> list[str]:
        """Return the counts as lines of text."""
        cases = self.judged["all"]
        fits = cases - self.kinds["nothing fits"] - self.kinds["wrong"]
        shares = {name: self.followed[name] / count for name, count in sorted(self.judged.items())}
        return [
            *(f"{kind}: {count}" for kind, count in sorted(self.kinds.items())),
            f"something can be suggested: {fits / cases:.2%}",
            f"the true text is followed: {shares.pop('all'):.2%}",
            f"the true text is taken to its end, accepting there or not: {self.taken / cases:.2%}",
            *(f"followed, {name}: {share:.1%} of {self.judged[name]}" for name, share in shares.items()),
        ]


def judge_block(seed: int, first: int, count: int, way: str) -> Counts:
    """Judge some cases."""
    counts = Counts()
    for number in range(first, first + count):
        case = draw(seed, number, way)
        counts.add(number, case, judge(case))
    return counts


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.broken", description=__doc__)
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--breaks", choices=list(WAYS), default="persons", help="what breaks the documents")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--summary", type=Path, help="write the counts here")
    options = parser.parse_args(arguments)
    console = Console()
    counts = Counts()
    firsts = range(0, options.cases, 20)
    with ProcessPoolExecutor(options.processes, get_context("spawn")) as pool:
        jobs = [
            pool.submit(judge_block, options.seed, first, min(20, options.cases - first), options.breaks)
            for first in firsts
        ]
        for job in track(jobs, "judging", console=console):
            counts.join(job.result())
    lines = [f"seed: {options.seed}", f"broken by: {options.breaks}", *counts.lines()]
    console.print("\n".join([*lines, *counts.wrong[:5]]))
    if options.summary:
        items = "".join(f"- {line}\n" for line in lines)
        options.summary.write_text(f"# Documents broken elsewhere, the last long run\n\n{items}", encoding="utf-8")
    return int(bool(counts.wrong))


if __name__ == "__main__":
    sys.exit(main())
