"""The left side at line starts, so that an edit re-reads only what follows it up to the cursor."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from dovetail.parsing.stack import Stacks

if TYPE_CHECKING:
    from dovetail.lexing.lexer import LexerState
    from dovetail.parsing.stack import Heads
    from dovetail.quotient.language import Language

_NODES = 400_000     # of stacks that are forgotten again; some thousand edits of a large file make so many


class Checkpoints:
    """What the lexer and the parser knew at each line start of a text, as far as it was read."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.stacks = Stacks(language.compiled, language.chains)
        self._offsets = [0]
        self._states: list[LexerState] = [language.lexer.start]
        self._heads: list[Heads] = [(self.stacks.bottom,)]

    def forget(self, offset: int) -> None:
        """Forget everything that rests on text after an offset."""
        kept = bisect_right(self._offsets, offset)
        del self._offsets[kept:], self._states[kept:], self._heads[kept:]
        if self.stacks.size > _NODES:
            self.__init__(self.language)  # type: ignore[misc]

    def read(self, text: str, offset: int) -> tuple[Heads, LexerState]:
        """Return stacks and lexer after the text before an offset; no stacks where it fits nothing.

        The text up to the last checkpoint before the offset has to be what it was.
        """
        last = bisect_right(self._offsets, offset) - 1
        at, state, heads = self._offsets[last], self._states[last], self._heads[last]
        while at < offset and heads:
            end = text.find("\n", at, offset) + 1 or offset
            read = self.language.lexer.lex(state, text[at:end])
            if read is None:
                return (), state
            state, emissions = read
            heads = self.stacks.shift_all(heads, emissions)
            at = end
            if at > self._offsets[-1] and text[at - 1] == "\n":
                self._offsets.append(at)
                self._states.append(state)
                self._heads.append(heads)
        return heads, state
