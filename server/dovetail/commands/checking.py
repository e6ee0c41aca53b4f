"""The check of many files, on all processors."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from dovetail.commands.dialect import load_newest, name_dialect, version_for
from dovetail.commands.encoding import read_text
from dovetail.commands.error import CommandError
from dovetail.commands.excerpt import excerpt
from dovetail.grammar.library import languages
from dovetail.grammar.oracle import verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.text import Text

    from dovetail.engine.fault import Fault

_ALONE = 3_000_000
"""Bytes of files up to which one process is done before others are started."""

_AT_ONCE = 8
"""Files that a process gets at a time."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking one file."""

    path: str
    faults: tuple[Fault, ...] = ()
    excerpts: tuple[Text, ...] = ()
    """The line of each fault with a mark under the place."""
    mistake: str = ""
    """The reason for which the file could not be read, in one sentence; empty if it was."""


def check_text(path: str, text: str, target: str | None) -> Checked:
    """Return what is wrong with a text; `path` names its language. A text without a fault is read only once."""
    name, target = name_dialect(path), version_for(path, target)
    if _is_accepted(name, target, text):
        return Checked(path)
    language = load_newest(name, target)
    if language.accepts(text):
        return Checked(path)
    faults = tuple(language.errors(text))
    assert faults, f"{path}: a text that is refused has a place where it is"
    return Checked(path, faults, tuple(excerpt(text, fault.reported.offset, "bold red") for fault in faults))


def _is_accepted(name: str, target: str | None, text: str) -> bool:
    """Return whether the language's own parser accepts a text; False where it is not at hand, or has doubts.

    Without a target the parser's own version will do: what runs here is not refused.
    It says yes five times as fast as the engine, with which it agrees. For a no the engine is asked: it knows more.
    """
    facts = languages()[name]
    if facts.oracle is None:
        return False
    if facts.versions and (facts.default_target is None or target not in (None, facts.default_target)):
        return False
    return verdict(facts.oracle, text)[0] is True


def check_file(path: str, target: str | None) -> Checked:
    """Return what is wrong with a file."""
    try:
        text = read_text(Path(path))
    except CommandError as error:
        return Checked(path, mistake=str(error))
    return check_text(path, text, target)


def check_files(paths: Sequence[Path], target: str | None, processes: int | None = None) -> Iterator[Checked]:
    """Yield what came of each file, in their order.

    `processes`: how many to use; None for one where there is little to do, and all processors otherwise.
    """
    check = partial(check_file, target=target)
    names = [str(path) for path in paths]
    if processes is None:
        processes = 1 if _size(paths) <= _ALONE else os.cpu_count() or 1
    if processes == 1:
        yield from map(check, names)
        return
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        try:
            yield from pool.map(check, names, chunksize=_AT_ONCE)
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
