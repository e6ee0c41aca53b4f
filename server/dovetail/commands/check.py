"""`dovetail check`: report the places where files stop being programs of their languages."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from dovetail.commands.dialect import load_dialect, name_dialect
from dovetail.commands.error import CommandError
from dovetail.commands.excerpt import excerpt, visible
from dovetail.commands.files import find_files
from dovetail.commands.place import read_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from pathlib import Path

    from dovetail.engine.fault import Fault

_MANY = 20
"""The least number of files for which a bar shows the progress."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "paths", metavar="FILE", nargs="+", help="a file, or a folder: all files in it whose language is known"
    )
    parser.add_argument("--target", metavar="VERSION", help="the language's version (default: the one that runs here)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Check and print; return 0 if every file fits, 1 if one does not, 2 if one could not be read.

    What cannot be read is said on stderr, and the others are checked all the same. Raises CommandError for a
    file of no known language and a folder without one of any, GrammarError for an unknown target.
    """
    found = find_files(arguments.paths)
    for name in sorted({name_dialect(str(file)) for file in found.paths}):
        load_dialect(name, arguments.target)

    console = Console(highlight=False, markup=False)
    faults: list[tuple[Path, Fault]] = []
    unread: list[str] = []
    for file in _with_progress(found.paths):
        try:
            text = read_text(file)
        except CommandError as error:
            unread.append(str(error))
            continue
        fault = _fault(file, text, arguments.target)
        if fault is not None:
            faults.append((file, fault))
            if not arguments.json:
                _show(console, file, text, fault)
    count, mistakes = len(found.paths) - len(unread), [*found.mistakes, *unread]
    if arguments.json:
        sys.stdout.write(_as_json(count, faults) + "\n")
    else:
        _sum_up(console, count, len(faults))
    for mistake in mistakes:
        sys.stderr.write(mistake + "\n")
    return 2 if mistakes else 1 if faults else 0


def _with_progress(files: list[Path]) -> Iterator[Path]:
    """Yield the files, with a progress bar on stderr if they are many and stderr is a terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    shown = console.is_terminal and len(files) >= _MANY
    with Progress(*columns, console=console, transient=True, disable=not shown) as progress:
        yield from progress.track(files, description="Checking")


def _fault(file: Path, text: str, target: str | None) -> Fault | None:
    """Return the fault of a text, or None; a text without one is read only once."""
    language = load_dialect(name_dialect(str(file)), target)
    if language.accepts(text):
        return None
    fault = language.error(text)
    assert fault is not None, f"{file}: a text that is refused has a place where it is"
    return fault


def _show(console: Console, file: Path, text: str, fault: Fault) -> None:
    line = Text(f"{file}:{fault.line}:{fault.column}: ", "bold")
    line.append(visible(fault.message), "not bold red")
    console.print(line, soft_wrap=True)
    console.print(excerpt(text, fault.offset, "bold red"), soft_wrap=True)


def _sum_up(console: Console, count: int, faults: int) -> None:
    files = f"{count} {'file' if count == 1 else 'files'}"
    if faults:
        console.print(Text(f"{faults} of {files} {'does' if faults == 1 else 'do'} not fit.", "red"))
    elif count:
        console.print(Text(f"{files} {'fits' if count == 1 else 'fit'}.", "green"))


def _as_json(count: int, faults: list[tuple[Path, Fault]]) -> str:
    return json.dumps(
        {
            "files": count,
            "faults": [
                {
                    "file": str(file),
                    "offset": fault.offset,
                    "line": fault.line,
                    "column": fault.column,
                    "found": fault.found,
                    "expected": list(fault.expected),
                    "message": fault.message,
                }
                for file, fault in faults
            ],
        }
    )
