"""Document: a text under edit, and its quotients."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.faults import find_fault_before
from dovetail.recovery.checkpoints import Checkpoints
from dovetail.recovery.line_ends import line_ends
from dovetail.recovery.readings import Reading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine
    from dovetail.quotient.quotient import Quotient
    from dovetail.recovery.placeholders import Placeholders

_AT_ONCE = 30_000  # The number of characters on either side of a cursor that are read before an answer.
_MISTAKES = 8  # After so many wrong assumptions about unread text, the next one stands.
_WINDOW = 20_000  # The number of characters before a cursor in which reading may begin at a top-level line.
_LINE = r"(?<=[\n\r])(?!{comment})(?=[^\s)\]}}'\"])"  # A guess at top-level lines; one that is wrong is dropped.


class Document:
    """A text that changes. An edit does not change the quotients made before it.

    The document keeps a checkpoint at each line start of the left text, and the right side as long as the right text
    stays the same. So typing at the cursor costs the reading of one line.

    A tolerant quotient of a very long text reads only the text near the cursor at first: from a line that seems to be
    at the top level to one that is. `Quotient.ignored` lists the rest until `read_on` has read it.

    >>> from dovetail import load_language
    >>> document = load_language("json").document("[1, ]")
    >>> document.edit(4, 4, "2")
    >>> document
    <Document of json: 6 characters>
    >>> document.quotient(5).start.accepting
    True
    """

    def __init__(self, machine: Machine, placeholders: Placeholders, text: str) -> None:
        self.machine = machine
        self.placeholders = placeholders
        self.text = text
        self._checkpoints = Checkpoints(machine, placeholders)
        self._region: Checkpoints | None = None
        self._reading: Reading | None = None
        self._mistaken = 0  # The number of wrong assumptions about unread text since the last edit.

    def __repr__(self) -> str:
        return f"<Document of {self.machine.name}: {len(self.text):,} characters>"

    def edit(self, start: int, end: int, text: str) -> None:
        """Replace the characters from `start` to `end` by a text; raises ValueError for offsets outside the text."""
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"no range {start} to {end} in a text of {len(self.text)} characters")
        self.text = self.text[:start] + text + self.text[end:]
        self._mistaken = 0
        self._checkpoints.forget(start)
        # A region begins at a line that was guessed from the text around it, so an edit before it gives it up.
        if self._region is not None and self._region.start < start:
            self._region.forget(start)
        else:
            self._region = None

    def quotient(self, offset: int, *, tolerant: bool = True, ends_headers: bool = False) -> Quotient:
        """Return the quotient at an offset in characters, as `Language.quotient` does.

        Raises ValueError for an offset outside the text.
        """
        if not 0 <= offset <= len(self.text):
            raise ValueError(f"no offset {offset} in a text of {len(self.text)} characters")
        checkpoints = self._near(offset) if tolerant else self._checkpoints
        limit = _AT_ONCE if tolerant else None
        right, stacks = self.text[offset:], checkpoints.stacks
        met = self._reading.right if self._reading is not None else None
        if met is None or met.stacks is not stacks or (met.unread and not tolerant) or met.text != right:
            self._reading = Reading(self.machine, stacks, right, limit)
        assert self._reading is not None
        lefts = checkpoints.read(self.text, offset)
        return self._reading.quotient(lefts, self.text, offset, tolerant=tolerant, ends_headers=ends_headers)

    def read_on(self, offset: int) -> bool:
        """Read more of the text that a quotient at an offset leaves unread; return whether all of it is read now."""
        reach = self._checkpoints.reach
        if self._region is not None and reach < offset - _AT_ONCE:
            end = next(line_ends(self.text, reach + _AT_ONCE, offset), offset)
            self._checkpoints.read_on(self.text, end)
            if self._checkpoints.reach > reach:
                return False
            # The text from the beginning on cannot be read further, so the region near the cursor has to do.
        if self._reading is None:
            return True
        if self._reading.read_on():
            return self._reading.is_read
        # Unread text was assumed to parse and does not. Another reading fits, which may leave other text unread.
        self._reading = None
        self._mistaken += 1
        if self._mistaken > _MISTAKES:
            return True
        self.quotient(offset)
        return False

    def fault_before(self, offset: int) -> Fault | None:
        """Return the first fault before an offset; None if what stands before it is the beginning of a program."""
        return find_fault_before(self.machine, self.placeholders, self.text, offset)

    def _near(self, offset: int) -> Checkpoints:
        """Return checkpoints to read the left text with: from its beginning, or for now from a line near the offset."""
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
        """Yield the offsets of lines before an offset that may be at the top level, ever further away."""
        low = max(offset - _WINDOW, 0)
        comment = re.escape(self.machine.compiled.comment or "\n")
        lines = re.compile(_LINE.format(comment=comment))
        starts = [line.start() for line in lines.finditer(self.text, low, offset) if line.start() > low]
        index = 1
        while index <= len(starts):
            yield starts[-index]
            index *= 2
