"""What stacks make of the lexeme that is pending at the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer, LexerState
    from dovetail.parsing.stack import Heads, Stacks


def fall_back(lexer: Lexer, stacks: Stacks, heads: Heads, state: LexerState) -> tuple[Heads, LexerState] | None:
    """Return what is after the last terminal of the pending lexeme, the characters since then read again."""
    read = lexer.fallen_back(state)
    return None if read is None else (stacks.shift_all(heads, read[1]), read[0])


def may_become(lexer: Lexer, stacks: Stacks, heads: Heads, state: LexerState) -> bool:
    """Return whether the pending lexeme, gone on with as it may be, can be something that the stacks take."""
    while heads:
        if state.at == START:
            return True
        scanner = lexer.scanners[lexer.modes.scanner_of[state.stack]]
        for terminal in scanner.becomes(state.at) - lexer.compiled.errors:
            way = lexer.modes.known_transition(state.stack, terminal)
            # Where more than one mode may follow, nothing is known of the text.
            if way is None or not way.is_seen(blank=state.line is not None):
                return True
            if stacks.shift(heads, terminal):
                return True
        advanced = fall_back(lexer, stacks, heads, state) if state.rest and state.accepted >= 0 else None
        if advanced is None:
            return False
        heads, state = advanced
    return False
