"""The check of many files, on all processors."""

from __future__ import annotations

import os
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dovetail.commands.dialect import load_newest
from dovetail.commands.encoding import read_text
from dovetail.commands.error import CommandError
from dovetail.commands.excerpt import excerpt
from dovetail.commands.file_fault import file_faults
from dovetail.commands.newer import name_newer_version
from dovetail.commands.notebook import is_notebook, read_cells
from dovetail.commands.own_parser import find_late_fault, is_accepted
from dovetail.commands.worker_pool import worker_pool
from dovetail.completer.notebook_cells import holds_commands, is_foreign, without_all_commands
from dovetail.grammar.library import languages, reading_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import ProcessPoolExecutor

    from rich.text import Text

    from dovetail.commands.file_fault import FileFault
    from dovetail.commands.targets import FileToCheck

_ALONE = 3_000_000
"""Bytes of files up to which one process is done before others are started."""

_PATIENCE = 1.5
"""Seconds after which one process gets help with what is left: files with mistakes take longer than their size tells.

A language is ready in another process after about a second.
"""

_AT_ONCE = 8
"""Files that a process gets at a time."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking one file."""

    path: str
    faults: tuple[FileFault, ...] = ()
    excerpts: tuple[Text, ...] = ()
    """The line of each fault with a mark under the place."""
    mistake: str = ""
    """The reason for which the file could not be read, in one sentence; empty if it was."""
    held_back: FileToCheck | None = None
    """The file with the version that its project names, if it does not fit that one and fits the newest."""


def check_text(task: FileToCheck, text: str) -> Checked:
    """Return what is wrong with a file's text, of a notebook with its cells; the task names its language.

    A text without a fault is read only once. Raises CommandError for a notebook that is none.
    """
    if not is_notebook(task.path):
        return _check_code(task, text, text)
    notebook = languages()[task.language].notebook
    checked = []
    for cell in read_cells(task.path, text).cells:
        code = cell.text
        if notebook is not None:
            if is_foreign(notebook, code):
                continue
            if holds_commands(notebook, code):
                code = without_all_commands(load_newest(task.language, task.target), notebook, code)
        checked.append(_check_code(task, code, cell.text, cell.number))
    return Checked(
        task.path,
        tuple(fault for each in checked for fault in each.faults),
        tuple(shown for each in checked for shown in each.excerpts),
        held_back=next((each.held_back for each in checked if each.held_back), None),
    )


def _check_code(task: FileToCheck, text: str, shown: str, cell: int | None = None) -> Checked:
    """Return what is wrong with a text, as a file or as a cell of one; `shown` is how people see it."""
    path, name, target = task.path, reading_of(task.language, text), task.target
    if is_accepted(name, target, text, cell=cell is not None):
        return Checked(path)
    language = load_newest(name, target)
    found = name_newer_version(name, target, text, language.errors(text))
    is_held_back = bool(found) and task.origin != "" and not load_newest(name, None).errors(text, most=1)
    found = found or find_late_fault(name, text, cell=cell is not None)
    if not found:
        return Checked(path)
    faults = file_faults(language, text, found, cell)
    excerpts = tuple(excerpt(shown, fault.at.offset, "bold red") for fault in faults)
    return Checked(path, faults, excerpts, held_back=task if is_held_back else None)


def check_file(task: FileToCheck) -> Checked:
    """Return what is wrong with a file."""
    try:
        text = read_text(Path(task.path))
    except CommandError as error:
        return Checked(task.path, mistake=str(error))
    return check_text(task, text)


def check_files(tasks: Sequence[FileToCheck], processes: int | None = None) -> Iterator[Checked]:
    """Return an iterator over what came of each file, in their order. Other processes begin at once.

    `processes`: how many to use; None for one where there is little to do, and all processors otherwise.
    """
    most = os.cpu_count() or 1
    if processes is None and most > 1 and _size([Path(task.path) for task in tasks]) <= _ALONE:
        return _alone_at_first(tasks, most)
    if (processes or most) == 1:
        return map(check_file, tasks)
    return _with_others(tasks, processes or most, _AT_ONCE)


def _alone_at_first(tasks: Sequence[FileToCheck], processes: int) -> Iterator[Checked]:
    """Yield what came of each file; other processes are started only once it takes long."""
    begun = time.monotonic()
    for number, task in enumerate(tasks):
        if time.monotonic() - begun > _PATIENCE and len(tasks) - number > 1:
            yield from _with_others(tasks[number:], processes, 1)
            return
        yield check_file(task)


def _with_others(tasks: Sequence[FileToCheck], processes: int, at_once: int) -> Iterator[Checked]:
    """Return an iterator over what other processes, which begin at once, make of each file."""
    for language, target in dict.fromkeys((task.language, task.target) for task in tasks):
        load_newest(language, target)  # Once, and not in each of them: copies of this process have it then.
    pool = worker_pool(processes, _start_method())
    return _ended_with(pool, pool.map(check_file, tasks, chunksize=at_once))


def _start_method() -> str:
    """Return the way to start processes: a copy of this one has all modules already, which take 0.3 s to import.

    A copy may hang where another thread held a lock, and on macOS where the system's libraries do.
    """
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


def _ended_with(pool: ProcessPoolExecutor, results: Iterator[Checked]) -> Iterator[Checked]:
    """Yield results, and end the processes that make them."""
    with pool:
        try:
            yield from results
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _size(paths: Sequence[Path]) -> int:
    """Return the bytes of some files together, as far as it matters."""
    total = 0
    for path in paths:
        try:
            total += path.stat().st_size
        except (OSError, ValueError):
            continue
        if total > _ALONE:
            break
    return total
