"""The command line: `python -m tests.benchmarks --results FOLDER`."""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from tests.benchmarks import engine, plot
from tests.benchmarks.sections import SECTIONS, Options
from tests.benchmarks.vocabularies import NAMES
from tests.oracles.cpython import TARGET

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.benchmarks.tables import Table

SIZES = [1_000, 3_000, 10_000, 30_000, 100_000, 1_000_000]
BARS = [("bar", 1_000, 10.0), ("bar", 10_000, 20.0), ("bar", 30_000, 30.0), ("bar", 1_000_000, 150.0)]
"""The bounds on a cold quotient: (label, characters, milliseconds)."""
DRAWN = engine.KINDS


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the tables, and keep the numbers where they are asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--json", type=Path, help="write the numbers to this file too")
    parser.add_argument("--results", type=Path, help="write RESULTS.md and growth.svg to this folder too")
    parser.add_argument("--only", nargs="+", choices=list(SECTIONS), default=list(SECTIONS), help="parts to measure")
    parser.add_argument("--count", type=int, default=24, help="contexts of each size; fewer of the large ones")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="characters of a context")
    parser.add_argument("--seed", type=int, default=1, help="another seed chooses other files")
    parser.add_argument("--target", default=TARGET, help="the version of Python that the grammar is of")
    parser.add_argument("--vocabularies", nargs="+", choices=list(NAMES), default=list(NAMES), help="whose masks")
    chosen = parser.parse_args(arguments)
    options = Options(chosen.target, chosen.sizes, chosen.count, chosen.seed, chosen.vocabularies)
    console = Console()
    tables: dict[str, list[Table]] = {}
    for name in chosen.only:
        tables[name] = SECTIONS[name](options)
        gc.unfreeze()  # what a part took for what stays
        for table in tables[name]:
            console.print(table.drawn())
    if chosen.json:
        kept = {table.title: table.kept() for made in tables.values() for table in made}
        chosen.json.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    if chosen.results:
        measured = [table for made in tables.values() for table in made]
        page = chosen.results / "RESULTS.md"
        before = page.read_text("utf-8") if page.exists() and set(chosen.only) < set(SECTIONS) else _heading(options)
        page.write_text(with_tables(before, measured), encoding="utf-8")
        if "growth" in tables:
            (chosen.results / "growth.svg").write_text(_picture(tables["growth"][0]), encoding="utf-8")
    return 0


def with_tables(page: str, tables: Sequence[Table]) -> str:
    """Return a page with tables in the places of those with the same titles, and the others at its end."""
    heading, *sections = page.split("\n## ")
    kept = {section.partition("\n")[0]: f"## {section.rstrip()}\n" for section in sections}
    kept |= {table.title: table.written() for table in tables}
    return "\n".join([f"{heading.rstrip()}\n", *kept.values()])


def _heading(options: Options) -> str:
    return (
        "# One run of the benchmark\n\n"
        f"`make bench`, on {os.cpu_count()} shared cores ({platform.machine()}), CPython {platform.python_version()}, "
        f"seed {options.seed}. Processor time, so numbers of one run compare; those of two runs compare as ratios.\n\n"
        "![Cost over the size of the context](growth.svg)\n"
    )


def _picture(table: Table) -> str:
    lines: dict[str, plot.Points] = {kind: [] for kind in DRAWN}
    for row in table.kept():
        lines[str(row["what"])].append((float(str(row["characters"]).replace(",", "")), float(row["median"])))
    return plot.growth("Cost over the size of the context (medians; bars are for the cold quotient)", lines, BARS)


if __name__ == "__main__":
    sys.exit(main())
