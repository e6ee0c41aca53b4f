"""What fits between a left and a right text."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from dovetail.lexing.seam import Seam
from dovetail.parsing.stack import Stacks
from dovetail.parsing.suffix import SuffixAutomaton
from dovetail.quotient.closing import Closings
from dovetail.quotient.expectations import Expecting
from dovetail.quotient.judge import Judge
from dovetail.quotient.state import State

if TYPE_CHECKING:
    from dovetail.lexing.lexer import LexerState
    from dovetail.parsing.stack import Heads
    from dovetail.quotient.expectations import Expectation
    from dovetail.quotient.language import Language


class Quotient:
    """The language divided by a left and a right text: which middles make a program of the three."""

    def __init__(self, language: Language, left: str, right: str) -> None:
        self.language = language
        self.lexer = language.lexer
        self.stacks = Stacks(language.compiled, language.chains)
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

    @cached_property
    def closings(self) -> Closings:
        """The shortest closings of this quotient's states."""
        return Closings(self)

    def close(self, heads: Heads, state: LexerState, partial: bytes) -> str | None:
        """Return the shortest text after which the whole is a program; None inside a character."""
        return None if partial else self.closings.closing(heads, state)

    @cached_property
    def expecting(self) -> Expecting:
        """What finds the terminals that may come at this quotient's states."""
        return Expecting(self)

    def expected(self, heads: Heads, state: LexerState) -> tuple[str, ...]:
        """Return the terminals that the pending lexeme may become and that may come after it, as people read them."""
        return tuple(expectation.name for expectation in self.expecting.expectations(heads, state))

    def expectations(self) -> tuple[Expectation, ...]:
        """Return what may come at the cursor, each with a text that brings it."""
        return self.expecting.expectations(self.start._heads, self.start._lexer)
