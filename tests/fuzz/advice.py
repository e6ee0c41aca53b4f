"""The advice of a report, followed: `python -m tests.fuzz.advice go --corpus FOLDER --ending .go`.

A program gets one slip, and what the first report advises is done to the text. It gives the program back, or a text
that fits and is another one, or one that does not fit. The second is what misleads most: a person who follows it has a
program that does something else. `--show` prints such cases.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import track
from tests.fuzz.broken_blocks import comparison_of, corpus_parser, publish, title_of
from tests.fuzz.one_mistake import draw_place, without_quotes
from tests.fuzz.slips import slips

from dovetail.diagnostics.line_places import content_end, line_end

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.comparison.comparison import LanguageComparison
    from dovetail.diagnostics.fault import Fault

_COMMAND = "python -m tests.fuzz.advice"
_WRITE = re.compile(r"\bwrite `(?P<text>[^`]+)`|\bleave it out")
_SHOULD_BE = re.compile(
    r"(?:perhaps |\A)`(?P<old>[^`]+)`(?: does not fit here; perhaps it)? should be `(?P<text>[^`]+)`"
)
_BEFORE = re.compile(r"perhaps an? `(?P<text>[^`]+)` is missing before it\Z|expected `(?P<also>[^`]+)` before ")
_AT_END = re.compile(r"expected `(?P<text>[^`]+)` at the end of this line")
_BLANKS = re.compile(r"\s+")
_SEVERAL = "several reports"
OUTCOMES = ("gives it back", "fits, another", "does not fit", "none")


@dataclass(frozen=True)
class Advised:
    """A program with a slip, its first report, and the text in which the report's advice was followed."""

    kind: str
    line: int
    """The line of the slip, from 1."""
    program: str
    slipped: str
    faults: tuple[Fault, ...]
    followed: str | None
    """None where the report advises nothing that can be done by itself."""
    outcome: str
    """One of `OUTCOMES`."""

    def message(self) -> str:
        """Return the first report's message, without what the program gives it."""
        return without_quotes(self.faults[0].reported.message)


def follow(text: str, fault: Fault) -> str | None:
    """Return a text in which the advice of a fault is followed; None if it advises nothing that can be done."""
    message, at = fault.reported.message, fault.reported.offset
    if (found := _SHOULD_BE.search(message)) is not None and text.startswith(found["old"], at):
        return text[:at] + found["text"] + text[at + len(found["old"]) :]
    if _WRITE.search(message) and fault.meant is not None:
        start, end, meant, _ = fault.meant
        return text[:start] + meant + text[end:]
    if (found := _BEFORE.search(message)) is not None:
        return f"{text[:at]}{found['text'] or found['also']} {text[at:]}"
    if (found := _AT_END.search(message)) is not None:
        end = content_end(text, line_end(text, at))
        return text[:end] + found["text"] + text[end:]
    return None


def draw(comparison: LanguageComparison, number: int) -> Advised | None:
    """Return a case, the same one for the same number and corpus; None if its program gives no occasion."""
    random = Random(f"{comparison.seed}/advice/{number}")
    kinds = slips()
    kind = list(kinds)[number % len(kinds)]
    program, _ = comparison.program(random)
    language = comparison.language
    found = draw_place(random, program, kinds[kind], language.accepts)
    if found is None:
        return None
    line, slipped = found
    faults = tuple(language.errors(slipped))
    followed = follow(slipped, faults[0])
    if followed is None:
        outcome = OUTCOMES[3]
    elif _BLANKS.sub("", followed) == _BLANKS.sub("", program):
        outcome = OUTCOMES[0]
    else:
        outcome = OUTCOMES[1] if language.accepts(followed) else OUTCOMES[2]
    return Advised(kind, line, program, slipped, faults, followed, outcome)


def shown(case: Advised) -> str:
    """Return a case for people: the line with the slip and some around it, the reports, the line that was advised."""
    lines, before = case.slipped.splitlines(), case.program.splitlines()
    first, last = max(1, case.line - 2), min(len(lines), case.line + 1)
    source = [f"{'>' if at == case.line else ' '}{at:4} {lines[at - 1]}" for at in range(first, last + 1)]
    was = f"  was  {before[case.line - 1]}" if case.line <= len(before) else ""
    advised = [] if case.followed is None else _changed(lines, case.followed.splitlines())
    return "\n".join([f"--- {case.kind}: {case.outcome}", *source, was, *map(str, case.faults), *advised, ""])


def _changed(lines: list[str], others: list[str]) -> list[str]:
    return [f"  now  {other}" for line, other in zip(lines, others, strict=False) if line != other][:1]


def page(cases: Sequence[Advised], command: str, conditions: str) -> str:
    """Return the counts as a Markdown document; `command` is what writes it again."""
    several = sum(len(case.faults) > 1 for case in cases)
    there = sum(case.faults[0].reported.line == case.line for case in cases)
    outcomes = Counter(case.outcome for case in cases)
    counts = (
        f"{len(cases):,} programs with one slip each ({conditions}). {several * 1000 / len(cases):.0f} of 1,000 get "
        f"more than one report; the first names the line of {there * 1000 / len(cases):.0f}."
    )
    lines = [
        "# The advice of a report, followed: the last long run",
        "",
        f"`{command}` writes this page.",
        "",
        counts,
        "",
        "| what the first report advises | programs |",
        "| --- | --- |",
        *(f"| {each} | {outcomes[each]} |" for each in OUTCOMES),
        "",
        "Advice that fits and gives another program, most frequent first:",
        "",
    ]
    other = Counter(f"{case.kind}: {case.message()}" for case in cases if case.outcome == OUTCOMES[1])
    return "\n".join([*lines, *(f"- {count}: {words}" for words, count in other.most_common(20))]) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Count and print; write the counts where asked."""
    parser = corpus_parser(_COMMAND, __doc__)
    parser.add_argument("--cases", type=int, default=600, help="numbers to draw; some give no case")
    parser.add_argument("--show", action="append", default=[], choices=[*OUTCOMES, _SEVERAL], help="cases to print")
    options = parser.parse_args(arguments)
    console = Console(markup=False, highlight=False, soft_wrap=True)
    comparison = comparison_of(options)
    numbers = track(range(options.cases), "counting", console=console)
    cases = [case for number in numbers if (case := draw(comparison, number)) is not None]
    for case in cases:
        if case.outcome in options.show or (_SEVERAL in options.show and len(case.faults) > 1):
            console.print(shown(case))
    asked = f"{options.language} --ending {options.ending} --cases {options.cases} --seed {options.seed}"
    command = f"{_COMMAND} {asked} --corpus … --summary …"
    written = page(cases, command, f"seed {options.seed}, {title_of(options.language)}")
    publish(written, console, options.summary)
    return 0


if __name__ == "__main__":
    sys.exit(main())
