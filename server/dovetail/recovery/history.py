"""The lines read so far: questions about checkpoints that repairs ask."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.lexing.layout import blanks_of
from dovetail.recovery.limits import HEADER_LINES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.recovery.checkpoint import Checkpoint
    from dovetail.recovery.line_reader import LineReader

_MARK = re.compile(r"([<|=>])\1{6}(?![^ \r\n])")
"""The beginning of a line before a side of a conflict, or behind the last one: `<` ours, `|` base, `=` theirs, `>`."""


class History(NamedTuple):
    """A text, and the checkpoints at its line starts as far as it was read; a line begins at the first of them."""

    reader: LineReader
    checkpoints: Sequence[Checkpoint]
    text: str

    def last_begun(self) -> int:
        """Return the index of the last checkpoint at which a line begins on its own."""
        # A plain loop, because every key typed asks: a generator takes twice as long.
        index = len(self.checkpoints) - 1
        while not self.checkpoints[index].begins:
            index -= 1
        return index

    def line_at(self, index: int) -> str:
        """Return the line of text that begins at a checkpoint before the last."""
        return self.text[self.checkpoints[index].offset : self.checkpoints[index + 1].offset]

    def has_content(self, index: int) -> bool:
        """Return whether a line with more than blanks and comments begins on its own at a checkpoint."""
        return self.checkpoints[index].begins and self.reader.is_content(self.line_at(index))

    def is_skipped(self, index: int) -> bool:
        """Return whether the line that begins at a checkpoint was skipped."""
        left_out = self.checkpoints[index + 1].left_out
        return bool(left_out) and left_out[-1].start == self.checkpoints[index].offset

    def inserted_at(self, index: int) -> str:
        """Return the text that a repair put before the line that begins at a checkpoint; empty where none did."""
        before, after = self.checkpoints[index], self.checkpoints[index + 1]
        last = after.left_out[-1:]
        return last[0].instead if last != before.left_out[-1:] and last[0].end == before.offset else ""

    def line_before(self, begun: int) -> int | None:
        """Return the index of the last line before a checkpoint that begins on its own and was not skipped."""
        # A skipped line is no part of the text as it is read. To skip it once more would change nothing, and reading
        # would not end.
        for index in range(begun - 1, -1, -1):
            if self.checkpoints[index].begins and not self.is_skipped(index):
                return index
        return None

    def latest_before(self, begun: int, line: str) -> int | None:
        """Return the index of the last checkpoint up to one after which a line fits, a header's lines back at most.

        Earlier than `begun` if the lines before it, decorators say, await another header.
        """
        # As after the lines `@f` and `@g`: a header that opens a plain block fits before both of them only.
        for _ in range(HEADER_LINES):
            if self.reader.after(self.checkpoints[begun], line) is not None:
                return begun
            before = self.line_before(begun)
            if before is None:
                return None
            begun = before
        return None

    def gaps_before(self, at: Checkpoint) -> list[int]:
        """Return the indices, in `left_out`, of the lines skipped right before a checkpoint; the last one first."""
        found: list[int] = []
        offset = at.offset
        for index in range(len(at.left_out) - 1, max(-1, len(at.left_out) - 1 - HEADER_LINES), -1):
            gap = at.left_out[index]
            # Lines of content between a skipped line and this one are its block already. Blank lines and comments are
            # not. A mark of a conflict is no header.
            is_header = not (gap.instead or gap.unread or sign_of_mark(self.text, gap.start))
            if not is_header or self.reader.first_content(self.text, gap.end, offset):
                break
            found.append(index)
            offset = gap.start
        return found

    def blanks_at(self, index: int) -> str:
        """Return the blanks of the line that begins at a checkpoint."""
        return blanks_of(self.line_at(index))


def sign_of_mark(text: str, offset: int) -> str:
    """Return the sign of the mark of a merge conflict that the line at an offset is; empty for any other line."""
    mark = _MARK.match(text, offset)
    return "" if mark is None else mark[1]
