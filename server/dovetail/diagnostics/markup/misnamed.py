"""Misnamed: the closing tags of a program that have another name than the tags that they close."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.fault import Fault
from dovetail.diagnostics.markup.tags import tags
from dovetail.diagnostics.reported import line_and_column, reported_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.lexing.lexer import Lexer

_PART = r"[\w$:-]+"
_NAME = rf"({_PART}(?:\s*\.\s*{_PART})*|(?=>))"
_OPENED = re.compile(rf"<\s*{_NAME}(?=[\s/<>])")
_CLOSED = re.compile(rf"</\s*{_NAME}\s*>")


def find_misnamed(lexer: Lexer, text: str) -> Iterator[Fault]:
    """Yield the closing tags of a program that have another name than the tag that they close.

    The grammar does not compare them. A tag with a comment before its name is not compared either.
    """
    if not lexer.compiled.mistakes.elements:
        return
    opened: list[tuple[int, str | None]] = []
    for start, begun, _ in tags(lexer, text):
        if begun:
            opened.append((start, _read(_OPENED, text, start)))
            continue
        offset, wanted = opened.pop() if opened else (0, None)
        name = _read(_CLOSED, text, start)
        if name is None or wanted in (None, name):
            continue
        line, column = line_and_column(text, start)
        words = f"`</{name}>` does not close `<{wanted}>` of line {line_and_column(text, offset)[0]}"
        reported = reported_at(text, start, words)
        yield Fault(start, line, column, "<", (), (), "", reported)


def _read(pattern: re.Pattern[str], text: str, offset: int) -> str | None:
    """Return the name of the tag at an offset; empty for none, None where it cannot be told."""
    found = pattern.match(text, offset)
    return None if found is None else re.sub(r"\s", "", found[1])
