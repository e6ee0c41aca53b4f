"""The left text of a document under edit: an edit re-reads only the lines from it up to the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.parsing.configuration import Configuration
from dovetail.quotient.omission import Omission
from dovetail.recovery.bracket_reader import BracketReader, read_lines
from dovetail.recovery.bracket_repairs import open_columns
from dovetail.recovery.checkpoint import Checkpoint
from dovetail.recovery.history import History
from dovetail.recovery.left import LeftReader
from dovetail.recovery.limits import CHARACTERS_PER_NODE, COLUMN_LINES, NEAR_LINES, NODES, OPENERS
from dovetail.recovery.line_ends import line_ends

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.parsing.stack import Stacks
    from dovetail.quotient.machine import Machine
    from dovetail.recovery.placeholders import Placeholders


class Checkpoints:
    """The checkpoints at the line starts of one text, as far as it was read."""

    stacks: Stacks
    """The parse stacks of the text; made anew when they hold too much of texts that are gone."""

    def __init__(self, machine: Machine, placeholders: Placeholders, start: int = 0) -> None:
        """Read a text from its beginning, or from the start of a statement outside all blocks."""
        self.machine = machine
        self.placeholders = placeholders
        self.start = start
        self._begin()

    def _begin(self) -> None:
        """Forget the text that was read."""
        machine = self.machine
        self.stacks = machine.stacks()
        bottom = self.stacks.bottom
        base = Checkpoint(0, Configuration((bottom,), machine.lexer.start), begins=True)
        if self.start:
            assert machine.top_level_state is not None
            # Over the bottom of the stack one state stands for all texts of whole statements, so the statements before
            # `start` need not be read.
            heads = (self.stacks.node(machine.top_level_state, (bottom,)),)
            before = (Omission(0, self.start, unread=True),)
            at_start = Configuration(heads, machine.lexer.start)
            base = base._replace(offset=self.start, configuration=at_start, left_out=before, rests_on=self.start)
        self._left = LeftReader(read_lines(machine, self.placeholders, self.stacks), [base])

    @property
    def reach(self) -> int:
        """The offset up to which the text was read."""
        return self._left.checkpoints[-1].offset

    def forget(self, offset: int) -> None:
        """Forget everything that rests on text after an offset."""
        reach = self.reach
        self._left.forget(offset)
        # Nodes cannot be given back one by one: other checkpoints share them. So all are made anew once in a while.
        if self.stacks.size > NODES + reach // CHARACTERS_PER_NODE:
            self._begin()

    def read_on(self, text: str, offset: int) -> None:
        """Read up to the last line end before an offset."""
        left = self._left
        for end in line_ends(text, self.reach, offset):
            # A line that nothing repairs ends the reading here. `read` tries it again, in a copy, as a line near the
            # cursor.
            if not left.go_on(text, end):
                return

    def read(self, text: str, offset: int) -> Iterator[LeftReader]:
        """Yield readers of the text before an offset, the most likely first. Nothing is yielded where nothing fits.

        Nothing is skipped of a text that fits. Further readings skip the lines that leave something open at the
        offset. The text up to the last checkpoint before the offset has to be the one that was read.
        """
        left = self._left
        self.read_on(text, offset)
        # A checkpoint before the cursor may rest on a repair that was made for text after it. The cursor's text alone
        # decides here, so `known` leaves such checkpoints out.
        last = left.known(offset)
        first = max(0, last - NEAR_LINES)
        # Repairs go back to a line that begins on its own. The loop ends: the first checkpoint is one.
        while not left.checkpoints[first].begins:
            first -= 1
        # Repairs that the cursor's line wants are made in a copy: the line is still being written.
        near = self._copy(text, left.checkpoints[:last], first)
        fits = True
        for end in line_ends(text, near.checkpoints[-1].offset, offset):
            fits = fits and near.go_on(text, end)
        fits = fits and near.recover(text, offset, to_cursor=True)
        # A generator: nearly always the first reading is viable, and no other is made.
        for _ in range(OPENERS):
            if not fits:
                break
            yield near
            fits = near.without_opener(text, offset)
        if not isinstance(near.reader, BracketReader):
            return
        # Where brackets make blocks, the text may fit and its blocks be others than the columns of its lines say.
        first = self._outermost(left.checkpoints[:last])
        near = self._copy(text, left.checkpoints[: first + 1], first, by_columns=True)
        fits = all(near.go_on(text, end) for end in line_ends(text, near.checkpoints[-1].offset, offset))
        if fits and near.recover(text, offset, to_cursor=True):
            yield near

    def _copy(self, text: str, checkpoints: list[Checkpoint], first: int, *, by_columns: bool = False) -> LeftReader:
        """Return a reader that goes on after some checkpoints, and back to the one numbered `first` at most."""
        reader = self._left.reader
        if isinstance(reader, BracketReader):
            reader = reader.with_columns(open_columns(History(reader, checkpoints[: first + 1], text)))
        return LeftReader(reader, checkpoints[first:], by_columns=by_columns)

    def _outermost(self, checkpoints: list[Checkpoint]) -> int:
        """Return the index of a checkpoint outside of all blocks, some way before the last one."""
        reader = self._left.reader
        assert isinstance(reader, BracketReader)
        index = max(0, len(checkpoints) - COLUMN_LINES)
        while index and not (checkpoints[index].begins and reader.blocks(checkpoints[index].configuration) == 0):
            index -= 1
        return index
