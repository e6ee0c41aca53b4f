"""The indentation of lines where brackets make blocks: the check of a new line, and the lines of closing brackets.

Columns mean nothing to the parser there. A line is as much deeper than the cursor's line as more blocks are open in it;
one that begins with the end of a block is as deep as the line that opened it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dovetail.decoding.indentation import Indentation, find_indentation

if TYPE_CHECKING:
    from dovetail.decoding.constraint import Constraint, ConstraintState

_PART = re.compile(r"\w+|\s+|[^\w\s]")
_BLANKS = re.compile(r"[ \t]*")
_USUAL = "  "
"""One level in a file without an indented line."""
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class BlockIndentation:
    """The indentation of a file around one cursor."""

    unit: Indentation | None
    """One level; None while no line is indented: then any indentation will do."""
    tab: int
    left: str
    """The text before the cursor."""
    comment: str | None
    """The sign that begins a comment."""
    column: int
    """The column of the cursor's line."""
    blocks: int
    """The blocks that are open on it."""
    depth: int
    """The brackets that are open on it, around those blocks and between them."""
    labels: tuple[str, ...]
    """Texts that begin a line one level further out than the lines after it."""
    line_end: str

    def fits(self, text: bytes, before: ConstraintState, after: ConstraintState, *, written: int) -> bool:
        """Return whether the last line of a text is indented as the file is, where its first content is new.

        `before` is the state before the last token, which begins at `written`; `after` the one after it. Lines inside
        brackets that make no block are free, and so are those in more or fewer brackets than the cursor. Others may be
        off by one level, since a statement may go on over several lines.
        """
        start = max(text.rfind(b"\n"), text.rfind(b"\r")) + 1
        if start == 0 or self.unit is None:
            return True
        line = text[start:]
        content = line.lstrip(b" \t")
        blanks = line[: len(line) - len(content)].decode()
        if content and start + len(blanks) < written:
            return True  # It was judged with its first token.
        now = after.enclosure
        if not self._is_kind(blanks, aligned=now.depth > 0):
            return False
        # A function in a call is indented as its argument is, so how deep it is can be told for the cursor's alone.
        if not content or now.inner > 0 or now.depth != self.depth:
            return True
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
        return width in allowed

    @property
    def level(self) -> str:
        """The blanks of one level."""
        if self.unit is None:
            return _USUAL
        return "\t" if self.unit.blank == "\t" else " " * self.unit.width

    def due(self, blocks: int) -> int:
        """Return the column of a line in so many blocks."""
        assert self.unit is not None, "asked only where lines are indented"
        return max(0, self.column + (blocks - self.blocks) * self.unit.width)

    def blanks(self, blocks: int) -> str:
        """Return the blanks before a line in so many blocks."""
        column = self.due(blocks)
        if self.unit is not None and self.unit.blank != "\t":
            return " " * column
        return "\t" * (column // self.tab) + " " * (column % self.tab)

    def lay_out(self, start: ConstraintState, closing: str, text: str = "") -> str:
        """Return a closing with the end of each block on a line of its own, as deep as the block's first line.

        `text`: what was written before the closing; the lines in it count where no other is indented. It is the
        closing itself where that closes no block, where nothing is indented, or where the longer one is no program.
        """
        if self.unit is None:
            unit = find_indentation(self.left + text, "", self.comment, self.tab)
            return closing if unit is None else _begun(self, unit).lay_out(start, closing)
        state: ConstraintState | None = start
        written = ""
        for part in _PART.finditer(closing):
            after = state.advance(part[0]) if state is not None else None
            if state is None or after is None:
                return closing
            before, now = state.enclosure, after.enclosure
            # A block that was opened on this line counts from the next one on, and ends on this line too.
            stays = before.depth == now.depth <= self.depth and before.inner == 0
            if stays and now.column < before.column and before.blank is None:
                written = written.rstrip(" \t") + self.line_end + self.blanks(now.column)
            written += part[0]
            state = after
        return written if written == closing or start.accepts(written) else closing

    def _is_kind(self, blanks: str, *, aligned: bool) -> bool:
        """Return whether a line begins with such blanks; those that align it inside brackets stand after the tabs."""
        assert self.unit is not None, "asked only where lines are indented"
        if aligned and self.unit.blank == "\t":
            blanks = blanks.rstrip(" ")
        return not blanks.strip(self.unit.blank)


def line_end_of(text: str) -> str:
    r"""Return the first line end of a text, and `\n` for a text of one line."""
    end = _LINE_END.search(text)
    return "\n" if end is None else end[0]


def find_block_indentation(left: str, right: str, quotient: Constraint) -> BlockIndentation:
    """Return the indentation around a cursor."""
    unit = find_indentation(left, right, quotient.comment, quotient.tab)
    blanks, around = _blanks(left), quotient.start.enclosure
    blocks = around.column
    if unit is None and blocks and blanks == blanks[:1] * len(blanks) != "" and len(blanks) % blocks == 0:
        # No other line is indented than the cursor's, which the editor has begun.
        width = len(blanks) // blocks
        unit = Indentation(blanks[0], width * quotient.tab if blanks[0] == "\t" else width)
    found = BlockIndentation(
        None, quotient.tab, left, quotient.comment, len(blanks.expandtabs(quotient.tab)), blocks, around.depth,
        quotient.labels, line_end_of(left),
    )  # fmt: skip
    return found if unit is None else _begun(found, unit)


def _begun(indentation: BlockIndentation, unit: Indentation) -> BlockIndentation:
    """Return an indentation whose level is known."""
    column, blanks = indentation.column, _blanks(indentation.left)
    is_of_other_kind = blanks != "" and blanks.strip(unit.blank) == blanks
    if is_of_other_kind or not _line(indentation.left):
        # The text itself begins the line, or an editor has that was not told how the file is indented.
        column = indentation.blocks * unit.width
    return replace(indentation, unit=unit, column=column)


def _line(left: str) -> str:
    """Return the cursor's line up to the cursor."""
    return left[max(left.rfind("\n"), left.rfind("\r")) + 1 :]


def _blanks(left: str) -> str:
    """Return the blanks that the cursor's line begins with."""
    blanks = _BLANKS.match(_line(left))
    assert blanks is not None, "there may be none"
    return blanks[0]
