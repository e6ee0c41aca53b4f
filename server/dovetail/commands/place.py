"""A place in a file, as the command line names it: FILE:LINE:COLUMN."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from dovetail.commands.encoding import read_text
from dovetail.commands.error import CommandError

# Lines end at \n, \r\n and \r only; `str.splitlines` would also end them at form feeds and others.
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Place:
    """A file's text and a cursor in it."""

    path: Path
    text: str
    offset: int
    """Characters before the cursor."""

    @property
    def left(self) -> str:
        """The text before the cursor."""
        return self.text[: self.offset]

    @property
    def right(self) -> str:
        """The text after the cursor."""
        return self.text[self.offset :]


def read_place(written: str) -> Place:
    """Return the place that `FILE:LINE:COLUMN` names, all counted from 1, columns in characters.

    Raises CommandError where it names none.
    """
    match = re.fullmatch(r"(.+):([0-9]{1,9}):([0-9]{1,9})", written, re.DOTALL)
    if match is None:
        raise CommandError(f"{written}: a place is written FILE:LINE:COLUMN, as in `module.py:12:5`.")
    path, line, column = Path(match[1]), int(match[2]), int(match[3])
    text = read_text(path)
    lines = split_lines(text)
    if not 1 <= line <= len(lines):
        raise CommandError(f"{path}: there is no line {line}; the file has lines 1 to {len(lines)}.")
    start, end = lines[line - 1]
    if not 1 <= column <= end - start + 1:
        raise CommandError(
            f"{path}: there is no column {column} in line {line}; it has columns 1 to {end - start + 1}."
        )
    return Place(path, text, start + column - 1)


def split_lines(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each line, without its line end; there is one line more than line ends."""
    lines = []
    start = 0
    for match in _LINE_END.finditer(text):
        lines.append((start, match.start()))
        start = match.end()
    lines.append((start, len(text)))
    return lines
