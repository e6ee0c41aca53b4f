"""A place in a file, as the command line names it: FILE:LINE:COLUMN."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

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


def read_text(path: Path) -> str:
    """Return the text of a file; raise CommandError if it has none."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CommandError(f"{path}: the file cannot be read: {error.strerror or error}.") from None
    except ValueError:
        raise CommandError(f"{str(path)!r}: a file name cannot hold a null character.") from None
    try:
        text = data.decode("utf-8-sig")  # a byte order mark is no text of the language
    except UnicodeDecodeError as error:
        place = f"byte {error.start} is 0x{data[error.start]:02x}"
        raise CommandError(f"{path}: the file is not UTF-8: {place}; save it as UTF-8.") from None
    if "\0" in text:
        line = len(_LINE_END.findall(text[: text.index("\0")])) + 1
        raise CommandError(f"{path}: line {line} contains a null character, which no program may contain; remove it.")
    return text


def split_lines(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each line, without its line end; there is one line more than line ends."""
    lines = []
    start = 0
    for match in _LINE_END.finditer(text):
        lines.append((start, match.start()))
        start = match.end()
    lines.append((start, len(text)))
    return lines
