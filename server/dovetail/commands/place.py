"""A place in a file, as the command line names it: FILE:LINE:COLUMN."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dovetail.commands.encoding import decode, read_text
from dovetail.commands.error import CommandError

if TYPE_CHECKING:
    import argparse

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


def add_place(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments that name a place."""
    parser.add_argument(
        "place",
        metavar="FILE:LINE:COLUMN",
        help="the place; counted from 1, columns in characters; or - for standard input",
    )
    parser.add_argument(
        "--stdin-filename",
        metavar="FILE:LINE:COLUMN",
        help="the name of what standard input holds, and the place in it",
    )


def place_of(arguments: argparse.Namespace) -> Place:
    """Return the place that a command line names; raise CommandError where it names none."""
    name: str | None = arguments.stdin_filename
    if arguments.place != "-":
        if name is not None:
            raise CommandError(f"--stdin-filename {name}: only - as the place reads standard input.")
        return read_place(arguments.place)
    if name is None:
        raise CommandError("-: give a name and a place with --stdin-filename, as in `module.py:12:5`.")
    return read_place(name, sys.stdin.buffer.read())


def read_place(written: str, data: bytes | None = None) -> Place:
    """Return the place that `FILE:LINE:COLUMN` names, all counted from 1, columns in characters.

    `data`: the bytes to take for the file's. Raises CommandError where it names no place.
    """
    match = re.fullmatch(r"(.+):([0-9]{1,9}):([0-9]{1,9})", written, re.DOTALL)
    if match is None:
        raise CommandError(f"{written}: a place is written FILE:LINE:COLUMN, as in `module.py:12:5`.")
    path, line, column = Path(match[1]), int(match[2]), int(match[3])
    text = read_text(path) if data is None else decode(data, str(path))
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
