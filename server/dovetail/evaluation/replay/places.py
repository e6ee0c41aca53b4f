"""Places of a file: from lines and columns, as `ast` gives them, to offsets."""

from __future__ import annotations

from itertools import accumulate


class Places:
    """The lines of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]

    def offset(self, line: int, column: int) -> int:
        r"""Return the offset of a place; lines count from 1, columns are bytes of UTF-8.

        >>> Places("a\nb = 'ü' + c").offset(2, 9)
        10
        """
        start = self._starts[line - 1]
        return start + len(self._text[start : self._starts[line]].encode()[:column].decode())

    def rest_of_line(self, offset: int) -> str:
        """Return the text from an offset to the end of its line."""
        end = self._text.find("\n", offset)
        return self._text[offset : end if end >= 0 else len(self._text)]
