"""Notebooks: the cells of code in a file of Jupyter, in its form of JSON (`nbformat` 4 and later)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dovetail.commands.error import CommandError
from dovetail.grammar.library import language_called, languages

if TYPE_CHECKING:
    from pathlib import Path

_ENDING = ".ipynb"
_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half a character, which an escape in JSON may stand for, and no other text can hold."""


@dataclass(frozen=True, slots=True)
class CodeCell:
    """A cell of code."""

    number: int
    """Its place among all cells, from 1."""
    text: str


@dataclass(frozen=True, slots=True)
class CodeCells:
    """The cells of code of a notebook."""

    kernel: str
    """The language that the notebook names; empty if it names none."""
    language: str | None
    """The name of that language here; None if it is not known."""
    cells: tuple[CodeCell, ...]


def is_notebook(path: Path | str) -> bool:
    """Return whether a file is a notebook by its name."""
    return str(path).lower().endswith(_ENDING)


def read_cells(path: str, text: str) -> CodeCells:
    """Return the cells of code of a notebook's text; raise CommandError, in one sentence, if it is none.

    A cell in another language than the notebook's, as some editors have them, is left out.
    """
    try:
        # Numbers mean nothing here, and Python refuses very long ones.
        data = json.loads(text.removeprefix("\ufeff"), parse_int=str)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise CommandError(f"{path}: the notebook is broken JSON at {place}: {error.msg}.") from None
    except RecursionError:
        raise CommandError(f"{path}: the notebook's JSON is nested too deeply.") from None
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list):
        raise CommandError(f"{path}: the notebook has no list `cells`; open it in Jupyter and save it again.")
    kernel = _kernel(data)
    language = _of_notebooks() if not kernel else language_called(kernel)
    return CodeCells(kernel, language, tuple(_code_cells(cells, language)))


def _kernel(data: dict[str, Any]) -> str:
    """Return the language that a notebook names in its metadata, in small letters; empty if it names none."""
    for table, key in (("language_info", "name"), ("kernelspec", "language")):
        name = _at(data, "metadata", table, key)
        if isinstance(name, str) and name:
            return name.lower()
    return ""


def _of_notebooks() -> str | None:
    """Return the language whose notebooks hold commands, which most notebooks are written in."""
    return next((name for name, facts in languages().items() if facts.notebook is not None), None)


def _code_cells(cells: list[Any], language: str | None) -> list[CodeCell]:
    found = []
    for number, cell in enumerate(cells, start=1):
        source = _at(cell, "source")
        if _at(cell, "cell_type") != "code" or not isinstance(source, (str, list)):
            continue
        named = _at(cell, "metadata", "vscode", "languageId")
        if isinstance(named, str) and language_called(named) != language:
            continue
        written = source if isinstance(source, str) else "".join(map(str, source))
        found.append(CodeCell(number, _SURROGATE.sub("\ufffd", written)))
    return found


def _at(value: Any, *keys: str) -> Any:
    """Return what stands in nested tables; None where a table or a key is missing."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value
