"""One mistake and its reports: `python -m tests.fuzz.reports --cases 1000`.

A program gets one mistake of those that people make. `dovetail check` has to report it once: each further report is
false, as nothing else is wrong. `--summary` writes the counts by kind; `--show` prints cases with several reports.
"""

from __future__ import annotations

import argparse
import keyword
import re
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from rich.console import Console
from tests.fuzz.breaks import KINDS
from tests.fuzz.one_mistake import BRACKET, WORD, Case, changed, draw_place, drawn, misspelt, page, shown, spelt, split
from tests.fuzz.survey import language, passage
from tests.oracles.cpython import TARGET, parses

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.fuzz.one_mistake import Break

_COMMAND = "python -m tests.fuzz.reports"
_APART = 12  # The least number of lines between two mistakes.
_EQUAL = re.compile(r"(?<=[ \w])==(?=[ \w])")


MISTAKES: dict[str, Break] = {
    **{
        kind: KINDS[kind]
        for kind in (
            "a colon lost",
            "a closing bracket lost",
            "an opening bracket lost",
            "a quote lost",
            "a line in another column",
            "half a line",
        )
    },
    "a bracket too many": changed(BRACKET, lambda _, bracket: 2 * bracket),
    "a keyword misspelt": changed(spelt(keyword.kwlist), misspelt),
    "two words for one": changed(WORD, split),
    "= for ==": changed(_EQUAL, lambda *_: "="),
}
"""Kind → lines with one such mistake at a line, or None where the line gives no occasion."""


def draw(seed: int, number: int, *, packages: bool = True) -> Case | None:
    """Return a case; None if its line gives no occasion for its kind, or the text is a program after all."""
    random = Random(f"{seed}/{number}")
    kind = list(MISTAKES)[number % len(MISTAKES)]
    _, text = passage(random, TARGET, packages=packages)
    found = draw_place(random, text, MISTAKES[kind], parses)
    if found is None:
        return None
    line, broken = found
    return Case(number, kind, line, broken, tuple(language(TARGET).errors(broken)))


@dataclass(frozen=True)
class TwoMistakes:
    """A program with two mistakes, the lines that are named of each alone, and those named of both."""

    alone: tuple[int, int]
    together: tuple[int, ...]

    def is_complete(self) -> bool:
        """Return whether the mistakes are both reported as if each were alone."""
        return set(self.alone) <= set(self.together)


def draw_two(seed: int, number: int, *, packages: bool = True) -> TwoMistakes | None:
    """Return a program with two mistakes that lie apart; None if it gives no occasion for them."""
    random = Random(f"{seed}/two/{number}")
    _, text = passage(random, TARGET, packages=packages)
    lines = text.splitlines(keepends=True) if "\x0c" not in text else []
    places = [at for at, line in enumerate(lines) if line.strip()]
    if not places or places[-1] < 3 * _APART:
        return None
    kinds = random.sample(list(MISTAKES), 2)
    first = random.choice([at for at in places if at < places[-1] - _APART])
    second = random.choice([at for at in places if at >= first + _APART])
    broken = [MISTAKES[kind](random, lines, at) for kind, at in zip(kinds, (first, second), strict=True)]
    if broken[0] is None or broken[1] is None or not (len(broken[0]) == len(broken[1]) == len(lines)):
        return None
    alone = ["".join(each) for each in broken if each is not None]
    if any(parses(each) for each in alone):
        return None
    named = [language(TARGET).errors(each)[0].reported.line for each in alone]
    both = language(TARGET).errors("".join([*broken[0][:second], *broken[1][second:]]))
    return TwoMistakes((named[0], named[1]), tuple(fault.reported.line for fault in both))


def written(cases: Sequence[Case], seed: int, pairs: Sequence[TwoMistakes] = ()) -> str:
    """Return the counts as a Markdown document."""
    asked = f"--cases {len(cases)} --pairs {len(pairs)} --seed {seed}"
    command = f"{_COMMAND} {asked} --summary tests/fuzz/REPORTS.md"
    lines = page(cases, MISTAKES, command, f"seed {seed}, CPython {TARGET}")
    if pairs:
        complete = sum(each.is_complete() for each in pairs)
        share = f"{complete / len(pairs):.1%} get the reports that each mistake gets alone"
        lines += ["", f"Of {len(pairs)} programs with two mistakes, {_APART} lines apart at least, {share}."]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Count and print; write the counts where asked."""
    parser = argparse.ArgumentParser(prog=_COMMAND, description=__doc__)
    parser.add_argument("--cases", type=int, default=200, help="programs with a mistake")
    parser.add_argument("--pairs", type=int, default=0, help="programs with two mistakes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="print so many cases with several reports")
    parser.add_argument("--summary", type=Path, help="write the counts here")
    options = parser.parse_args(arguments)
    console = Console()
    cases, number = drawn(options.cases, partial(draw, options.seed), console)
    pairs: list[TwoMistakes] = []
    while len(pairs) < options.pairs:
        number += 1
        pair = draw_two(options.seed, number)
        pairs += [] if pair is None else [pair]
    several = [case for case in cases if len(case.faults) > 1]
    for case in several[: options.show]:
        console.print(shown(case), markup=False, highlight=False, soft_wrap=True)
    console.print(written(cases, options.seed, pairs), markup=False, highlight=False, soft_wrap=True)
    if options.summary:
        options.summary.write_text(written(cases, options.seed, pairs), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
