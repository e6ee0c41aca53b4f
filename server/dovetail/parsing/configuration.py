"""The configuration of the parser: parse stacks and lexer state after some text.

Everything that Dovetail knows of a text on the left of a cursor is in these two values. Both never change, so a
configuration can be kept, compared and used as a key.
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

    The methods take the lexer of the language, and the stacks of the text that the heads were made by. Loops that run
    for each character or token unpack the pair instead and call these two themselves.
    """

    heads: Heads
    """The tops of the stacks; empty where no parse goes on."""
    lexer: LexerState
    """The state of the lexer, the lexeme in progress included: the stacks have not seen that one yet."""

    def read(self, lexer: Lexer, stacks: Stacks, text: str) -> Configuration | None:
        """Return the configuration after more text, or None if no lexeme or no parse goes on like this."""
        read = lexer.lex(self.lexer, text)
        if read is None:
            return None
        heads = stacks.shift_all(self.heads, read[1])
        return _new(Configuration, (heads, read[0])) if heads else None

    def ended_as(self, lexer: Lexer, stacks: Stacks, terminal: int) -> Configuration | None:
        """Return the configuration after the pending lexeme, ended as a terminal; None where it cannot be one.

        What the lexeme has read since it was last a terminal is dropped.
        """
        ended = lexer.ended_as(self.lexer, terminal)
        if ended is None:
            return None
        heads = stacks.shift_all(self.heads, ended[1])
        return Configuration(heads, ended[0]) if heads else None

    def fallen_back(self, lexer: Lexer, stacks: Stacks) -> Configuration | None:
        """Return the configuration after the last terminal of the pending lexeme, the characters since read again.

        None if the pending lexeme was no terminal yet, or nothing goes on like this.
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
        """Return whether the pending lexeme, whatever it becomes, can be something that the stacks take."""
        at: Configuration | None = self
        while at is not None and at.heads:
            heads, state = at
            if state.at == START:
                return True
            scanner = lexer.scanners[lexer.modes.scanner_of[state.stack]]
            for terminal in scanner.becomes(state.at) - lexer.compiled.errors:
                way = lexer.modes.known_transition(state.stack, terminal)
                # Where the mode after the lexeme is not known, nothing is known of the text either.
                if way is None or not way.is_seen(blank=state.line is not None):
                    return True
                if stacks.shift(heads, terminal):
                    return True
            at = at.fallen_back(lexer, stacks) if state.rest and state.accepted >= 0 else None
        return False
