"""The left side at line starts, so that an edit re-reads only what follows it up to the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.quotient.omission import Omission
from dovetail.recovery.checkpoint import Checkpoint
from dovetail.recovery.left import Track
from dovetail.recovery.line_reader import line_ends

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.quotient.machine import Machine
    from dovetail.recovery.placeholders import Placeholders

# Stacks of texts that are gone are not taken apart, they are all made anew, once there are so many of them: some
# hundred edits make ten thousand nodes (4 MB), reading a text makes one for about 14 of its characters.
_NODES = 10_000
_CHARACTERS = 4  # of a text for each node more
_OPENERS = 3  # lines in a row that may be what opened too much
_NEAR = 100  # lines before a cursor that are looked at again where its line does not fit


class Checkpoints:
    """What the lexer and the parser knew at each line start of a text, as far as it was read."""

    def __init__(self, machine: Machine, placeholders: Placeholders, start: int = 0) -> None:
        """Read a text from its beginning, or from a line that may be taken to stand by itself."""
        self.machine = machine
        self.placeholders = placeholders
        self.start = start
        self.stacks = machine.stacks()
        bottom = self.stacks.bottom
        base = Checkpoint(0, machine.lexer.start, (bottom,), begins=True)
        if start:
            assert machine.top_level_state is not None
            heads = (self.stacks.node(machine.top_level_state, (bottom,)),)
            base = base._replace(offset=start, heads=heads, left_out=(Omission(0, start, unread=True),), rests_on=start)
        self._track = Track(machine, placeholders, self.stacks, [base])

    @property
    def reach(self) -> int:
        """How far the text was read."""
        return self._track.checkpoints[-1].offset

    def forget(self, offset: int) -> None:
        """Forget everything that rests on text after an offset."""
        reach = self.reach
        self._track.forget(offset)
        if self.stacks.size > _NODES + reach // _CHARACTERS:
            self.__init__(self.machine, self.placeholders, self.start)  # type: ignore[misc]

    def read_on(self, text: str, offset: int) -> None:
        """Read up to the last line end before an offset."""
        track = self._track
        for end in line_ends(text, self.reach, offset):
            if not track.read(text, end) and not track.mend(text, end, to_cursor=False):
                return

    def read(self, text: str, offset: int) -> Iterator[Track]:
        """Yield what is known after the text before an offset, the most likely first.

        Nothing is left out of a text that fits; after that come readings without the lines that leave something
        open at the offset. Where nothing fits there are none. The text up to the last checkpoint before the offset
        has to be what it was.
        """
        track = self._track
        self.read_on(text, offset)
        last = track.known(offset)
        first = max(0, last - _NEAR)
        while not track.checkpoints[first].begins:
            first -= 1
        near = Track(self.machine, self.placeholders, self.stacks, track.checkpoints[first:last])
        fits = True
        for end in line_ends(text, near.checkpoints[-1].offset, offset):
            fits = fits and (near.read(text, end) or near.mend(text, end, to_cursor=False))
        fits = fits and near.mend(text, offset, to_cursor=True)
        for _ in range(_OPENERS):
            if not fits:
                return
            yield near
            fits = near.without_opener(text, offset)
