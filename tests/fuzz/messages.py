"""The first messages of `dovetail check` beside CPython's: `python -m tests.fuzz.messages --cases 2000`.

Programs of the standard library are broken at one place. Counted is how often both name the same line; `--summary`
writes the counts and forty cases drawn at random, side by side, for people to judge.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import warnings
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import track
from tests.fuzz.breaks import by_chance
from tests.fuzz.survey import language, passage
from tests.oracles.cpython import TARGET

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHOWN = 40
_COMMAND = "python -m tests.fuzz.messages"


@dataclass(frozen=True)
class Message:
    """The messages of both about one broken program."""

    number: int
    line: int
    """CPython's, from 1."""
    theirs: str
    our_line: int
    ours: str
    text: str
    """The line that we name."""


def message(seed: int, number: int) -> Message | None:
    """Return what is said of a case; None if the change left it a program. Both have to refuse the same texts."""
    random = Random(f"{seed}/{number}")
    _, text = passage(random, TARGET, packages=False)
    text = "".join(by_chance(random, text.splitlines(keepends=True)).lines) if text else ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
        return None
    except SyntaxError as error:
        line, theirs = error.lineno or 0, error.msg
    faults = language(TARGET).errors(text, most=1)
    assert faults, f"case {number} is refused by CPython alone: {theirs}"
    at = faults[0].reported
    return Message(number, line, theirs, at.line, at.message, re.split("\r\n|\r|\n", text)[at.line - 1])


def written(messages: Sequence[Message], seed: int) -> str:
    """Return the counts and some cases as a Markdown document."""
    same = sum(one.line == one.our_line for one in messages)
    others = Counter(one.theirs.split(" (")[0] for one in messages if one.line != one.our_line)
    shown = sorted(Random(seed).sample(list(messages), min(_SHOWN, len(messages))), key=lambda one: one.number)
    lines = [
        "# Messages beside CPython's, the last long run",
        "",
        f"`{_COMMAND} --cases {len(messages)} --seed {seed} --summary tests/fuzz/MESSAGES.md` writes this page.",
        "",
        f"{len(messages):,} programs of the standard library, each broken at one place (seed {seed}, CPython "
        f"{TARGET}). Both name the same line in {same / len(messages):.1%}. CPython's messages where the lines differ, "
        "most frequent first: " + "; ".join(f"{name} ({count})" for name, count in others.most_common(8)) + ".",
        "",
        f"{len(shown)} of them drawn at random:",
        "",
        "| line that `dovetail check` names | `dovetail check` | CPython |",
        "| --- | --- | --- |",
    ]
    for one in shown:
        source = one.text.strip()[:60].replace("|", "\\|").replace("`", "'")
        ours = one.ours.replace("|", "\\|")
        lines.append(
            f"| `{source or ' '}` | {one.our_line}: {ours} | {one.line}: {one.theirs.replace('|', chr(92) + '|')} |"
        )
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare and print the share; write it where asked."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.messages", description=__doc__)
    parser.add_argument("--cases", type=int, default=200, help="broken programs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--summary", type=Path, help="write counts and examples here")
    options = parser.parse_args(arguments)
    console = Console()
    found: list[Message] = []
    number = 0
    for _ in track(range(options.cases), "comparing", console=console):
        one = None
        while one is None:
            number += 1
            one = message(options.seed, number)
        found.append(one)
    same = sum(one.line == one.our_line for one in found)
    console.print(f"the same line in {same} of {len(found)}: {same / len(found):.1%}")
    if options.summary:
        options.summary.write_text(written(found, options.seed), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
