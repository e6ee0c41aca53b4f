"""One mistake in a program, what `dovetail check` reports of it, and the page that counts many of them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.progress import track

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from random import Random

    from rich.console import Console

    from dovetail.diagnostics.fault import Fault

    Break = Callable[[Random, list[str], int], list[str] | None]
    """Returns lines with a mistake at one of them, or None where the line gives no occasion."""

WORD = re.compile(r"\b[^\W\d]\w{2,}\b")
BRACKET = re.compile(r"[(\[{)\]}]")


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
        return [without_quotes(fault.reported.message).split("; ")[0] for fault in self.faults[1:]]


def without_quotes(message: str) -> str:
    """Return a message without what the program gives it."""
    return re.sub(r"`[^`]*`|\d+", "…", message)


def changed(pattern: re.Pattern[str], change: Callable[[Random, str], str]) -> Break:
    """Return a break that changes one text of a pattern; None where the line has none."""

    def broken(random: Random, lines: list[str], at: int) -> list[str] | None:
        found = list(pattern.finditer(lines[at]))
        if not found:
            return None
        part = random.choice(found)
        instead = change(random, part.group())
        return [*lines[:at], lines[at][: part.start()] + instead + lines[at][part.end() :], *lines[at + 1 :]]

    return broken


def spelt(words: Iterable[str]) -> re.Pattern[str]:
    """Return the pattern of some words, of those that are long enough to be misspelt."""
    return re.compile(rf"\b(?:{'|'.join(word for word in words if len(word) > 2)})\b")


def misspelt(random: Random, word: str) -> str:
    """Return a word with a letter lost, two exchanged, or one twice."""
    at = random.randrange(len(word) - 1)
    return random.choice(
        [word[:at] + word[at + 1 :], word[:at] + word[at + 1] + word[at] + word[at + 2 :], word[: at + 1] + word[at:]]
    )


def split(random: Random, word: str) -> str:
    """Return a word with a blank in it."""
    at = random.randrange(1, len(word))
    return f"{word[:at]} {word[at:]}"


def draw_place(
    random: Random, text: str, mistake: Break, parses: Callable[[str], bool | None], among: range | None = None
) -> tuple[int, str] | None:
    """Return the line of a mistake, from 1, and the text with it; None if no line gives an occasion for one.

    `among`: the lines that may have it, from 1; None for all.
    """
    lines = text.splitlines(keepends=True) if "\x0c" not in text else []
    places = [at for at, line in enumerate(lines) if line.strip() and (among is None or at + 1 in among)]
    # A kind is not found on each line: colons are at the ends of headers alone.
    for at in random.sample(places, len(places)):
        found = mistake(random, lines, at)
        broken = None if found is None else "".join(found)
        if broken is not None and not parses(broken):
            return at + 1, broken
    return None


def drawn(count: int, draw: Callable[[int], Case | None], console: Console) -> tuple[list[Case], int]:
    """Return so many cases, and the last number that was drawn; numbers without a case are passed over."""
    cases: list[Case] = []
    number = 0
    for _ in track(range(count), "counting", console=console):
        case = None
        while case is None:
            number += 1
            case = draw(number)
        cases.append(case)
    return cases, number


def page(cases: Sequence[Case], kinds: Iterable[str], command: str, conditions: str) -> list[str]:
    """Return the lines of a Markdown document with the counts; `command` is what writes it again."""
    several = [case for case in cases if len(case.faults) > 1]
    false = sum(len(case.faults) - 1 for case in cases)
    counts = (
        f"{len(cases):,} programs with one mistake each ({conditions}). "
        f"{len(several) * 1000 / len(cases):.0f} of 1,000 get more than one report; "
        f"{false * 1000 / len(cases):.0f} reports of 1,000 programs are false."
    )
    lines = [
        "# One mistake and its reports, the last long run",
        "",
        f"`{command}` writes this page.",
        "",
        counts,
        "",
        "| mistake | programs | with several reports | the first names the line |",
        "| --- | --- | --- | --- |",
    ]
    for kind in kinds:
        those = [case for case in cases if case.kind == kind]
        more = sum(case in several for case in those)
        there = sum(case.faults[0].reported.line == case.line for case in those)
        if those:
            lines.append(f"| {kind} | {len(those)} | {more} | {there / len(those):.0%} |")
    messages = Counter(message for case in cases for message in case.further())
    lines += ["", "The false reports, most frequent first:", ""]
    return [*lines, *(f"- {count}: {message}" for message, count in messages.most_common(12))]


def shown(case: Case) -> str:
    """Return a case for people: the lines around the mistake and the reports."""
    lines = re.split("\r\n|\r|\n", case.text)
    last = max(fault.reported.line for fault in case.faults)
    first, last = max(1, case.line - 5), min(len(lines), max(case.line, last) + 1, case.line + 30)
    source = [f"{'>' if at == case.line else ' '}{at:4} {lines[at - 1]}" for at in range(first, last + 1)]
    return "\n".join([f"--- {case.number}: {case.kind}", *source, *map(str, case.faults), ""])
