"""The configuration of the parser: parse stacks and lexer state after some text.

These two values hold everything that Dovetail knows of the text to the left of a cursor. Neither ever changes, so a
configuration can be kept, compared and used as a key of a dict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer, LexerState
    from dovetail.parsing.stack import Heads, Stacks

_new = tuple.__new__  # A NamedTuple's own constructor is a Python function: twice the time, for each token.


class Configuration(NamedTuple):
    """Parse stacks and lexer state after a text.

    The methods take the lexer of the language, and the `Stacks` that made the heads. Loops that run for each character
    or each token unpack the pair and call lexer and stacks themselves.
    """

    heads: Heads
    """The tops of the stacks; empty if no parse goes on."""
    lexer: LexerState
    """The state of the lexer. It includes the pending lexeme, which the stacks have not seen yet."""

    def read(self, lexer: Lexer, stacks: Stacks, text: str) -> Configuration | None:
        """Return the configuration after more text, or None if the text cannot be read from here."""
        read = lexer.lex(self.lexer, text)
        if read is None:
            return None
        heads = stacks.shift_all(self.heads, read[1])
        return _new(Configuration, (heads, read[0])) if heads else None

    def ended_as(self, lexer: Lexer, stacks: Stacks, terminal: int) -> Configuration | None:
        """Return the configuration after the pending lexeme ends as a terminal, or None if it cannot.

        The characters since the lexeme was last a terminal are dropped.
        """
        ended = lexer.ended_as(self.lexer, terminal)
        if ended is None:
            return None
        heads = stacks.shift_all(self.heads, ended[1])
        return Configuration(heads, ended[0]) if heads else None

    def fallen_back(self, lexer: Lexer, stacks: Stacks) -> Configuration | None:
        """Return the configuration after the last terminal of the pending lexeme and the characters since, read again.

        None if the pending lexeme was no terminal yet, or if the characters cannot be read from there.
        """
        read = lexer.fallen_back(self.lexer)
        if read is None:
            return None
        heads = stacks.shift_all(self.heads, read[1])
        return Configuration(heads, read[0]) if heads else None

    def finished(self, lexer: Lexer, stacks: Stacks) -> bool:
        """Return whether the text may end here as a whole program."""
        emissions = lexer.finish(self.lexer)
        return emissions is not None and bool(stacks.shift_all(self.heads, emissions))

    def may_go_on(self, lexer: Lexer, stacks: Stacks) -> bool:
        """Return whether the pending lexeme may become a terminal that one of the stacks takes."""
        # The lexeme as it stands comes first, then all that it may fall back to. Each round leaves fewer characters.
        at: Configuration | None = self
        while at is not None and at.heads:
            heads, state = at
            if state.at == START:
                return True
            scanner = lexer.scanners[lexer.modes.scanner_of[state.stack]]
            for terminal in scanner.becomes(state.at) - lexer.compiled.errors:
                way = lexer.modes.known_transition(state.stack, terminal)
                # A lexeme that the parser never sees refutes no stack. No known way: nothing is known, so no refusal.
                if way is None or not way.is_seen(blank=state.line is not None):
                    return True
                if stacks.shift(heads, terminal):
                    return True
            at = at.fallen_back(lexer, stacks) if state.rest and state.accepted >= 0 else None
        return False
