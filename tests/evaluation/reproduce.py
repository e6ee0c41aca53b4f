"""Makes the report, `python -m tests.evaluation.reproduce`: all experiments, then tables, plots and page.

What is done already is not done again, so an interrupted run goes on. The journals, which hold text of the packages,
stay in `--output`; the report in `tests/evaluation/report` shows text of our own sources only.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.evaluation import packages

from dovetail.evaluation.report import DOCUMENT, PAGE

if TYPE_CHECKING:
    from collections.abc import Sequence

OWN = Path(__file__).parents[2] / "server" / "dovetail"
REPORT = Path(__file__).parent / "report"

EXPERIMENTS = {"boundary": 2000, "randspan": 2000, "line": 200, "block": 200, "left-only": 200}
"""Data set → how many cases of the packages."""

SHOWN = 60
"""Cases of our own sources, some of which are shown with their texts."""


def commands(output: Path, rest: Sequence[str], shards: int, scale: float = 1.0) -> list[list[list[str]]]:
    """Return the command lines, those in one list to be run at the same time."""
    data = str(packages.cache())
    made = [
        [
            ["--data", data, "--dataset", name, "--cases", str(max(1, round(cases * scale))), "--examples", "0",
             "--shard", f"{shard + 1}/{shards}"]
            for shard in range(shards)
        ]
        for name, cases in EXPERIMENTS.items()
    ]  # fmt: skip
    made.append([["--data", str(OWN), "--cases", str(SHOWN), "--name", "examples", "--uncounted"]])
    shared = [sys.executable, "-m", "dovetail", "eval", "--output", str(output), *rest]
    return [[[*shared, *own] for own in group] for group in made]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run everything; return the first exit code that is not 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation.reproduce", description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("build/report"), help="where the journals are kept")
    parser.add_argument("--shards", type=int, default=os.cpu_count() or 1, help="processes at a time")
    parser.add_argument("--model", help="another model than our own; its report stays in --output")
    parser.add_argument("--max-tokens", type=int, default=64, help="the most tokens of a text")
    parser.add_argument("--scale", type=float, default=1.0, help="a part of the cases, to try it out")
    chosen = parser.parse_args(arguments)
    packages.main()
    rest = ["--max-tokens", str(chosen.max_tokens), *(["--model", chosen.model] if chosen.model else [])]
    for group in commands(chosen.output, rest, chosen.shards, chosen.scale):
        processes = [subprocess.Popen(command) for command in group]
        codes = [process.wait() for process in processes]
        if any(codes):
            return next(code for code in codes if code)
    if not chosen.model and chosen.scale == 1 and chosen.max_tokens == 64:
        for name in (PAGE, DOCUMENT):
            shutil.copy(chosen.output / name, REPORT / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
