"""Faults of files, as `dovetail check` reports them in all its forms: the places, and what was found and expected."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.diagnostics.reported import line_and_column
from dovetail.lexing.lexemes import lexemes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail import Language
    from dovetail.diagnostics.fault import Fault
    from dovetail.diagnostics.reported import Reported


_NAMED = re.compile(r"`([^`\r\n]+)`")
"""The word or sign that a message begins with."""


@dataclass(frozen=True, slots=True)
class FileFault:
    """A fault of a file."""

    at: Reported
    found: str
    """The lexeme at the place, or what the message is about; empty at the end of a line or of the text."""
    end: tuple[int, int, int]
    """The place after it: offset from 0, line and column from 1."""
    cell: int | None = None
    """The number of the cell, from 1, in which the places are; None outside of notebooks."""


def file_faults(
    language: Language, text: str, faults: Iterable[Fault], cell: int | None = None
) -> tuple[FileFault, ...]:
    """Return the faults of a text with their ends; `cell` is its number in a notebook."""
    reported = [fault.reported for fault in faults]
    wanted = {at.offset for at in reported}
    ends = {lexeme.start: lexeme.end for lexeme in lexemes(language.machine.lexer, text) if lexeme.start in wanted}
    found = []
    for at in reported:
        end = ends.get(at.offset, at.offset + 1)
        # Where no lexeme can be read, the message says what stands there.
        named = _NAMED.match(at.message)
        if named is not None and text.startswith(named[1], at.offset):
            end = max(end, at.offset + len(named[1]))
        if not text[at.offset : end].strip():
            end = at.offset
        found.append(FileFault(at, text[at.offset : end], (end, *line_and_column(text, end)), cell))
    return tuple(found)
