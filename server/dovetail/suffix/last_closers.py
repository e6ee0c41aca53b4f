"""Up to where modes may be open in a right context.

A text does not end where a mode is open. So where the only spellings that end one do not come any more (the quotes of
a string, say), nothing has to be read in it: of the many modes that a text may begin in most are refuted so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.lexing.modes import NOTHING

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer


class LastClosers:
    """The last ends of the modes of one text."""

    def __init__(self, lexer: Lexer, text: str) -> None:
        self.lexer = lexer
        self.text = text
        self._known: dict[int, int] = {}

    def of(self, stack: int) -> int:
        """Return the last offset at which a lexeme may begin in these modes, if the text is to end after them.

        That is the text's length where it may end in them, or where what ends them has no fixed spelling; -1 where
        it does not come at all.
        """
        known, entries = self._known, self.lexer.modes.entries
        above: list[int] = []  # modes may be nested deeper than Python's own calls
        while stack != NOTHING and stack not in known:
            above.append(stack)
            stack = entries[stack][1]
        found = known.get(stack, len(self.text))
        for inner in reversed(above):
            ends = self.lexer.modes.may_end(inner)
            own = len(self.text) if ends else max(map(self._last_end, entries[inner][0]))
            found = known[inner] = min(own, found)
        return found

    def _last_end(self, number: int) -> int:
        """Return where the text has the last spelling that ends a mode; its length if that is not known."""
        mode = self.lexer.compiled.modes[number]
        scanner = self.lexer.scanners[mode.automaton]
        ends = [scanner.only_spelling(terminal) for terminal in mode.pop.union(mode.switch)]
        return max((len(self.text) if end is None else self.text.rfind(end) for end in ends), default=len(self.text))
