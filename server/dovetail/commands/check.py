"""`dovetail check`: report the places where files stop being programs of their languages."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from dovetail.commands.check_formats import FORMATS, as_github, as_json, as_sarif, show, sum_up
from dovetail.commands.checking import Checked, check_files, check_text
from dovetail.commands.dialect import beginning_of, load_newest, name_dialect
from dovetail.commands.encoding import decode
from dovetail.commands.error import CommandError
from dovetail.commands.files import find_files
from dovetail.commands.kernel import kernel_of, kernels_of
from dovetail.commands.notebook import is_notebook
from dovetail.commands.own_parser import has_parser
from dovetail.commands.project_file import ProjectFiles
from dovetail.commands.targets import read_targets, task_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from dovetail.commands.targets import FileToCheck

_MANY = 20
"""The least number of files for which a bar shows the progress."""

EPILOG = """\
examples:
  dovetail check                              all files of known languages below this folder
  dovetail check src --exclude 'generated/'   a folder, without what a pattern names
  cat a.py | dovetail check - --stdin-filename a.py
  dovetail check --target python=3.9 --target lua=5.1
  dovetail check --format github .            mistakes beside the code on GitHub

exit codes:
  0  all files fit
  1  a file does not fit
  2  a file could not be read, or the command is wrong
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.epilog = EPILOG
    parser.add_argument(
        "paths",
        metavar="FILE",
        nargs="*",
        default=["."],
        help="a file, a folder with all its files whose language is known and notebooks, or - for standard input "
        "(default: .)",
    )
    parser.add_argument(
        "--target",
        metavar="[LANGUAGE=]VERSION",
        action="append",
        default=[],
        help="the version to check against; may be given for several languages (default: what pyproject.toml says, "
        "else the newest that is known, and what the Python that runs Dovetail accepts fits as well)",
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="the form of the report (default: text)")
    parser.add_argument("--json", action="store_const", const="json", dest="format", help="the same as --format json")
    parser.add_argument(
        "--exclude",
        metavar="PATTERN",
        action="append",
        default=[],
        help="leave out what a pattern as in .gitignore names",
    )
    parser.add_argument("--no-gitignore", action="store_true", help="check what .gitignore names, too")
    parser.add_argument("--stdin-filename", metavar="FILE", help="the name of what standard input holds")
    parser.add_argument("--jobs", metavar="N", type=int, help="processes to use (default: all processors if it pays)")


def run(arguments: argparse.Namespace) -> int:
    """Check and print; return 0 if every file fits, 1 if one does not, 2 if one could not be read.

    What cannot be read is said on stderr, and the others are checked all the same. Raises CommandError for a
    wrong option or project file, GrammarError for an unknown target.
    """
    console = Console(highlight=False, markup=False)
    mistakes: list[str] = []
    files: list[Checked] = []
    for checked in _checked(arguments, mistakes):
        if checked.mistake:
            mistakes.append(checked.mistake)
            continue
        files.append(checked)
        if arguments.format == "text":
            show(console, checked)
    if arguments.format == "text":
        sum_up(console, files)
    else:
        written = {"json": as_json, "github": as_github, "sarif": as_sarif}[arguments.format](files, mistakes)
        sys.stdout.write(f"{written}\n" if written else "")
    for mistake in mistakes:
        sys.stderr.write(mistake + "\n")
    return 2 if mistakes else 1 if any(checked.faults for checked in files) else 0


def _checked(arguments: argparse.Namespace, mistakes: list[str]) -> Iterator[Checked]:
    """Yield what came of each file; append what is wrong with the command line's paths."""
    if arguments.jobs is not None and arguments.jobs < 1:
        raise CommandError(f"--jobs {arguments.jobs}: at least one process is needed.")
    projects = ProjectFiles()
    if "-" in arguments.paths:
        if arguments.paths != ["-"]:
            raise CommandError("-: standard input is checked alone; name the files in another command.")
        if not arguments.stdin_filename:
            raise CommandError("-: say what standard input holds, with --stdin-filename NAME.py for example.")
        text = decode(sys.stdin.buffer.read(), arguments.stdin_filename)
        name = arguments.stdin_filename
        language = kernel_of(name, text) if is_notebook(name) else name_dialect(name, text)
        yield check_text(task_of(name, read_targets(arguments.target, [language]), projects, text, language), text)
        return
    if arguments.stdin_filename:
        raise CommandError("--stdin-filename: it names standard input, which is `-`: add it, or leave out the name.")
    found = find_files(arguments.paths, arguments.exclude, gitignore=not arguments.no_gitignore, projects=projects)
    mistakes += found.mistakes
    beginnings = {path: beginning_of(path) for path in found.paths}
    known = {path: name_dialect(str(path), beginnings[path]) for path in found.paths if not is_notebook(path)}
    known |= kernels_of(found.paths, arguments.paths, mistakes)
    paths = [path for path in found.paths if path in known]
    asked = read_targets(arguments.target, known.values())
    tasks = [task_of(path, asked, projects, beginnings[path], known[path]) for path in paths]
    for name, target in sorted({(task.language, task.target) for task in tasks}, key=str):
        # Once before any other process, which then reads it from the cache; not where it is hardly needed.
        if not has_parser(name, target):
            load_newest(name, target)
    yield from _with_progress(tasks, check_files(tasks, arguments.jobs))


def _with_progress(files: list[FileToCheck], checked: Iterator[Checked]) -> Iterator[Checked]:
    """Yield what came of the files, with a progress bar on stderr if they are many and stderr is a terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    shown = console.is_terminal and len(files) >= _MANY
    with Progress(*columns, console=console, transient=True, disable=not shown) as progress:
        yield from progress.track(checked, total=len(files), description="Checking")
