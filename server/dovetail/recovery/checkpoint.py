"""What is known of a left text at a place: where lexer and parser stand, and what was left out on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from dovetail.lexing.lexer import LexerState
    from dovetail.parsing.stack import Heads
    from dovetail.quotient.omission import Omission


class Checkpoint(NamedTuple):
    """What lexer and parser know at an offset."""

    offset: int
    state: LexerState
    heads: Heads
    begins: bool
    """A line begins here that may be told apart: nothing is open, but blocks."""
    left_out: tuple[Omission, ...] = ()
    losses: int = 0
    """How often something was left out on the way, for good or not."""
    rests_on: int = 0
    """How far the text went that this was decided from: never less than the offset, and more after a later mending."""
