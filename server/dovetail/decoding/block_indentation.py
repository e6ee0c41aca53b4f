"""The indentation of lines where brackets make blocks: the check of a new line, and the lines of closing brackets.

Columns mean nothing to the parser there. A line is as much deeper than the cursor's line as more blocks are open in it;
one that begins with the end of a block is as deep as the line that opened it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.decoding.indentation import find_indentation

if TYPE_CHECKING:
    from dovetail.decoding.constraint import Constraint, ConstraintState
    from dovetail.decoding.indentation import Indentation

_PART = re.compile(r"\w+|\s+|[^\w\s]")
_BLANKS = re.compile(r"[ \t]*")
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class BlockIndentation:
    """The indentation of a file around one cursor."""

    unit: Indentation
    tab: int
    column: int
    """The column of the cursor's line."""
    blocks: int
    """The blocks that are open on it."""
    labels: tuple[str, ...]
    """Texts that begin a line one level further out than the lines after it."""
    line_end: str

    def fits(self, text: bytes, before: ConstraintState, after: ConstraintState, *, written: int) -> bool:
        """Return whether the last line of a text is indented as the file is, where its first content is new.

        `before` is the state before the last token, which begins at `written`; `after` the one after it. Lines inside
        brackets that make no block are free, and others by one level, since a statement may go on over several lines.
        """
        start = max(text.rfind(b"\n"), text.rfind(b"\r")) + 1
        if start == 0:
            return True
        line = text[start:]
        content = line.lstrip(b" \t")
        blanks = line[: len(line) - len(content)].decode()
        if not content:
            return self._is_kind(blanks)
        if start + len(blanks) < written:
            return True  # It was judged with its first token.
        now = after.enclosure
        if now.depth > 0:
            return self._is_kind(blanks)
        around = before.enclosure
        opened = around.opens if around.blank is not None else before.opens_block()
        blocks = around.column + (opened and around.blank is None)
        due, width = self.due(now.column), len(blanks.expandtabs(self.tab))
        allowed = {due}
        if now.column == blocks:
            level = self.unit.width
            if self.labels and (not opened or content.decode(errors="ignore").startswith(self.labels)):
                allowed.add(due - level)
            if not opened:
                allowed.add(due + level)
        return width in allowed and self._is_kind(blanks)

    def due(self, blocks: int) -> int:
        """Return the column of a line in so many blocks."""
        return max(0, self.column + (blocks - self.blocks) * self.unit.width)

    def blanks(self, blocks: int) -> str:
        """Return the blanks before a line in so many blocks."""
        column = self.due(blocks)
        if self.unit.blank != "\t":
            return " " * column
        return "\t" * (column // self.tab) + " " * (column % self.tab)

    def lay_out(self, start: ConstraintState, closing: str) -> str:
        """Return a closing with the end of each block on a line of its own, as deep as the block's first line.

        It is the closing itself where that closes no block, or where the longer one is no program.
        """
        state: ConstraintState | None = start
        written = ""
        for part in _PART.finditer(closing):
            after = state.advance(part[0]) if state is not None else None
            if state is None or after is None:
                return closing
            before, now = state.enclosure, after.enclosure
            # A block that was opened on this line counts from the next one on, and ends on this line too.
            if before.depth == now.depth == 0 and now.column < before.column and before.blank is None:
                written = written.rstrip(" \t") + self.line_end + self.blanks(now.column)
            written += part[0]
            state = after
        return written if written == closing or start.accepts(written) else closing

    def _is_kind(self, blanks: str) -> bool:
        # Tabs may have blanks after them, which align the rest of a statement.
        return not blanks.strip(self.unit.blank) or self.unit.blank == "\t"


def find_block_indentation(left: str, right: str, quotient: Constraint) -> BlockIndentation | None:
    """Return the indentation around a cursor; None if no line near it is indented: then any will do."""
    unit = find_indentation(left, right, quotient.comment, quotient.tab)
    if unit is None:
        return None
    line = left[max(left.rfind("\n"), left.rfind("\r")) + 1 :]
    blanks = _BLANKS.match(line)
    assert blanks is not None, "there may be none"
    found = _LINE_END.search(left)
    column, blocks = len(blanks[0].expandtabs(quotient.tab)), quotient.start.enclosure.column
    if blanks[0] == "" and not line:
        column = blocks * unit.width  # The text itself begins the line.
    return BlockIndentation(unit, quotient.tab, column, blocks, quotient.labels, "\n" if found is None else found[0])
