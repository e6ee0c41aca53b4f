"""Documents that are broken elsewhere: `python -m tests.fuzz.broken --cases 5000`.

Programs are cut, and what is left of the lines around the cursor is broken at one to five places: anywhere in the
text, or within ten lines of the cursor. Counted is how often something can be suggested, and how often the true text,
the middle that was cut out, is followed, in two senses:

- **fits**: each prefix of it is viable, so while somebody types it, or a model writes it, none of it is refused;
- **accepted**: it fits, and behind it the kept text is a program. Here the reading of the broken text has to be the one
  of the person who wrote it. This is the stricter sense: text that is read inside a string or a bracket can always go
  on.

What fits has to make a program of the text that is kept. If it does not, the case is wrong.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import track
from tests.fuzz.breaks import by_chance, by_persons
from tests.fuzz.broken_counts import NEAR, Case, Counts, Mistake, Verdict, summary
from tests.fuzz.places import CUTS
from tests.fuzz.survey import language, passage
from tests.oracles import cpython
from tests.oracles.cpython import TARGET

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dovetail import Language, Quotient

MOST = 5
"""Places at which a document is broken."""

WAYS = {"chance": by_chance, "persons": by_persons}
"""Ways to break a document."""

BLOCK = 20
"""Cases that one process judges at a time."""

WHERE: dict[str, int | None] = {"anywhere": None, "near": NEAR}
"""The lines next to the cursor's among which those to break are drawn; None for all lines."""


def broken_elsewhere(
    random: Random, left: str, right: str, way: str = "chance", reach: int | None = None, most: int = MOST
) -> tuple[str, str, tuple[Mistake, ...]]:
    """Return the texts around a cursor, broken at some places that are not on its line, and the mistakes.

    `reach`: the lines on either side that may be broken; None for all. `most`: places at which they may be.
    """
    before, own_left = left[: left.rfind("\n") + 1].splitlines(keepends=True), left[left.rfind("\n") + 1 :]
    end = right.find("\n") + 1 or len(right)
    own_right, after = right[:end], right[end:].splitlines(keepends=True)
    mistakes: list[Mistake] = []
    for _ in range(random.randint(1, most)):
        above, below = ("".join(lines) for lines in (before[-(reach or 0) :], after[:reach]))
        if above and (not below or random.random() < len(above) / (len(above) + len(below))):
            first = 0 if reach is None else max(0, len(before) - reach)
            kind, at, lines = WAYS[way](random, before[first:])
            mistakes.append(Mistake(kind, len(before) - first - at))
            before = _lines([*before[:first], *lines], ended=True)  # the cursor's line stays a line
        elif below:
            kind, at, lines = WAYS[way](random, after[:reach])
            mistakes.append(Mistake(kind, at + 1))
            after = _lines([*lines, *after[len(after[:reach]) :]])
    return "".join(before) + own_left, own_right + "".join(after), tuple(mistakes)


def _lines(parts: list[str], *, ended: bool = False) -> list[str]:
    text = "".join(parts)
    return (text + ("\n" if ended and text and not text.endswith("\n") else "")).splitlines(keepends=True)


def draw(seed: int, number: int, way: str = "chance", where: str = "anywhere") -> Case:
    """Return a case; the same one for the same numbers, whatever is installed."""
    random = Random(f"{seed}/{number}")
    while True:
        _, text = passage(random, TARGET, packages=False)
        cut = CUTS[random.choice(list(CUTS))](random, text)
        if cut is None:
            continue
        left, right, mistakes = broken_elsewhere(random, text[: cut[0]], text[cut[1] :], way, WHERE[where])
        if mistakes:  # There are none in a text of one line.
            return Case(left, text[cut[0] : cut[1]], right, mistakes)


def kept(quotient: Quotient, left: str, right: str) -> tuple[str, str]:
    """Return the texts less what a quotient leaves out."""
    sides = [left, right]
    for start, end, instead, _ in sorted(quotient.ignored, reverse=True):
        side, shift = (0, 0) if end <= len(left) else (1, len(left))
        sides[side] = sides[side][: start - shift] + instead + sides[side][end - shift :]
    return sides[0], sides[1]


def judge(case: Case, chosen: Language | None = None, parses: Callable[[str], bool | None] = cpython.parses) -> Verdict:
    """Judge one case; `parses`: whether a text is a program of the language, which is Python where none is given."""
    left, middle, right = case[:3]
    chosen = language(TARGET) if chosen is None else chosen
    strict = chosen.quotient(left, right, tolerant=False)
    quotient = chosen.quotient(left, right)
    place = f"{left!r} + {right!r}: "
    end = quotient.start.advance(middle) if quotient.viable else None
    fits = end is not None
    accepted = end is not None and end.accepting
    if strict.viable:
        same = not quotient.ignored and quotient.start.closing() == strict.start.closing()
        return Verdict("fits as it is", fits, accepted, None if same else place + "tolerant is not strict")
    if parses(left + middle + right):
        return Verdict("wrong", wrong=place + "a program is refused")
    if not quotient.viable:
        return Verdict("nothing fits")
    closing = quotient.start.closing()
    if closing is None:
        return Verdict("wrong", wrong=place + "viable, without a closing")
    before, after = kept(quotient, left, right)
    for text in (closing, *([middle] if accepted else [])):
        if parses(before + text + after) is False:
            report = place + f"{text!r} makes no program of what is kept: {quotient.ignored}"
            return Verdict("wrong", wrong=report)
    return Verdict("fits with parts left out", fits, accepted)


def judge_block(seed: int, first: int, count: int, way: str, where: str) -> Counts:
    """Judge some cases."""
    counts = Counts()
    for number in range(first, first + count):
        case = draw(seed, number, way, where)
        counts.add(number, case, judge(case))
    return counts


def survey(pool: ProcessPoolExecutor, options: argparse.Namespace, where: str, console: Console) -> Counts:
    """Judge all cases of one choice of places."""
    counts = Counts()
    jobs = [
        pool.submit(judge_block, options.seed, first, min(BLOCK, options.cases - first), options.breaks, where)
        for first in range(0, options.cases, BLOCK)
    ]
    for job in track(jobs, f"broken {where}", console=console):
        counts.join(job.result())
    return counts


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.broken", description=__doc__)
    parser.add_argument("--cases", type=int, default=500, help="for each choice of places")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--breaks", choices=list(WAYS), default="persons", help="what breaks the documents")
    parser.add_argument("--where", choices=[*WHERE, "both"], default="both", help="the lines that are broken")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--summary", type=Path, help="write the counts here")
    options = parser.parse_args(arguments)
    console = Console()
    with ProcessPoolExecutor(options.processes, get_context("spawn")) as pool:
        found = {where: survey(pool, options, where, console) for where in WHERE if options.where in (where, "both")}
    remark = "[What fails](BROKEN_FAILURES.md), and whether a person would have known, was judged by hand."
    report = summary(found, f"{options.cases} cases each, seed {options.seed}, broken by {options.breaks}", remark)
    console.print(report, markup=False)
    wrong = [text for counts in found.values() for text in counts.wrong]
    console.print(*wrong[:5], sep="\n", markup=False)
    if options.summary:
        options.summary.write_text(report, encoding="utf-8")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
