"""What was read of a lexeme since it was last a terminal, made as plain as it can be.

It matters only if the lexeme comes to nothing: then it is read again. So any text that is read alike may take its
place, and where nothing can be read again nothing needs to be kept. Without this every beginning of a literal that
falls back to a name before it (as `b'` does in Python) would be a state of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.lexing.lexer import LexerState, Line

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Emission, Lexer
    from dovetail.masking.alphabet import Alphabet
    from dovetail.masking.token_classes import Beginning

_Again = tuple[LexerState, tuple["Emission", ...]]


class Overruns:
    """The rests of lexemes of one language, and the plainest one for each."""

    def __init__(self, lexer: Lexer, alphabet: Alphabet) -> None:
        self.lexer = lexer
        self.alphabet = alphabet
        self._known: dict[tuple[int, int, str, bool], tuple[int, str]] = {}
        self._shortest: dict[tuple[int, bool, _Again], str] = {}

    def plainest(self, beginning: Beginning) -> Beginning:
        """Return the plainest beginning that reads like this one; `at` makes no difference."""
        stack, _, accepted, rest, blank = beginning
        if accepted < 0 or not rest:
            return beginning
        key = (stack, accepted, rest, blank)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._find(*key)
        return beginning._replace(accepted=known[0], rest=known[1])

    def _find(self, stack: int, accepted: int, rest: str, blank: bool) -> tuple[int, str]:
        text = self.alphabet.text(self.alphabet.classes(rest))
        again = self._again(stack, accepted, text, blank)
        if again is None:
            return -1, ""
        alike = (accepted, blank, again)
        if alike not in self._shortest:
            self._shortest[alike] = self._shorten(stack, accepted, text, blank, again)
        return accepted, self._shortest[alike]

    def _shorten(self, stack: int, accepted: int, text: str, blank: bool, again: _Again) -> str:
        """Leave out of a text what makes no difference to how it is read again."""
        place = 0
        while place < len(text):
            shorter = text[:place] + text[place + 1 :]
            if shorter and self._again(stack, accepted, shorter, blank) == again:
                text = shorter
            else:
                place += 1
        return text

    def _again(self, stack: int, accepted: int, rest: str, blank: bool) -> _Again | None:
        """Return what comes of a lexeme's rest when it is read again, or None if nothing does."""
        emissions: list[Emission] = []
        line = Line() if blank else None
        ended = self.lexer.end_lexeme(LexerState(stack, 0, line, 1, accepted, rest), emissions)
        again = self.lexer.lex(ended, rest) if ended is not None else None
        return None if again is None else (again[0], (*emissions, *again[1]))
