"""The indentation of a file, and the check that a new line follows it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.decoding.constraint import Constraint, ConstraintState

_NEAR = 20_000
"""Characters to the left of the cursor whose indentation counts, and half as many to its right."""

_CONTENT = r"(?:\A|(?<=[\r\n]))([ \t]*)(?!{comment})\S"
"""The blanks before the content of a line; its comment alone is none."""


@dataclass(frozen=True, slots=True)
class Indentation:
    """One level of indentation of a file."""

    blank: str
    """The character that lines are indented with."""
    width: int
    """The columns of a level."""

    def fits(self, text: bytes, before: ConstraintState, after: ConstraintState, *, written: int) -> bool:
        """Return whether the last line of a text is indented as the file is, where the text itself began it.

        `before` is the state before the last token, `after` the one after it. Only blocks that are opened by the
        text are judged: all other columns are given by what is there.
        """
        del written  # The states tell what the last token began.
        start = max(text.rfind(b"\n"), text.rfind(b"\r")) + 1
        # The user chose the column of the cursor's line. Blanks of the text itself move it further.
        if start == 0 and (before.enclosure.blank is None or text[:1] not in (b" ", b"\t")):
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


def find_line_indentation(left: str, right: str, quotient: Constraint) -> Indentation | None:
    """Return the indentation around a cursor, by what the quotient says of its language."""
    found, at = find_indentation(left, right, quotient.comment, quotient.tab), quotient.start.enclosure
    if found is None and at.blank is not None and at.blank > at.column and quotient.start.opens_block():
        # The first line of the file that is indented at all is the cursor's: its editor or its user has begun it.
        return Indentation("\t" if left.endswith("\t") else " ", at.blank - at.column)
    return found


def find_indentation(left: str, right: str, comment: str | None = None, tab: int = 8) -> Indentation | None:
    r"""Return the step by which lines near the cursor are most often deeper than the line above.

    None if no line is deeper than the line above: then any indentation will do. `comment`: the sign that begins a
    comment, if the language has one; lines with nothing else do not count. `tab`: the columns of a tab.

    >>> find_indentation("if x:\n  y\n", "")
    Indentation(blank=' ', width=2)
    """
    content = re.compile(_CONTENT.format(comment=re.escape(comment) if comment else r"\s"))
    steps: Counter[tuple[str, int]] = Counter()
    for text in (left[-_NEAR:], right[: _NEAR // 2]):
        above = ""
        for match in content.finditer(text):
            blanks = match[1]
            if len(blanks) > len(above) and blanks.startswith(above) and match.start() > 0:
                step = blanks[len(above) :]
                if step.strip(step[0]) == "":
                    steps[step[0], len(step)] += 1
            above = blanks
    if not steps:
        return None
    (blank, count), _ = steps.most_common(1)[0]
    return Indentation(blank, count * tab if blank == "\t" else count)
