"""Where a text may stop, and how it is closed: at a program that the right context is still a part of.

A line comment makes nearly everything a program: `total = sum(x) #` before `for x in xs)` is one, and the
rest of the line is lost. Left, text and right are together a program then, which is all that the quotient
promises, but the two sides are not connected. So where a line goes on to the right of the cursor, a text that
swallows it is no place to stop, and a token after which only such an ending is near is refused. Where nothing
else connects the two sides, or the cursor is inside a comment or string already, this rule has no say.

No language is known here. Whether a text swallows what follows is found out by putting something behind it
that is part of no program outside comments and strings, and that ends the strings of one line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.decoding.constraint import State

_NOWHERE = "\ue000"
"""A private-use character: allowed in comments and strings, part of no lexeme elsewhere."""

_WIDEST = 8
"""Blanks with which a line is tried; a block may need some before what the right context has."""

_STRING_ENDS = _NOWHERE + "'\"" + _NOWHERE


class Stopping:
    """The rule for one place."""

    def __init__(self, start: State, right: str) -> None:
        self.guarded = False
        """Whether a text that swallows the rest of the line is refused here."""
        self._line: str | None = None
        """A beginning of the line that the right context goes on with, where one has to be written."""
        line = right.replace("\r", "\n").split("\n", 1)[0]
        if line.strip() and start.advance(_NOWHERE) is None:
            first = start.closing()
            end = None if first is None else start.advance(first)
            self.guarded = end is not None and not _swallows(end)
            if self.guarded and first is not None and "\n" in first:
                self._line = first.rpartition("\n")[2].lstrip()

    def may_stop(self, state: State) -> bool:
        """Return whether a text may end here."""
        return state.accepting and not (self.guarded and _swallows(state))

    def may_stop_after(self, state: State, text: bytes) -> bool:
        """Return whether a text may end after some more of it."""
        if not state.accepts(text):
            return False
        return not self.guarded or not state.accepts(text + _STRING_ENDS.encode())

    def closing(self, state: State) -> bytes | None:
        """Return the shortest text after which the text may stop, as far as it is found; None if it is not.

        Inside a character there is none.
        """
        text = state.closing()
        if text is None or not self.guarded or self.may_stop_after(state, text.encode()):
            return None if text is None else text.encode()
        # The shortest ends in a comment. What comes before that may be followed by a line of its own, in which the
        # right context still fits, indented further perhaps.
        for length in range(len(text) - 1, -1, -1):
            above = state.advance(text[:length]) if length else state
            if above is not None and above.advance(_NOWHERE) is None:
                return self._below(state, text[:length], above)
        return None

    def _below(self, state: State, text: str, above: State) -> bytes | None:
        """Return a closing that goes on with a new line after a text, which leads from `state` to `above`."""
        line = above.advance("\n")
        for width in range(_WIDEST + 1 if line is not None else 0):
            start = line.advance(" " * width) if width and line is not None else line
            # The shortest may end in a comment again.
            for rest in () if start is None else (start.closing(), self._line):
                closing = f"{text}\n{' ' * width}{rest}".encode()
                if rest is not None and self.may_stop_after(state, closing):
                    return closing
        return None


def _swallows(state: State) -> bool:
    """Return whether a program stays one whatever the line to its right begins with."""
    return state.accepts(_STRING_ENDS)
