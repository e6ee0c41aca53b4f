"""The command line of the long version: `python -m tests.fuzz --cases 10000 --seed 7`."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import track
from tests.fuzz.cases import Case, make_case
from tests.fuzz.judging import judge
from tests.fuzz.shrinking import shrunk
from tests.oracles.cpython import TARGET

import dovetail

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tests.oracles.face import Language


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge cases, save those that fail, print a summary; return 1 if any failed."""
    options = _options().parse_args(arguments)
    console = Console()
    language = dovetail.load_language("python", target=TARGET)
    cases: Iterable[Case]
    if options.redo:
        cases = [Case.from_json(line) for line in options.redo.read_text(encoding="utf-8").splitlines()]
        count = len(cases)
    else:
        seed = options.seed if options.seed is not None else int(time.time())
        count = options.cases
        console.print(f"seed {seed}, cases {options.first} to {options.first + count - 1}, target {TARGET}")
        cases = (
            make_case(seed, number, mutate=bool(number % 3), largest=options.largest, tests=options.tests)
            for number in range(options.first, options.first + count)
        )
    failed = 0
    for case in track(cases, "judging", total=count, console=console, disable=options.quiet):
        wrong = judge(language, case)
        if not wrong:
            continue
        failed += 1
        small = case if options.redo else shrunk(case, lambda smaller: bool(_judged(language, smaller)))
        _show(console, small, _judged(language, small) or wrong)
        if not options.redo:
            _save(options.failures, small)
    console.print(f"{count} cases, {failed} failed" + (f", saved in {options.failures}" if failed else ""))
    return 1 if failed else 0


def _judged(language: Language, case: Case) -> list[str]:
    """Return what is wrong, an exception included, so that shrinking goes on past a crash."""
    try:
        return judge(language, case)
    except Exception as error:  # whatever the engine raises is the finding
        return [f"{type(error).__name__}: {error}"]


def _show(console: Console, case: Case, wrong: list[str]) -> None:
    console.print(f"[bold]{case.source}[/bold], pieces of {case.grain} bytes")
    for name in ("left", "middle", "right"):
        console.print(f"  {name:6} {getattr(case, name)!r}", markup=False, highlight=False)
    for line in wrong:
        console.print(f"  {line}", style="red", markup=False, highlight=False)


def _save(path: Path, case: Case) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(case.to_json() + "\n")


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=1000, help="how many")
    parser.add_argument("--seed", type=int, help="the same seed gives the same cases; default: the time")
    parser.add_argument("--first", type=int, default=0, help="number of the first case, to repeat one")
    parser.add_argument("--largest", type=int, default=4000, help="characters of the largest program")
    parser.add_argument("--tests", action="store_true", help="cut the standard library's own tests too")
    parser.add_argument("--failures", type=Path, default=Path("build/fuzz.jsonl"), help="where to save")
    parser.add_argument("--redo", type=Path, help="judge the cases saved in this file again")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    return parser


if __name__ == "__main__":
    sys.exit(main())
