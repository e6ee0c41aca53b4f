"""Overruns: the characters of a pending lexeme since it was last a terminal, replaced by the plainest that read alike.

An overrun matters only if the lexeme ends as no terminal: then it is read again. So any characters that are read alike
may take its place, and where nothing can be read again none need to be kept. Without this each beginning of a literal
that falls back to a name before it (`b'` in Python, which falls back to the name `b`) would be a start state of its
own, with classes of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.lexing.lexer import LexerState, Line

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Emission, Lexer
    from dovetail.masking.alphabet import Alphabet
    from dovetail.masking.token_classes import StartState

_Again = tuple[LexerState, tuple["Emission", ...]]


class Overruns:
    """The overruns of lexemes of one language, and the plainest for each, remembered."""

    def __init__(self, lexer: Lexer, alphabet: Alphabet) -> None:
        self.lexer = lexer
        self.alphabet = alphabet
        self._known: dict[tuple[int, int, str, bool], tuple[int, str]] = {}
        self._shortest: dict[tuple[int, bool, _Again], str] = {}

    def plainest(self, start: StartState) -> StartState:
        """Return the start state with the plainest overrun that reads like this one; `at` makes no difference."""
        stack, _, accepted, overrun, blank = start
        # Without a terminal to fall back to, the lexeme is refused when it comes to nothing, whatever its characters.
        if accepted < 0 or not overrun:
            return start
        key = (stack, accepted, overrun, blank)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._find(*key)
        return start._replace(accepted=known[0], overrun=known[1])

    def _find(self, stack: int, accepted: int, overrun: str, blank: bool) -> tuple[int, str]:
        text = self.alphabet.text(self.alphabet.classes(overrun))
        again = self._again(stack, accepted, text, blank)
        if again is None:
            return -1, ""
        alike = (accepted, blank, again)
        if alike not in self._shortest:
            self._shortest[alike] = self._shorten(stack, accepted, text, blank, again)
        return accepted, self._shortest[alike]

    def _shorten(self, stack: int, accepted: int, text: str, blank: bool, again: _Again) -> str:
        """Return a text without the characters that make no difference to how it is read again."""
        place = 0
        while place < len(text):
            # One pass is enough for a short text, not for the shortest. A longer one costs a start state, never an
            # answer.
            shorter = text[:place] + text[place + 1 :]
            if shorter and self._again(stack, accepted, shorter, blank) == again:
                text = shorter
            else:
                place += 1
        return text

    def _again(self, stack: int, accepted: int, overrun: str, blank: bool) -> _Again | None:
        """Return the state and the terminals after an overrun is read again, or None if it cannot be."""
        # The lexer leaves the state of the lexeme when it falls back, so any state but START will do.
        again = self.lexer.fallen_back(LexerState(stack, 0, Line() if blank else None, 1, accepted, overrun))
        return None if again is None else (again[0], tuple(again[1]))
