"""The long comparison with every CPython at hand: `make fuzz`, or `python -m tests.fuzz.survey --cuts 20000`.

Whole files, and cuts of all kinds with their true middle and mutated ones, each judged by an interpreter drawn at
random and by the engine with that interpreter's version as its target. The same seed gives the same cuts on the
same libraries. What disagrees is saved, one JSON object a line, and `--redo FILE` judges it again; what a listed
deviation explains is counted apart.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import sysconfig
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import Progress
from tests.fuzz.deviations import explained, interpreter
from tests.fuzz.mutations import mutated
from tests.fuzz.places import CUTS
from tests.oracles.interpreters import find_interpreter

import dovetail
from dovetail.comparison import middles as comparison
from dovetail.grammar.oracle import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

VERSIONS = ("3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14")
MUTATED = 6
"""Mutated middles for each cut."""
LARGEST = 6000
"""Characters of a program that is cut: some top-level statements of a file."""
BLOCK = 40
"""Cuts or files that one process judges at a time."""

Finding = dict[str, Any]


@cache
def language(version: str) -> dovetail.Language:
    """Return Python at a version."""
    return dovetail.load_language("python", target=version)


@cache
def files(version: str, *, packages: bool = True) -> tuple[Path, ...]:
    """Return the modules of a version's standard library, tests included, and of the packages beside this one."""
    chosen = interpreter(version)
    assert chosen is not None
    folders = {chosen.library(), *([Path(sysconfig.get_path("purelib"))] if packages else [])}
    found = {path for folder in folders for path in folder.rglob("*.py") if 0 < path.stat().st_size <= 300_000}
    # An interpreter's own library may hold packages, too.
    mine = folders if packages else set()
    return tuple(sorted(path for path in found if "site-packages" not in path.parts or mine & set(path.parents)))


def read(path: Path) -> str | None:
    """Return the text of a file, or None if it is not UTF-8."""
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def passage(random: Random, version: str, *, packages: bool = True) -> tuple[str, str]:
    """Return a file's name and some consecutive top-level statements of it that are a program.

    Without `packages` the same random numbers choose the same text, whatever is installed.
    """
    chosen = interpreter(version)
    assert chosen is not None
    while True:
        path = random.choice(files(version, packages=packages))
        text = read(path)
        if not text:
            continue
        starts = [0, *(at + 1 for at, c in enumerate(text[:-1]) if c == "\n" and text[at + 1] not in " \t\n#)]}\r")]
        low = random.choice(starts)
        ends = [end for end in (*starts, len(text)) if low < end <= low + LARGEST]
        if not ends:
            continue
        chunk = text[low : random.choice(ends[-6:])]
        if chosen.parses([chunk]) == [True]:
            return path.name, chunk


def judge_cut(seed: int, number: int, versions: Sequence[str]) -> tuple[str, int, list[Finding]]:
    """Judge one cut; return its kind, the number of middles judged, and what disagrees."""
    random = Random(f"{seed}/{number}")
    version = random.choice(versions)
    kind = random.choice(list(CUTS))
    while True:
        name, text = passage(random, version)
        cut = CUTS[kind](random, text)
        if cut is not None:
            break
    left, middle, right = text[: cut[0]], text[cut[0] : cut[1]], text[cut[1] :]
    middles = [middle, *(mutated(random, middle) for _ in range(MUTATED))]
    found = judge_middles(version, left, right, middles, random.choice([1, 2, 5, 20]))
    return kind, len(middles), [{"source": name, "cut": number, "kind": kind, **finding} for finding in found]


class _Judge:
    """An interpreter as the judge of a comparison."""

    def __init__(self, version: str) -> None:
        chosen = interpreter(version)
        assert chosen is not None
        self.interpreter = chosen

    def judge(self, texts: Sequence[str]) -> list[Verdict]:
        """Return the verdict on each text."""
        return [Verdict(accepted) for accepted in self.interpreter.parses(texts)]


def judge_middles(version: str, left: str, right: str, middles: Sequence[str], grain: int) -> list[Finding]:
    """Return where engine and interpreter disagree about middles, and where the engine disagrees with itself.

    A finding names the `deviation` that explains it, if one does.
    """
    cutting = comparison.Cutting(left, right, middles, grain)
    found = []
    for one in comparison.judge_middles(language(version), _Judge(version), cutting):
        judged = one.check in {"middle", "closing"} and one.engine in {comparison.ACCEPTS, comparison.REFUSES}
        deviation = explained(version, one.text, one.engine != comparison.REFUSES) if judged else None
        found.append({"version": version, **asdict(one), "deviation": deviation})
    return found


