"""Padding: the part of a text that a reader would call a repetition, of itself or of what is in the file near it.

`Padding` is asked where a line ends and where the text ends, never for each token: its judgements cost about as much as
a few tokens. What the bytes alone show at once, a part that comes again and again, `repetition.py` finds on the way.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.decoding.circles import find_circle, runs_of_words
from dovetail.decoding.list_elements import ListElements
from dovetail.decoding.seen_declarations import SeenDeclarations
from dovetail.decoding.seen_imports import SeenImports
from dovetail.decoding.seen_lines import find_lines, first_seen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.decoding.seen_lines import SeenLine

_REACH = 2000
"""Characters of each side whose lines are compared with those of a text."""

_EMPTY = r"(?<![^\r\n])[ \t]*{comment}[ \t]*(?![^\r\n])"
"""A line with an empty comment."""

_REST_OF_LINE = re.compile(r"[^\r\n]*")
_NEXT_LINE = re.compile(r"\s*([^\r\n]*\w[^\r\n]*)")
_ENDS = " \t,;"
"""Characters at the end of a line that make it no other one."""


class Padding:
    """The judge of the texts at one cursor."""

    def __init__(
        self,
        left: str,
        right: str,
        depth: int,
        comment: str | None,
        imports: str | None,
        declarations: str | None = None,
    ) -> None:
        """Take both texts and what is known of their language; `depth`: brackets open at the cursor, in its block."""
        self._above, self._head = _last_line(left[-_REACH:])
        rest = _REST_OF_LINE.match(right)
        assert rest is not None, "the rest of a line may be empty"
        self._tail = rest[0]
        self._right = right[rest.end() : _REACH]
        self._runs = runs_of_words(comment)
        self._empty = None if comment is None else re.compile(_EMPTY.format(comment=re.escape(comment)), re.MULTILINE)
        self._elements = ListElements(left, right, depth, comment)
        self._imports = None if imports is None else SeenImports(left, right, imports)
        self._declarations = None if declarations is None else SeenDeclarations(left, right, declarations)
        self._lines: tuple[list[SeenLine], list[SeenLine]] | None = None

    def begin(self, text: str, *, whole: bool = False) -> int | None:
        """Return the offset where the padding of a text begins, or None.

        `whole`: the rest of the cursor's line follows the text; otherwise a line ends there.
        """
        return min(self._beginnings(text, whole), default=None)

    def _beginnings(self, text: str, whole: bool) -> Iterator[int]:
        head = len(self._head)
        line = self._head + text
        written = line + self._tail if whole else line
        seen = self._seen_line(written)
        if seen is not None and not self._is_the_users(seen, line):
            yield max(0, seen.start - head)
        if self._is_next_line(written):
            yield 0
        circle = find_circle(line, head, self._runs)
        if circle is not None:
            yield max(0, circle - head)
        element = self._elements.find_repeated(text)
        if element is not None:
            yield element
        if self._empty is not None:
            yield from self._empty_comments(line, head, whole)
        known = None if self._imports is None else self._imports.find_known(line, head)
        if known is not None:
            yield known - head
        again = None if self._declarations is None else self._declarations.find_again(line, head)
        if again is not None:
            yield again - head

    def _empty_comments(self, line: str, head: int, whole: bool) -> Iterator[int]:
        """Yield where an empty comment begins that stands below another one, or that nothing comes after."""
        assert self._empty is not None, "a language without comments has no empty ones"
        last = -1
        for match in self._empty.finditer(line):
            is_last = whole and not line[match.end() :].strip()
            if match.end() > head and (is_last or (last >= 0 and not line[last : match.start()].strip())):
                yield max(0, match.start() - head)
            last = match.end()

    def _seen_line(self, written: str) -> SeenLine | None:
        if self._lines is None:
            self._lines = find_lines(self._above), find_lines(self._right)
        above, below = self._lines
        lines = find_lines(written)
        if not self._head.strip() and lines and lines[0].start == 0 and not written[len(self._head) :].strip():
            return None
        return first_seen(above, lines, below)

    def _is_next_line(self, written: str) -> bool:
        """Return whether what the user has begun becomes the line right below, of which it is the lesser part."""
        begun, first = self._head.strip(), _REST_OF_LINE.match(written)
        assert first is not None, "a line may be empty"
        below = _NEXT_LINE.match(self._right)
        if not begun or below is None or below[1] == begun:
            return False
        return first[0].strip().rstrip(_ENDS) == below[1].rstrip(_ENDS) and 2 * len(begun) < len(below[1])

    def _is_the_users(self, seen: SeenLine, written: str) -> bool:
        """Return whether the user typed half of a line, and so wants it."""
        if seen.start >= len(self._head):
            return False
        line = _REST_OF_LINE.match(written)
        assert line is not None, "a line may be empty"
        return 2 * len(self._head.strip()) >= len(line[0].strip())


def _last_line(text: str) -> tuple[str, str]:
    """Return a text without its last line, and that line."""
    start = max(text.rfind("\n"), text.rfind("\r")) + 1
    return text[:start], text[start:]
