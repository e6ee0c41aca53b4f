"""The same cursors over several runtimes: `python -m tests.decoding.runtimes --cursors 1000 --summary FILE`.

The cursors are those of `survey.py`. transformers and numpy compute with the numbers of the embedded model in float32,
llama.cpp with the same numbers, stored in 32 bits, or in 16 as they are shipped. A text can differ only where two
tokens were nearly as likely, so for each text the smallest distance between the two best tokens on the way is kept. An
interrupted run goes on where it ended (`--journal`).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, cast

import torch
from tests.decoding.survey import cursors, tools
from tests.hosted import hosted_model
from tests.oracles.cpython import TARGET, parses

from dovetail.decoding.completion import Stop
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits
from dovetail.decoding.request import Request
from dovetail.model.conversion import convert
from dovetail.model.hosting import EMBEDDED, load_plain_model

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.decoding.proposer import Generation, Proposer
    from dovetail.evaluation.cases import Case

RUNTIMES = ("transformers", "llama.cpp f32", "llama.cpp f16", "numpy")

WINDOW = 320
"""Tokens that the model reads: few, since a prompt takes most of the time, and every runtime gets the same."""

MISSED = frozenset({Stop.UNFIT, Stop.INVENTED, Stop.TOO_LONG, Stop.TIME, Stop.NOT_VIABLE})
"""The reasons for which no program was reached; the others are rules about what is worth showing."""

_NEAR = 0.02
"""A distance of log-probabilities by which numbers of 32 bits, added up in another order, move a ranking at most."""

PART = 10
"""Cursors that one process completes at a time."""


class WatchedGeneration:
    """A text of another proposer, and how sure that was of each token."""

    def __init__(self, generation: Generation) -> None:
        self.closest = float("inf")
        """The smallest distance between the log-probabilities of the two best tokens so far."""
        self._generation = generation

    def __getattr__(self, name: str) -> Any:
        """Return what the other text has."""
        return getattr(self._generation, name)

    def ranked(self, count: int) -> list[tuple[int, float]]:
        """Return the ranking of the other text."""
        found = list(self._generation.ranked(max(count, 2)))
        if len(found) > 1:
            self.closest = min(self.closest, found[0][1] - found[1][1])
        return found[:count]


class WatchedProposer:
    """Another proposer, whose last text is kept."""

    def __init__(self, proposer: Proposer) -> None:
        self.last: WatchedGeneration | None = None
        self.window = WINDOW
        self._proposer = proposer

    def __getattr__(self, name: str) -> Any:
        """Return what the other proposer has."""
        return getattr(self._proposer, name)

    def begin(self, prompt: Sequence[int], document: str | None = None) -> WatchedGeneration:
        """Return the text that continues a prompt."""
        self.last = WatchedGeneration(self._proposer.begin(prompt, document))
        return self.last


@dataclass(frozen=True)
class Written:
    """The result of one cursor over one runtime."""

    text: str | None
    program: bool
    """True if a program was reached: what is shown parses in its place, or is not shown for another reason."""
    stop: str
    closest: float
    """The smallest distance between the two best tokens."""
    seconds: float
    """Processor time."""


def loaded(runtime: str) -> Proposer:
    """Return the embedded model over a runtime."""
    name, _, kind = runtime.partition(" ")
    if name == "transformers":
        return cast("Proposer", hosted_model())
    if name == "numpy":
        return load_plain_model()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{kind}.gguf"
        convert(EMBEDDED, path, kind)
        return load_plain_model(str(path))  # the file stays open


@cache
def proposer(runtime: str) -> WatchedProposer:
    """Return the embedded model over a runtime, in a process that computes with one thread."""
    torch.set_num_threads(1)
    os.environ["OMP_NUM_THREADS"] = "1"
    return WatchedProposer(loaded(runtime))


def complete(runtime: str, count: int, seed: str, tokens: int) -> list[Written]:
    """Complete some cursors over a runtime."""
    return [complete_one(proposer(runtime), cursor, tokens) for _, cursor in cursors(count, seed)]


def complete_one(watched: WatchedProposer, cursor: Case, tokens: int) -> Written:
    """Complete one cursor."""
    language, masker = tools()
    left, right = cursor.left, cursor.right
    begun = time.process_time()
    request = Request(
        left, right, lambda: language.quotient(left, right), Limits(tokens), open_masker=lambda: masker
    )  # fmt: skip
    watched.last = None
    completion = Decoder(cast("Proposer", watched)).complete(request)
    taken = time.process_time() - begun
    if completion.text is None:
        program = completion.stop not in MISSED
    else:
        program = parses(left + completion.text + right) is not False
    closest = float("inf") if watched.last is None else watched.last.closest
    return Written(completion.text, program, completion.stop.name, closest, taken)


def run_all(
    count: int, seed: int, tokens: int, processes: int, journal: Path, minutes: float
) -> list[dict[str, Written]]:
    """Complete the cursors that the journal lacks, for so many minutes; return those that all runtimes completed."""
    done: dict[tuple[str, str], list[Written]] = {}
    if journal.exists():
        for line in journal.read_text("utf-8").splitlines():
            entry = json.loads(line)
            done[entry["runtime"], entry["seed"]] = [Written(**each) for each in entry["found"]]
    parts = [(f"{seed}/{part}", min(PART, count - part)) for part in range(0, count, PART)]
    ends = time.monotonic() + 60 * minutes
    # A process that was forked from one with threads of torch may stand still.
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool, journal.open("a", encoding="utf-8") as kept:
        jobs = {
            pool.submit(complete, runtime, size, name, tokens): (runtime, name)
            for name, size in parts
            for runtime in RUNTIMES
            if (runtime, name) not in done
        }
        for job in as_completed(jobs):
            if job.cancelled():
                continue
            done[jobs[job]] = job.result()
            entry = {"runtime": jobs[job][0], "seed": jobs[job][1], "found": [asdict(each) for each in job.result()]}
            kept.write(json.dumps(entry) + "\n")
            kept.flush()
            if time.monotonic() > ends:
                pool.shutdown(wait=False, cancel_futures=True)
    whole = [name for name, _ in parts if all((runtime, name) in done for runtime in RUNTIMES)]
    return [
        dict(zip(RUNTIMES, results, strict=True))
        for name in whole
        for results in zip(*(done[runtime, name] for runtime in RUNTIMES), strict=True)
    ]


def summary(found: list[dict[str, Written]], seed: int, tokens: int) -> str:
    """Return what the runtimes wrote as a page of text; the first is the one that the others are compared with."""
    command = f"python -m tests.decoding.runtimes --cursors {len(found)} --seed {seed} --tokens {tokens}"
    lines = [
        f"# {len(found):,} cursors over several runtimes",
        "",
        f"`{command}`, Python {TARGET}; the embedded model reads {WINDOW} tokens.",
        "transformers and numpy compute with its numbers in float32; llama.cpp with the same numbers, stored in 32 or",
        "16 bits.",
        "",
        "| runtime | a program is reached | shown | the same text or reason | processor time, median |",
        "| --- | --- | --- | --- | --- |",
    ]
    reference = RUNTIMES[0]
    for runtime in RUNTIMES:
        programs = sum(each[runtime].program for each in found)
        shown = sum(each[runtime].text is not None for each in found)
        same = len(found) - len(_differing(found, runtime))
        taken = 1000 * median(each[runtime].seconds for each in found)
        lines.append(f"| {runtime} | {programs:,} | {shown:,} | {same:,} | {taken:,.0f} ms |")
    near = sum(each[reference].closest < _NEAR for each in found)
    lines += [
        "",
        "What is reached and not shown was kept back by a rule: cuts lie anywhere, also where nobody stops to type.",
        "",
        "A text can differ where two tokens were nearly as likely. The distance is the smallest one between the",
        "log-probabilities of the two best tokens that transformers met on the way to its text; it is below",
        f"{_NEAR} in {near:,} of all texts.",
        "",
        f"| runtime | differ | of them below {_NEAR} | median distance | largest |",
        "| --- | --- | --- | --- | --- |",
    ]
    for runtime in RUNTIMES[1:]:
        gaps = [each[reference].closest for each in _differing(found, runtime)]
        cells = f"{median(gaps):.4f} | {max(gaps):.4f}" if gaps else "– | –"
        lines.append(f"| {runtime} | {len(gaps)} | {sum(gap < _NEAR for gap in gaps)} | {cells} |")
    return "\n".join([*lines, ""])


def _differing(found: list[dict[str, Written]], runtime: str) -> list[dict[str, Written]]:
    """Return the cursors at which a runtime writes another text than the first, or none for another reason."""
    reference = RUNTIMES[0]
    return [
        each
        for each in found
        if (each[runtime].text, each[runtime].text or each[runtime].stop)
        != (each[reference].text, each[reference].text or each[reference].stop)
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Complete, print the page, and keep it where that is asked for; return 1 if a runtime reaches fewer programs."""
    parser = argparse.ArgumentParser(prog="python -m tests.decoding.runtimes", description=__doc__)
    parser.add_argument("--cursors", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tokens", type=int, default=24, help="the most tokens of a completion")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=600.0, help="after which the run ends with what it has")
    parser.add_argument("--journal", type=Path, default=Path("build/runtimes.jsonl"), help="what was done already")
    parser.add_argument("--summary", type=Path, help="write the page there")
    chosen = parser.parse_args(arguments)
    chosen.journal.parent.mkdir(parents=True, exist_ok=True)
    found = run_all(
        chosen.cursors, chosen.seed, chosen.tokens, chosen.processes, chosen.journal, chosen.minutes
    )  # fmt: skip
    page = summary(found, chosen.seed, chosen.tokens)
    sys.stdout.write(page)
    if chosen.summary is not None:
        chosen.summary.write_text(page, "utf-8")
    reached = {runtime: sum(each[runtime].program for each in found) for runtime in RUNTIMES}
    return int(min(reached.values()) < reached[RUNTIMES[0]])


if __name__ == "__main__":
    sys.exit(main())
