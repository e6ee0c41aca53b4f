"""The command line: `python -m tests.benchmarks --json FILE`."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from tests.benchmarks.contexts import contexts
from tests.benchmarks.measurements import KINDS, measure, measure_loading
from tests.oracles.cpython import TARGET

import dovetail

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZES = [1_000, 3_000, 10_000, 30_000]
COLUMNS = ["median", "p95", "largest", "processor median"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the tables, and keep the numbers in a file if one is named."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--json", type=Path, help="write the numbers to this file too")
    parser.add_argument("--count", type=int, default=12, help="contexts of each size")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="characters of a context")
    parser.add_argument("--seed", type=int, default=1, help="another seed chooses other files")
    options = parser.parse_args(arguments)
    console = Console()

    loading = measure_loading(["json", "python"])
    table = Table(
        "language", "import, ms", "load, ms", "processor, ms", title="A fresh process loads a language"
    )
    for name, row in loading.items():
        table.add_row(name, *(f"{row[column]:.1f}" for column in ("import", "load", "processor")))
    console.print(table)

    language = dovetail.load_language("python", target=TARGET)
    # The first quotient of a process pays for what depends on the grammar only.
    language.quotient("x = (", ")\n").start.closing()
    results: dict[str, dict[str, dict[str, float]]] = {}
    table = Table("characters", "what", *(f"{column}, ms" for column in COLUMNS), "count")
    table.title = f"Python {TARGET}, {platform.machine()}"
    for size in options.sizes:
        chosen = contexts(size, options.count, options.seed)
        series = measure(language, chosen)
        results[str(size)] = {kind: series[kind].summary() for kind in KINDS}
        for kind in KINDS:
            row = results[str(size)][kind]
            numbers = [f"{row[column]:.3f}" for column in COLUMNS]
            table.add_row(f"{size:,}" if kind == KINDS[0] else "", kind, *numbers, f"{row['count']:.0f}")
        table.add_section()
    console.print(table)
    if options.json:
        kept = {"target": TARGET, "milliseconds": results, "loading": loading}
        options.json.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
