"""Declarations that the block around a text has already; what a declaration is, the language's facts say."""

from __future__ import annotations

import re
from itertools import takewhile

from dovetail.decoding.seen_lines import find_lines

_REACH = 40_000
"""Characters of each side in which declarations are looked for."""


class SeenDeclarations:
    """The functions and types on both sides of a text, which it need not declare once more."""

    def __init__(self, left: str, right: str, pattern: str) -> None:
        """Take the texts; they are searched when the first declaration is judged."""
        # The cursor's own line is not whole on either side.
        self._above = left[-_REACH:].rpartition("\n")[0]
        self._below = right[:_REACH].partition("\n")[2]
        self._pattern = re.compile(pattern)

    def find_again(self, text: str, start: int) -> int | None:
        """Return where a declaration of a text begins that stands in its block already, with all up to its body.

        None without one. `text` begins at a line's beginning; a declaration whose name ends before `start` is not
        judged, for it is the user's.
        """
        for column, content, at in find_lines(text):
            begin = at + len(text[at:]) - len(text[at:].lstrip(" \t"))
            found = self._pattern.match(content)
            if found is not None and begin + found.end("name") > start and found[0] in self._in_block(column):
                return max(start, at)
        return None

    def _in_block(self, column: int) -> set[str]:
        """Return the declarations at a column, above and below, up to the first line further left."""
        found: set[str] = set()
        for lines in (reversed(find_lines(self._above)), find_lines(self._below)):
            for line in takewhile(lambda each: each.column >= column, lines):
                match = self._pattern.match(line.content) if line.column == column else None
                if match is not None:
                    found.add(match[0])
        return found
