"""One mistake and its reports: `python -m tests.fuzz.reports --cases 1000`.

A program gets one mistake of those that people make. `dovetail check` has to report it once: each further report is
false, as nothing else is wrong. `--summary` writes the counts by kind; `--show` prints cases with several reports.
"""

from __future__ import annotations

import argparse
import keyword
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import track
from tests.fuzz.breaks import KINDS
from tests.fuzz.survey import language, passage
from tests.oracles.cpython import TARGET, parses

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dovetail.engine.fault import Fault

_COMMAND = "python -m tests.fuzz.reports"
_APART = 12  # The least number of lines between two mistakes.
_KEYWORD = re.compile(rf"\b(?:{'|'.join(word for word in keyword.kwlist if len(word) > 2)})\b")
_LONG_WORD = re.compile(r"\b[^\W\d]\w{2,}\b")
_EQUAL = re.compile(r"(?<=[ \w])==(?=[ \w])")


def _changed(
    pattern: re.Pattern[str], change: Callable[[Random, str], str]
) -> Callable[[Random, list[str], int], list[str] | None]:
    """Return a break that changes one text of a pattern; None where the line has none."""

    def changed(random: Random, lines: list[str], at: int) -> list[str] | None:
        found = list(pattern.finditer(lines[at]))
        if not found:
            return None
        part = random.choice(found)
        instead = change(random, part.group())
        return [*lines[:at], lines[at][: part.start()] + instead + lines[at][part.end() :], *lines[at + 1 :]]

    return changed


def _misspelt(random: Random, word: str) -> str:
    """Return a word with a letter lost, two exchanged, or one twice."""
    at = random.randrange(len(word) - 1)
    return random.choice(
        [word[:at] + word[at + 1 :], word[:at] + word[at + 1] + word[at] + word[at + 2 :], word[: at + 1] + word[at:]]
    )


def _split(random: Random, word: str) -> str:
    at = random.randrange(1, len(word))
    return f"{word[:at]} {word[at:]}"


MISTAKES: dict[str, Callable[[Random, list[str], int], list[str] | None]] = {
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
    "a bracket too many": _changed(re.compile(r"[(\[{)\]}]"), lambda _, bracket: 2 * bracket),
    "a keyword misspelt": _changed(_KEYWORD, _misspelt),
    "two words for one": _changed(_LONG_WORD, _split),
    "= for ==": _changed(_EQUAL, lambda *_: "="),
}
"""Kind → lines with one such mistake at a line, or None where the line gives no occasion."""


@dataclass(frozen=True)
class Case:
    """A program with one mistake, and what is reported of it."""

    number: int
    kind: str
    line: int
    """The line of the mistake, from 1."""
    text: str
    faults: tuple[Fault, ...]

    def further(self) -> list[str]:
        """Return the messages of the reports after the first, without what the program gives them."""
        return [re.sub(r"`[^`]*`|\d+", "…", fault.reported.message).split("; ")[0] for fault in self.faults[1:]]


def draw(seed: int, number: int, *, packages: bool = True) -> Case | None:
    """Return a case; None if its line gives no occasion for its kind, or the text is a program after all."""
    random = Random(f"{seed}/{number}")
    kind = list(MISTAKES)[number % len(MISTAKES)]
    _, text = passage(random, TARGET, packages=packages)
    lines = text.splitlines(keepends=True) if "\x0c" not in text else []
    places = [at for at, line in enumerate(lines) if line.strip()]
    # A kind is not found on each line: colons are at the ends of headers alone.
    for at in random.sample(places, len(places)):
        changed = MISTAKES[kind](random, lines, at)
        broken = None if changed is None else "".join(changed)
        if broken is not None and not parses(broken):
            faults = language(TARGET).errors(broken)
            return Case(number, kind, at + 1, broken, tuple(faults))
    return None


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
    changed = [MISTAKES[kind](random, lines, at) for kind, at in zip(kinds, (first, second), strict=True)]
    if changed[0] is None or changed[1] is None or not (len(changed[0]) == len(changed[1]) == len(lines)):
        return None
    alone = ["".join(each) for each in changed if each is not None]
    if any(parses(each) for each in alone):
        return None
    named = [language(TARGET).errors(each)[0].reported.line for each in alone]
    both = language(TARGET).errors("".join([*changed[0][:second], *changed[1][second:]]))
    return TwoMistakes((named[0], named[1]), tuple(fault.reported.line for fault in both))


def written(cases: Sequence[Case], seed: int, pairs: Sequence[TwoMistakes] = ()) -> str:
    """Return the counts as a Markdown document."""
    several = [case for case in cases if len(case.faults) > 1]
    false = sum(len(case.faults) - 1 for case in cases)
    counts = (
        f"{len(cases):,} programs with one mistake each (seed {seed}, CPython {TARGET}). "
        f"{len(several) * 1000 / len(cases):.0f} of 1,000 get more than one report; "
        f"{false * 1000 / len(cases):.0f} reports of 1,000 programs are false."
    )
    asked = f"--cases {len(cases)} --pairs {len(pairs)} --seed {seed}"
    lines = [
        "# One mistake and its reports, the last long run",
        "",
        f"`{_COMMAND} {asked} --summary tests/fuzz/REPORTS.md` writes this page.",
        "",
        counts,
        "",
        "| mistake | programs | with several reports | the first names the line |",
        "| --- | --- | --- | --- |",
    ]
    for kind in MISTAKES:
        those = [case for case in cases if case.kind == kind]
        more = sum(case in several for case in those)
        there = sum(case.faults[0].reported.line == case.line for case in those)
        if those:
            lines.append(f"| {kind} | {len(those)} | {more} | {there / len(those):.0%} |")
    messages = Counter(message for case in cases for message in case.further())
    lines += ["", "The false reports, most frequent first:", ""]
    lines += [f"- {count}: {message}" for message, count in messages.most_common(12)]
    if pairs:
        complete = sum(each.is_complete() for each in pairs)
        share = f"{complete / len(pairs):.1%} get the reports that each mistake gets alone"
        lines += ["", f"Of {len(pairs)} programs with two mistakes, {_APART} lines apart at least, {share}."]
    return "\n".join(lines) + "\n"


def shown(case: Case) -> str:
    """Return a case for people: the lines around the mistake and the reports."""
    lines = re.split("\r\n|\r|\n", case.text)
    last = max(fault.reported.line for fault in case.faults)
    first, last = max(1, case.line - 5), min(len(lines), max(case.line, last) + 1, case.line + 30)
    source = [f"{'>' if at == case.line else ' '}{at:4} {lines[at - 1]}" for at in range(first, last + 1)]
    return "\n".join([f"--- {case.number}: {case.kind}", *source, *map(str, case.faults), ""])


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
    cases: list[Case] = []
    number = 0
    for _ in track(range(options.cases), "counting", console=console):
        case = None
        while case is None:
            number += 1
            case = draw(options.seed, number)
        cases.append(case)
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
