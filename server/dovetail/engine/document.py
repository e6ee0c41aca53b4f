"""A text under edit, and its quotients."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.engine.fault import find_fault
from dovetail.quotient.right_side import read_right
from dovetail.recovery.checkpoints import Checkpoints
from dovetail.recovery.line_ends import line_ends
from dovetail.recovery.readings import Reading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.engine.fault import Fault
    from dovetail.quotient.machine import Machine
    from dovetail.quotient.quotient import Quotient
    from dovetail.recovery.placeholders import Placeholders

_AT_ONCE = 30_000  # characters on either side that are read before an answer; of more, what is near is
_MISTAKES = 8  # readings that turn out to be wrong before the next is left as it is
_WINDOW = 20_000  # characters before a cursor in which a line is looked for that stands by itself
_LINE = r"(?<=[\n\r])(?!{comment})(?=[^\s)\]}}'\"])"  # a guess at such lines; what does not read is not taken


class Document:
    """A text that changes; each quotient is that of the text as it was when it was asked for.

    Kept between edits: the left side at every line start, and the right side as long as it is the same text. So
    what is typed at the cursor costs its own line.

    Of a very long text a tolerant quotient reads only what is near at first: from a line that seems to stand by
    itself, and up to one that does. The rest is among what it ignores, until `read_on` has read it.
    """

    def __init__(self, machine: Machine, placeholders: Placeholders, text: str) -> None:
        self.machine = machine
        self.placeholders = placeholders
        self.text = text
        self._checkpoints = Checkpoints(machine, placeholders)
        self._region: Checkpoints | None = None
        self._reading: Reading | None = None
        self._mistaken = 0  # how often a rest was taken to parse that does not, since the last edit

    def edit(self, start: int, end: int, text: str) -> None:
        """Put a text in the place of the characters from `start` to `end` (offsets; raises ValueError outside)."""
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"no range {start} to {end} in a text of {len(self.text)} characters")
        self.text = self.text[:start] + text + self.text[end:]
        self._mistaken = 0
        self._checkpoints.forget(start)
        if self._region is not None and self._region.start < start:
            self._region.forget(start)
        else:
            self._region = None

    def quotient(self, offset: int, *, tolerant: bool = True) -> Quotient:
        """Return what fits at an offset (in characters; raises ValueError outside), as `Language.quotient` does."""
        if not 0 <= offset <= len(self.text):
            raise ValueError(f"no offset {offset} in a text of {len(self.text)} characters")
        checkpoints = self._near(offset) if tolerant else self._checkpoints
        limit = _AT_ONCE if tolerant else None
        right, stacks = self.text[offset:], checkpoints.stacks
        met = self._reading.right if self._reading is not None else None
        if met is None or met.stacks is not stacks or (met.unread and not tolerant) or met.text != right:
            self._reading = Reading(read_right(self.machine, stacks, right, limit))
        assert self._reading is not None
        return self._reading.quotient(checkpoints.read(self.text, offset), self.text, offset, tolerant=tolerant)

    def read_on(self, offset: int) -> bool:
        """Read some more of what a quotient at an offset leaves unread; return whether there is nothing left of it."""
        reach = self._checkpoints.reach
        if self._region is not None and reach < offset - _AT_ONCE:
            end = next(line_ends(self.text, reach + _AT_ONCE, offset), offset)
            self._checkpoints.read_on(self.text, end)
            if self._checkpoints.reach > reach:
                return False
            # Nothing is made of it, so what is near has to do.
        if self._reading is None:
            return True
        if self._reading.read_on():
            return self._reading.is_read
        # What was taken to parse does not: another reading fits, which may leave something else unread.
        self._reading = None
        self._mistaken += 1
        if self._mistaken > _MISTAKES:
            return True
        self.quotient(offset)
        return False

    def fault_before(self, offset: int) -> Fault | None:
        """Return the fault of the text before an offset as if the text ended there, or None if it is a program."""
        return find_fault(self.machine, self.text[:offset])

    def _near(self, offset: int) -> Checkpoints:
        """Return where the left side is read: from the beginning, or for the time being from a line not far away."""
        if offset - self._checkpoints.reach <= _AT_ONCE or self.machine.top_level_state is None:
            return self._checkpoints
        region = self._region
        if region is not None and region.start <= offset <= region.start + _AT_ONCE:
            return region
        for start in self._starts(offset):
            region = Checkpoints(self.machine, self.placeholders, start)
            left = next(region.read(self.text, offset), None)
            if left is not None and len(left.checkpoints[-1].left_out) == 1:
                self._region = region
                return region
        return self._checkpoints

    def _starts(self, offset: int) -> Iterator[int]:
        """Yield lines before an offset that may stand by themselves, ever further away."""
        low = max(offset - _WINDOW, 0)
        comment = re.escape(self.machine.compiled.comment or "\n")
        lines = re.compile(_LINE.format(comment=comment))
        starts = [line.start() for line in lines.finditer(self.text, low, offset) if line.start() > low]
        index = 1
        while index <= len(starts):
            yield starts[-index]
            index *= 2