def judge_file(version: str, path: Path) -> list[Finding]:
    """Return a finding if engine and interpreter disagree about a whole file."""
    chosen = interpreter(version)
    assert chosen is not None
    text = read(path)
    if text is None:
        return []
    verdict = chosen.parses([text])[0]
    if verdict is None or language(version).accepts(text) == verdict:
        return []
    deviation = explained(version, text, not verdict)
    place = {"version": version, "left": "", "right": "", "middle": text, "source": str(path.name)}
    return [{**place, "parses": verdict, "deviation": deviation}]


def disagreements(found: Sequence[Finding]) -> list[Finding]:
    """Return the findings that no deviation explains."""
    return [finding for finding in found if finding["deviation"] is None]


def _cut_block(seed: int, first: int, count: int, versions: Sequence[str]) -> tuple[Counter[str], list[Finding]]:
    counts: Counter[str] = Counter()
    found: list[Finding] = []
    for number in range(first, first + count):
        kind, judged, wrong = judge_cut(seed, number, versions)
        counts[kind] += 1
        counts["middles judged"] += judged
        _count_deviations(counts, "middles", wrong)
        found += disagreements(wrong)
    return counts, found


def _file_block(version: str, first: int, count: int) -> tuple[Counter[str], list[Finding]]:
    chosen = files(version)[first : first + count]
    wrong = [finding for path in chosen for finding in judge_file(version, path)]
    counts = Counter({f"files, {version}": len(chosen)})
    _count_deviations(counts, "files", wrong)
    return counts, disagreements(wrong)


def _count_deviations(counts: Counter[str], of: str, found: Sequence[Finding]) -> None:
    for finding in found:
        if finding["deviation"] is not None:
            counts[f"{of} of a listed deviation: {finding['deviation']}"] += 1


def survey(options: argparse.Namespace, console: Console) -> tuple[Counter[str], list[Finding]]:
    """Judge everything asked for, on all processors, until it is done or the time is up."""
    versions = [version for version in VERSIONS if find_interpreter(version)]
    seed = options.seed if options.seed is not None else int(time.time())
    console.print(f"seed {seed}; interpreters {', '.join(versions)}")
    counts: Counter[str] = Counter(seed=seed)
    found: list[Finding] = []
    deadline = time.monotonic() + options.minutes * 60
    jobs: list[tuple[Any, ...]] = [
        (_cut_block, seed, first, min(BLOCK, options.cuts - first), versions) for first in range(0, options.cuts, BLOCK)
    ]
    for version in versions:
        total = min(options.files, len(files(version)))
        jobs += [(_file_block, version, first, min(BLOCK, total - first)) for first in range(0, total, BLOCK)]
    processes = ProcessPoolExecutor(os.cpu_count(), get_context("spawn"))  # each with interpreters of its own
    with processes as pool, Progress(console=console, disable=options.quiet) as progress:
        task = progress.add_task("comparing", total=len(jobs))
        waiting = {pool.submit(*job) for job in jobs}
        for future in as_completed(waiting):
            if future.cancelled():
                continue
            more, wrong = future.result()
            counts += more
            found += wrong
            progress.update(task, advance=1, description=f"comparing, {len(found)} disagreements")
            if time.monotonic() > deadline:
                for other in waiting:
                    other.cancel()
    return counts, found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a survey or judge saved findings again; return 1 if anything disagrees."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.survey", description=__doc__)
    parser.add_argument("--cuts", type=int, default=2000, help="how many cuts, each with seven middles")
    parser.add_argument("--files", type=int, default=200, help="at most so many whole files for each interpreter")
    parser.add_argument("--minutes", type=float, default=20, help="at most so long")
    parser.add_argument("--seed", type=int, help="the same seed gives the same cuts; default: the time")
    parser.add_argument("--failures", type=Path, default=Path("build/survey.jsonl"), help="where to save")
    parser.add_argument("--summary", type=Path, help="write the counts here")
    parser.add_argument("--redo", type=Path, help="judge the findings saved in this file again")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    options = parser.parse_args(arguments)
    console = Console()
    if options.redo:
        saved = [json.loads(line) for line in options.redo.read_text(encoding="utf-8").splitlines()]
        found = [
            again
            for one in saved
            for again in disagreements(
                judge_middles(one["version"], one["left"], one["right"], [one["middle"]], one.get("grain", 20))
            )
        ]
        console.print(f"{len(saved)} findings, {len(found)} still disagree")
        return int(bool(found))
    counts, found = survey(options, console)
    lines = [f"{name}: {count}" for name, count in sorted(counts.items())] + [f"disagreements: {len(found)}"]
    console.print("\n".join(lines))
    if options.summary:
        options.summary.write_text("\n".join(["# The last long comparison", "", *(f"- {line}" for line in lines), ""]))
    if found:
        options.failures.parent.mkdir(parents=True, exist_ok=True)
        options.failures.write_text("".join(json.dumps(finding) + "\n" for finding in found), encoding="utf-8")
        console.print(f"saved in {options.failures}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
