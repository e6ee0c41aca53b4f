"""The long run: a thousand cursors of real files, each completed in place, `python -m tests.decoding.survey`.

Cuts are those of Melcer et al. 2024, section VII.A, at boundaries and as random spans, of whole files of the standard
library. Three ways to complete them: the embedded model with a budget of 64 tokens and with one of 8, and a model of
the same form with random weights. What is shown has to parse in its place; where nothing is shown there is a reason.
Each of them once more without the rule that the rest of the cursor's line stays on it: most of these cuts began on one
line and ended on another, so that only a text with a line end fits, which no editor would be offered.
The same seed gives the same cuts on the same library. What does not parse is printed with its place.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

import torch
from rich.console import Console
from rich.progress import Progress
from tests.fuzz.places import CUTS
from tests.fuzz.sources import LIBRARY, files
from tests.oracles.cpython import TARGET, parses
from transformers import AutoConfig, AutoModelForCausalLM

import dovetail
from dovetail.decoding.completion import EMPTY, Stop
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits
from dovetail.decoding.request import Request
from dovetail.evaluation.cases import Case
from dovetail.masking.mask import Masker
from dovetail.model.hosting import EMBEDDED, load_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from dovetail.decoding.completion import Completion
    from dovetail.decoding.constraint import Constraint
    from dovetail.decoding.proposer import Proposer

PART = 50
"""Cursors that one process completes at a time."""

KINDS = ("boundary", "random span")

_KEPT_BACK = (*EMPTY, Stop.FINISHED, Stop.PROSE, Stop.UNSURE)
"""The reasons for which a text is not shown although the whole is a program: it adds nothing, or is unlikely."""

_COLUMNS = (
    "model and budget", "shown", "of them parse", "a program is reached", "without the rule", "blank or nothing new",
    "no program",
)  # fmt: skip

LARGEST = 60_000
"""Characters of a file; what surrounds a cursor farther away changes neither the model's prompt nor the answer."""


def cursors(count: int, seed: str) -> Iterator[tuple[str, Case]]:
    """Yield so many cursors with the kind of their cut, the two kinds in turn."""
    random = Random(seed)
    found = 0
    while found < count:
        kind = KINDS[found % len(KINDS)]
        path = random.choice(files())
        try:
            text = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
        except UnicodeDecodeError:
            continue
        if not 200 <= len(text) <= LARGEST or not parses(text):
            continue
        cut = CUTS[kind](random, text)
        if cut is not None:
            yield kind, Case(found, path.relative_to(LIBRARY).as_posix(), text, *cut)
            found += 1


def untrained(seed: int = 0) -> Proposer:
    """Return a model of the embedded one's form whose weights are random: it knows nothing at all."""
    torch.manual_seed(seed)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(EMBEDDED, folder, dirs_exist_ok=True)
        model: Any = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(EMBEDDED))
        model.save_pretrained(folder)
        return load_model(folder)


@dataclass(frozen=True)
class Run:
    """One way to complete the cursors."""

    name: str
    proposer: Callable[[], Proposer]
    limits: Limits


RUNS = {
    "embedded, 64 tokens": Run("embedded, 64 tokens", load_model, Limits(64)),
    "embedded, 8 tokens": Run("embedded, 8 tokens", load_model, Limits(8)),
    "random weights, 64 tokens": Run("random weights, 64 tokens", untrained, Limits(64)),
}


class Counted(NamedTuple):
    """A way to complete the cursors: a run, with the rule of the rest of the line or without it."""

    name: str
    keeps_line: bool


class Tally:
    """The results of the cursors of one run."""

    def __init__(self) -> None:
        self.count = 0
        self.shown = 0
        self.broken: list[str] = []
        self.reasons: Counter[Stop] = Counter()  # where nothing is shown
        self.stops: Counter[Stop] = Counter()  # where something is
        self.tokens = 0
        self.seconds = 0.0

    def add(self, cursor: Case, completion: Completion) -> None:
        """Count one outcome; what the interpreter gives up on for its own limits was a program before, and is one."""
        self.count += 1
        self.tokens += completion.tokens
        if completion.text is None:
            self.reasons[completion.stop] += 1
            return
        self.shown += 1
        self.stops[completion.stop] += 1
        if parses(cursor.left + completion.text + cursor.right) is False:
            self.broken.append(f"{cursor}: {completion.text!r} ({completion.stop.value})")

    def __iadd__(self, other: Tally) -> Tally:
        """Count what another has counted."""
        self.count += other.count
        self.shown += other.shown
        self.broken += other.broken
        self.reasons += other.reasons
        self.stops += other.stops
        self.tokens += other.tokens
        self.seconds += other.seconds
        return self

    @property
    def programs(self) -> int:
        """The number of texts that ended in a program: those shown, and those that a rule kept back at the end."""
        return self.shown - len(self.broken) + sum(self.reasons[stop] for stop in _KEPT_BACK)


@cache
def decoder(name: str) -> Decoder:
    """Return the decoder of a run."""
    torch.set_num_threads(1)
    return Decoder(RUNS[name].proposer())


