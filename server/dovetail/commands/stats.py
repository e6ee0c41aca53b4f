"""`dovetail stats`: the completions that were shown, accepted and kept on this machine."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dovetail.commands.error import CommandError
from dovetail.evaluation.acceptance_page import make_page
from dovetail.statistics.counts import Counts, grouped, to_plain, total
from dovetail.statistics.storage import Storage

if TYPE_CHECKING:
    import argparse

    from dovetail.statistics.counts import CountTable

_COLUMNS = ("shown", "accepted", "in part", "kept after 30 s")


EPILOG = """\
examples:
  dovetail stats
  dovetail stats --plot stats.html
  dovetail stats --json

exit codes:
  0  the counts are printed
  2  the command is wrong, or a file cannot be read or written
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("--json", action="store_true", help="print the counts as JSON, a row for each kind of text")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="also write the counts as a page with plots (HTML)")


def run(arguments: argparse.Namespace) -> int:
    """Print the counts; return 0. Raises CommandError if a file cannot be read or written."""
    storage = Storage()
    try:
        table = storage.read()
        if arguments.plot is not None:
            arguments.plot.write_text(make_page(table), encoding="utf-8")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CommandError(
            f"{error.filename or storage.folder} cannot be used ({reason}): free it, or name another file."
        ) from None
    if arguments.json:
        sys.stdout.write(json.dumps({"file": str(storage.path), "rows": to_plain(table)}) + "\n")
    else:
        _print(Console(highlight=False, markup=False), table, storage.path)
    return 0


def _print(console: Console, table: CountTable, path: Path) -> None:
    if not table:
        console.print(f"Nothing was counted yet: {path} is written while an editor uses Dovetail.", soft_wrap=True)
        return
    days = sorted({about.day for about in table})
    console.print(f"Completions on this machine, {days[0]} to {days[-1]}")
    shown = Table(box=None, header_style="bold", pad_edge=False)
    shown.add_column("")
    for column in _COLUMNS:
        shown.add_column(column, justify="right")
    _add(shown, Text("all"), total(table.values()))
    for title, field in (("by language", "language"), ("by the end of the text", "reason"), ("by model", "model")):
        shown.add_row(Text(title, "bold"))
        for name, counts in grouped(table, field):
            _add(shown, Text(f"  {name or 'unknown'}"), counts)
    console.print(shown)
    console.print(f"The counts are in {path}. Nothing leaves this machine, and no text is stored.", soft_wrap=True)


def _add(shown: Table, name: Text, counts: Counts) -> None:
    shown.add_row(
        name, f"{counts.shown:,}", _share(counts.accepted, counts.shown), _share(counts.partly, counts.shown),
        _share(counts.kept, counts.measured),
    )  # fmt: skip


def _share(part: int, whole: int) -> str:
    return f"{part:,} ({part / whole:.0%})" if whole else f"{part:,}"
