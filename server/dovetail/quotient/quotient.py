"""What fits between a left and a right text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.lexing.seam import Seam
from dovetail.parsing.stack import Stacks
from dovetail.parsing.suffix import SuffixAutomaton
from dovetail.quotient.judge import Judge
from dovetail.quotient.state import State

if TYPE_CHECKING:
    from dovetail.lexing.lexer import LexerState
    from dovetail.parsing.stack import Heads
    from dovetail.quotient.language import Language


class Quotient:
    """The language divided by a left and a right text: which middles make a program of the three."""

    def __init__(self, language: Language, left: str, right: str) -> None:
        self.language = language
        self.lexer = language.lexer
        self.stacks = Stacks(language.compiled)
        seam = Seam(language.lexer, right)
        self.judge = Judge(
            language.lexer, language.following, self.stacks, seam, SuffixAutomaton(language.suffix_grammar, seam)
        )
        read = language.lexer.lex(language.lexer.start, left)
        heads: Heads = ()
        state = language.lexer.start
        if read is not None:
            state, emissions = read
            heads = self.stacks.shift_all((self.stacks.bottom,), emissions)
        self.start = State(self, heads, state)
        """The empty middle."""
        self.viable: bool = self.judge.viable(heads, state)
        """Whether any middle makes a program."""
        self.ignored: tuple[str, ...] = ()
        """The parts of the left and right text that were left out or are not verified."""

    def close(self, heads: Heads, state: LexerState, partial: bytes) -> str | None:
        """Return the shortest text after which the whole is a program."""
        raise NotImplementedError

    def expected(self, heads: Heads, state: LexerState) -> tuple[str, ...]:
        """Return the terminals that may come next, as people write them."""
        raise NotImplementedError