@cache
def tools() -> tuple[dovetail.Language, Masker]:
    """Return the language, and what knows which tokens fit; all runs have one vocabulary."""
    language = dovetail.load_language("python", target=TARGET)
    return language, Masker(language, load_model().vocabulary)


@contextmanager
def any_rest_of_line() -> Iterator[None]:
    """Let completions move the rest of the cursor's line, and take it into a comment where nothing else fits."""

    def kept_if_possible(quotient: Constraint, request: Request) -> Constraint:
        del request
        kept = quotient.keeping_rest_of_line
        return kept if kept.viable else quotient

    with (
        patch("dovetail.decoding.decoder.keep_rest_of_line", kept_if_possible),
        patch("dovetail.decoding.task.find_rest_of_line", lambda request: None),
    ):
        yield


def survey(name: str, count: int, seed: str, *, keeps_line: bool = True) -> Tally:
    """Complete some cursors and return what became of them."""
    if not keeps_line:
        with any_rest_of_line():
            return survey(name, count, seed)
    language, masker = tools()
    tally = Tally()
    for _, cursor in cursors(count, seed):
        left, right = cursor.left, cursor.right
        started = time.process_time()
        request = Request(
            left,
            right,
            lambda left=left, right=right: language.quotient(left, right),
            RUNS[name].limits,
            open_masker=lambda: masker,
        )
        completion = decoder(name).complete(request)
        tally.seconds += time.process_time() - started
        tally.add(cursor, completion)
    return tally


def survey_all(names: Sequence[str], count: int, seed: int, processes: int, console: Console) -> dict[Counted, Tally]:
    """Complete the same cursors in every way, some at a time in each process."""
    tallies = {Counted(name, keeps_line): Tally() for name in names for keeps_line in (True, False)}
    parts = [(part, min(PART, count - part)) for part in range(0, count, PART)]
    # A process that was forked from one with threads of torch may stand still.
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        jobs = {
            pool.submit(survey, way.name, size, f"{seed}/{part}", keeps_line=way.keeps_line): way
            for part, size in parts
            for way in tallies
        }
        with Progress(console=console, disable=not console.is_terminal) as progress:
            for job in progress.track(as_completed(jobs), len(jobs)):
                tallies[jobs[job]] += job.result()
    return tallies


def summary(tallies: dict[Counted, Tally], count: int, seed: int) -> str:
    """Return what became of the cursors as a page of text."""
    lines = [
        "# A thousand cursors completed in place" if count == 1000 else f"# {count} cursors completed in place",
        "",
        f"`python -m tests.decoding.survey --cursors {count} --seed {seed}`, Python {TARGET}.",
        "Half of the cuts are at boundaries, half are random spans, all of whole files of the standard library.",
        "Every result is judged in its place by `ast.parse`.",
        "In an editor the rest of the cursor's line stays on it, so nothing is shown where only a text with a line end",
        "would fit, as where most of these cuts began on one line and ended on another. Without that rule most of what",
        "is missing repeats itself, and is kept back for that.",
        "",
        f"| {' | '.join(_COLUMNS)} |",
        f"|{' --- |' * len(_COLUMNS)}",
    ]
    for (name, keeps_line), tally in tallies.items():
        if not keeps_line:
            continue
        free = tallies[Counted(name, keeps_line=False)]
        short = sum(tally.reasons[stop] for stop in EMPTY)
        none = tally.count - tally.shown - short
        lines.append(
            f"| {name} | {tally.shown} | {tally.shown - len(tally.broken)} | "
            f"{100 * tally.programs / tally.count:.1f} % | {100 * free.programs / free.count:.1f} % | "
            f"{short} | {none} |"
        )
    for (name, keeps_line), tally in tallies.items():
        lines += ["", f"## {name}{'' if keeps_line else ', without the rule'}", ""]
        ends = ", ".join(f"{stop.value}: {number}" for stop, number in tally.stops.most_common())
        lines.append(f"- Where something is shown: {ends}.")
        reasons = ", ".join(f"{stop.value}: {number}" for stop, number in tally.reasons.most_common())
        lines.append(f"- Where nothing is: {reasons or 'never'}.")
        lines.append(
            f"- {tally.tokens / tally.count:.1f} tokens and {1000 * tally.seconds / tally.count:.0f} ms of processor "
            "time for each, contexts and prompt included."
        )
        lines += [f"- Does not parse: {place}" for place in tally.broken]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print the summary, and return 1 if anything that was shown does not parse."""
    parser = argparse.ArgumentParser(prog="python -m tests.decoding.survey", description=__doc__)
    parser.add_argument("--cursors", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1, help="another seed draws other cursors")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--run", choices=list(RUNS), action="append", help="leave the others out")
    parser.add_argument("--summary", type=Path, help="write the summary to this file too")
    chosen = parser.parse_args(arguments)
    names = chosen.run or list(RUNS)
    tallies = survey_all(names, chosen.cursors, chosen.seed, chosen.processes, Console(stderr=True))
    text = summary(tallies, chosen.cursors, chosen.seed)
    if chosen.summary:
        chosen.summary.write_text(text, encoding="utf-8")
    sys.stdout.write(text)
    return int(any(tally.broken for tally in tallies.values()))


if __name__ == "__main__":
    sys.exit(main())
