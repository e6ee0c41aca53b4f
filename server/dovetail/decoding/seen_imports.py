"""Imports that the file has already, or that name one thing twice; what an import is, the language's facts say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_REACH = 40_000
"""Characters of each side in which imports are looked for."""

_BLANKS = re.compile(r"\s+")


class SeenImports:
    """The imports at the margin of a file, which a text need not have again."""

    def __init__(self, left: str, right: str, pattern: str) -> None:
        """Take the texts; they are searched when the first import is judged."""
        self._left, self._right = left[-_REACH:], right[:_REACH]
        self._pattern = re.compile(rf"^(?P<blanks>[ \t]*){pattern}", re.MULTILINE)
        self._known: frozenset[tuple[str, str]] | None = None

    def find_known(self, text: str, start: int) -> int | None:
        """Return where an import of a text begins that adds nothing, or the name that it has twice; None without one.

        `text` begins at a line's beginning; only what stands after `start` is judged.
        """
        for match in self._pattern.finditer(text):
            if match.end() <= start:
                continue
            names = list(_names(match))
            for place, (_, name) in enumerate(names):
                if any(name == other for _, other in names[:place]):
                    return max(start, names[place][0])
            if self._known is None:
                self._known = frozenset(self._at_margin())
            if names and all((_source(match), name) in self._known for _, name in names):
                return max(start, match.start())
        return None

    def _at_margin(self) -> Iterator[tuple[str, str]]:
        # The cursor's own line is not whole on either side.
        above = self._left[: max(self._left.rfind("\n"), self._left.rfind("\r")) + 1]
        below = re.sub(r"\A[^\r\n]*", "", self._right)
        for text in (above, below):
            for match in self._pattern.finditer(text):
                if not match["blanks"]:
                    for _, name in _names(match):
                        yield _source(match), name


def _source(match: re.Match[str]) -> str:
    return (match.groupdict().get("source") or "").strip()


def _names(match: re.Match[str]) -> Iterator[tuple[int, str]]:
    """Yield the offset and the text of each name of an import."""
    for name in re.finditer(r"[^,()]+", match["names"]):
        text = _BLANKS.sub(" ", name[0]).strip()
        if text:
            yield match.start("names") + name.start(), text
