"""Kernel: the language of a notebook's cells."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dovetail.commands.dialect import load_newest
from dovetail.commands.encoding import read_text
from dovetail.commands.error import CommandError
from dovetail.commands.notebook import is_notebook, read_cells
from dovetail.grammar.library import languages

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class UnknownKernelError(CommandError):
    """A notebook whose cells cannot be checked because of its language."""


def kernel_of(path: str, text: str) -> str:
    """Return the name of the language of a notebook's text.

    Raises CommandError if the text is no notebook, UnknownKernelError for a language whose cells cannot be checked. A
    cell may be empty, so where no program is empty a cell is none.
    """
    cells = read_cells(path, text)
    if cells.language is None:
        raise UnknownKernelError(f"{path}: there is no grammar for {cells.kernel}, the language of this notebook.")
    facts = languages()[cells.language]
    if facts.notebook is None and not load_newest(cells.language, None).machine.accepts(""):
        raise UnknownKernelError(f"{path}: a cell of {facts.title} is no whole file, so it cannot be checked.")
    return cells.language


def kernels_of(paths: Iterable[Path], written: Sequence[str], mistakes: list[str]) -> dict[Path, str]:
    """Return notebook → language for those among some files that can be checked.

    What is wrong with the others is appended to `mistakes`; one in a language that is not known is passed over, unless
    it is among the `written` paths.
    """
    named = set(map(Path, written))
    found = {}
    for path in filter(is_notebook, paths):
        try:
            found[path] = kernel_of(str(path), read_text(path))
        except UnknownKernelError as error:
            mistakes += [str(error)] if path in named else []
        except CommandError as error:
            mistakes.append(str(error))
    return found
