"""What stacks make of the lexeme that is pending at the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Emission, Lexer, LexerState
    from dovetail.parsing.stack import Heads, Stacks


def fall_back(lexer: Lexer, stacks: Stacks, heads: Heads, state: LexerState) -> tuple[Heads, LexerState] | None:
    """Return what is after the last terminal of the pending lexeme, the characters since then read again."""
    emissions: list[Emission] = []
    ended = lexer.end_lexeme(state, emissions)
    if ended is None:
        return None
    if state.rest:
        again = lexer.lex(ended, state.rest)
        if again is None:
            return None
        ended = again[0]
        emissions += again[1]
    return stacks.shift_all(heads, emissions), ended


def may_become(lexer: Lexer, stacks: Stacks, heads: Heads, state: LexerState) -> bool:
    """Return whether the pending lexeme, gone on with as it may be, can be something that the stacks take."""
    while heads:
        if state.at == START:
            return True
        scanner = lexer.scanners[lexer.modes.scanner_of[state.stack]]
        for terminal in scanner.becomes(state.at) - lexer.compiled.errors:
            ways = lexer.modes.transitions(state.stack, terminal)
            # Where more than one mode may follow, nothing is known of the text.
            if len(ways) != 1 or ways[0].ignored or (ways[0].ends_line and state.line is not None):
                return True
            if stacks.shift(heads, terminal):
                return True
        advanced = fall_back(lexer, stacks, heads, state) if state.rest and state.accepted >= 0 else None
        if advanced is None:
            return False
        heads, state = advanced
    return False
