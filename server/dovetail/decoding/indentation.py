"""The indentation of a file, and the check that a new line follows it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.decoding.constraint import State

_NEAR = 20_000
"""Characters to the left of the cursor whose indentation counts, and half as many to its right."""

_TAB = 8
"""What a tab counts in the columns of `Enclosure`."""

_LINE = re.compile(r"^([ \t]*)[^\s#]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Indentation:
    """One level of indentation of a file."""

    blank: str
    """The character that lines are indented with."""
    width: int
    """The columns of a level, tabs to 8."""

    def fits(self, text: bytes, before: State, after: State) -> bool:
        """Return whether the last line of a text is indented as the file is, where the text itself began it.

        `before` is the state before the last token, `after` the one behind it. Only blocks that are opened by the
        text are judged: all other columns are given by what is there.
        """
        start = max(text.rfind(b"\n"), text.rfind(b"\r")) + 1
        if start == 0:
            return True
        line = text[start:]
        blanks = line[: len(line) - len(line.lstrip(b" \t"))]
        now = after.enclosure
        if now.blank is None:
            opened = now.column - before.enclosure.column
            return opened <= 0 or (opened == self.width and self._is_kind(blanks))
        deepest = now.column + (self.width if now.blank > now.column and after.opens_block() else 0)
        return now.blank <= deepest and self._is_kind(blanks)

    def _is_kind(self, blanks: bytes) -> bool:
        return not blanks.strip(self.blank.encode())


def find_indentation(left: str, right: str) -> Indentation | None:
    """Return what most of the lines near the cursor that are indented deeper than the line above are indented by.

    None where no line is: then any indentation will do.
    """
    steps: Counter[tuple[str, int]] = Counter()
    for text in (left[-_NEAR:], right[: _NEAR // 2]):
        above = ""
        for match in _LINE.finditer(text):
            blanks = match[1]
            if len(blanks) > len(above) and blanks.startswith(above) and match.start() > 0:
                step = blanks[len(above) :]
                if step.strip(step[0]) == "":
                    steps[step[0], len(step)] += 1
            above = blanks
    if not steps:
        return None
    (blank, count), _ = steps.most_common(1)[0]
    return Indentation(blank, count * _TAB if blank == "\t" else count)
