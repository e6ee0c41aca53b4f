"""The text of a file: its encoding is named by a byte order mark or by the file itself, else it is UTF-8."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from dovetail.commands.error import CommandError
from dovetail.grammar.library import language_of, language_run, languages

if TYPE_CHECKING:
    from pathlib import Path

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark begins like this one
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WIDE = frozenset(("utf-16", "utf-32"))
_LONGEST = 256
"""The most bytes of a first line that are looked at for a program."""
_NAMING_LINES = 2
"""The lines in which a file may name its encoding, as PEP 263 has it."""


def read_text(path: Path) -> str:
    """Return the text of a file; raise CommandError if it has none."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CommandError(f"{path}: the file cannot be read: {error.strerror or error}.") from None
    except ValueError:
        raise CommandError(f"{str(path)!r}: a file name cannot hold a null character.") from None
    return decode(data, str(path))


def decode(data: bytes, path: str) -> str:
    """Return the text of a file's bytes; `path` is its name, for its language and for messages.

    Raises CommandError for bytes that are no text in their encoding, and for wide characters in a language whose files
    name their encoding: they name it in plain ones. Null characters are for the language to judge.
    """
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    language = _language(data, path)
    if marked in _WIDE and language is not None and languages()[language].encoding is not None:
        title = languages()[language].title
        raise CommandError(f"{path}: the file is {marked.upper()}, which {title} does not read; save it as UTF-8.")
    encoding = marked or _named(data, path, language) or "utf-8"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        place = f"byte {error.start} is 0x{data[error.start]:02x}"
        raise CommandError(
            f"{path}: the file is not {encoding.removesuffix('-sig').upper()}: {place}; save it as UTF-8."
        ) from None
    return text


def _language(data: bytes, path: str) -> str | None:
    """Return the language of a file, by its name or by the program that its first line names; None if neither tells."""
    run = language_run(re.split(b"[\r\n]", data[:_LONGEST], maxsplit=1)[0].decode("latin-1"))
    return language_of(path) or (None if run is None else run[0])


def _named(data: bytes, path: str, language: str | None) -> str | None:
    """Return the encoding that a file names by itself, or None; raise CommandError for one that is unknown."""
    pattern = languages()[language].encoding if language is not None else None
    if pattern is None:
        return None
    for line in data.splitlines()[:_NAMING_LINES]:
        match = re.match(pattern, line.decode("latin-1"))
        if match is not None:
            try:
                return codecs.lookup(match[1]).name
            except LookupError:
                raise CommandError(f"{path}: the encoding {match[1]!r} is unknown; save the file as UTF-8.") from None
    return None
