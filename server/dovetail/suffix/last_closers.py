"""The last closers of a right context: the offsets up to which each mode may be open.

A text may not end while a mode is open. So a mode need not be read beyond the last spelling that ends it, such as the
last closing quote of a string. A right context may begin in dozens of modes, and this rule refutes most of them
without reading a character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.lexing.modes import NOTHING

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer


class LastClosers:
    """The last offsets of one text at which modes may end, remembered."""

    def __init__(self, lexer: Lexer, text: str, *, whole: bool = True) -> None:
        """Prepare for a text; of one that is not `whole` every mode may be open at the end."""
        self.lexer = lexer
        self.text = text
        self._whole = whole
        self.known: dict[int, int] = {}
        """Mode stack → what `of` has returned for it; nothing of a text that is not whole."""
        self._last: dict[int, int] = {}
        """Mode → the offset of the last spelling that ends it."""

    def of(self, stack: int) -> int:
        """Return the last offset at which a lexeme may begin on a mode stack, if every mode is to be closed.

        The text's length if the text may end in these modes, or if a closer has no fixed spelling. -1 if a closer
        does not occur.
        """
        if not self._whole:
            return len(self.text)
        known, entries = self.known, self.lexer.modes.entries
        above: list[int] = []  # A loop: modes may be nested deeper than Python's calls.
        while stack != NOTHING and stack not in known:
            above.append(stack)
            stack = entries[stack][1]
        # Below the lowest entry nothing is known, so nothing is refuted by it.
        found = known.get(stack, len(self.text))
        for inner in reversed(above):
            ends = self.lexer.modes.may_end(inner)
            # A mode on top ends before the modes around it, so it is open no longer than they are.
            own = len(self.text) if ends else max(map(self._last_end, entries[inner][0]))
            found = known[inner] = min(own, found)
        return found

    def _last_end(self, number: int) -> int:
        """Return the offset of the last spelling that ends a mode, or the text's length if a spelling is not fixed."""
        found = self._last.get(number)
        if found is None:
            closers = self.lexer.closers(number)
            length = len(self.text)
            found = length if closers is None else max(map(self.text.rfind, closers), default=length)
            self._last[number] = found
        return found
