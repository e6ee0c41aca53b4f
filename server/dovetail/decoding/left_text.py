"""The text before a cursor as a model has read it, for what is seldom asked of it."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from dovetail.decoding.likeness import LineWords, words_of_names

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

REACH = 600
"""Tokens before the cursor that are looked at."""

_ABOVE = 3
"""Lines above that of the cursor that are near it."""

_NAME = re.compile(rb"(?<![\w.])[^\W\d]\w*")
_NO_HEADER = (b")", b"]", b"}", b"#", b"//", b"--")


class LeftText:
    """The end of the text before a cursor."""

    def __init__(self, pieces: Sequence[bytes | None], tokens: Sequence[int]) -> None:
        """Take the last tokens of a text; `pieces` are the bytes of all tokens."""
        self._pieces = pieces
        self._tokens = tokens[-REACH:]

    @cached_property
    def _text(self) -> bytes:
        return b"".join(self._pieces[token] or b"\n" for token in self._tokens)

    @cached_property
    def names(self) -> AbstractSet[bytes]:
        """The names that stand behind no dot."""
        return frozenset(_NAME.findall(self._text))

    def words(self, before: bytes) -> LineWords:
        """Return the words of the last line, as it is now, and around it; `before` is what counts of that line."""
        line = words_of_names(before)
        headers = line | self._headers
        return LineWords(line, headers, headers | self._above)

    @cached_property
    def _lines(self) -> list[bytes]:
        return self._text.expandtabs().split(b"\n")

    @cached_property
    def _above(self) -> AbstractSet[bytes]:
        return words_of_names(b"\n".join(self._lines[-1 - _ABOVE : -1]))

    @cached_property
    def _headers(self) -> AbstractSet[bytes]:
        """The words of the lines that begin the blocks around the cursor."""
        found, column = list[bytes](), _columns(self._lines[-1])
        for line in reversed(self._lines[:-1]):
            bare = line.strip()
            if bare and _columns(line) < column and not bare.startswith(_NO_HEADER):
                found.append(bare)
                column = _columns(line)
        return words_of_names(b"\n".join(found))


def _columns(line: bytes) -> int:
    return len(line) - len(line.lstrip())
