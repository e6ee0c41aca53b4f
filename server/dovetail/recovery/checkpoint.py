"""What is known of a left text at a place: where lexer and parser stand, and what was left out on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from dovetail.lexing.lexer import LexerState
    from dovetail.parsing.stack import Heads


class Passage(NamedTuple):
    """Some text that was left out, by offsets in characters."""

    start: int
    end: int
    instead: str = ""
    """What takes its place."""
    unread: bool = False
    """It was left out for the time being only, to be read later."""


class Checkpoint(NamedTuple):
    """What lexer and parser know at an offset."""

    offset: int
    state: LexerState
    heads: Heads
    begins: bool
    """A line begins here that may be told apart: nothing is open, but blocks."""
    left_out: tuple[Passage, ...] = ()
    losses: int = 0
    """How often something was left out on the way, for good or not."""
    rests_on: int = 0
    """How far the text went that this was decided from: never less than the offset, and more after a later mending."""
