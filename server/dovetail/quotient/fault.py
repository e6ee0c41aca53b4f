"""Where a text stops being the beginning of a program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.quotient.state import State

_SHORT = 12     # expected terminals that a message names


@dataclass(frozen=True, slots=True)
class Fault:
    """The first place at which a text cannot be a program."""

    offset: int
    """Characters before it."""
    line: int
    """From 1."""
    column: int
    """From 1, in characters."""
    found: str
    """The character there; empty at the end of the text."""
    expected: tuple[str, ...]
    """What may stand there, as people write it."""

    def __str__(self) -> str:
        found = repr(self.found) if self.found else "the end of the text"
        more = len(self.expected) - _SHORT
        names = ", ".join(self.expected[:_SHORT]) + (f" and {more} more" if more > 0 else "")
        return f"line {self.line}, column {self.column}: {found} does not fit here; expected {names or 'nothing more'}"


def find_fault(start: State, text: str) -> Fault | None:
    """Return the fault of a text, or None if it is a program; `start` is that of the empty left and right."""
    state = start
    offset = 0
    for line in text.splitlines(keepends=True):
        after = state.advance(line)
        if after is None:
            for character in line:
                after = state.advance(character)
                if after is None:
                    return _fault(state, text, offset)
                state, offset = after, offset + 1
            # The line is refused as a whole, so one of its characters was.
            raise AssertionError("a line was refused that its characters were not")
        state, offset = after, offset + len(line)
    return None if state.accepting else _fault(state, text, offset)


def _fault(state: State, text: str, offset: int) -> Fault:
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return Fault(
        offset=offset,
        line=before.count("\n") + 1,
        column=len(before) - (before.rfind("\n") + 1) + 1,
        found=text[offset : offset + 1],
        expected=state.expected(),
    )
