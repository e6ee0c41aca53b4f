"""Fault: the first place at which a text stops being the beginning of a program.

The text is read in pieces until no lexeme or no parse goes on, without a test of viability. Each prefix of a viable
text is viable, so bisection finds the first prefix that is not: first between the pieces, then between the characters
of one piece.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from dovetail.automata.dfa import START
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.right_side import read_right

if TYPE_CHECKING:
    from dovetail.lexing.lexer import LexerState
    from dovetail.quotient.machine import Machine
    from dovetail.quotient.right_side import RightSide

_SHORT = 12  # The number of expected terminals that a message names.
_LONG = 30  # The number of characters of a lexeme that a message shows.
_PIECE = 256  # The number of characters in a piece.


@dataclass(frozen=True, slots=True)
class Fault:
    """The first place at which a text cannot be a program."""

    offset: int
    """In characters, from 0."""
    line: int
    """From 1."""
    column: int
    """From 1, in characters."""
    found: str
    """The character at the fault; empty at the end of the text."""
    expected: tuple[str, ...]
    """The terminals that may stand there, in readable form; those that begin the shortest closing come first."""
    begun: str
    """The lexeme before the fault if it may go on there but not end; empty if `found` itself does not fit."""

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"

    @property
    def message(self) -> str:
        """The fault in a few words, without the place."""
        found = repr(self.found) if self.found else "the end of the text"
        wrong = f"`{self.begun}` cannot end here" if self.begun else f"{found} does not fit here"
        more = len(self.expected) - _SHORT
        names = ", ".join(self.expected[:_SHORT]) + (f" and {more} more" if more > 0 else "")
        return f"{wrong}; expected {names or 'nothing more'}"


def find_fault(machine: Machine, text: str) -> Fault | None:
    """Return the fault of a text, or None if it is a program."""
    right = read_right(machine, machine.stacks(), "")
    pieces = _read(right, Configuration((right.stacks.bottom,), machine.lexer.start), text, range(0, len(text), _PIECE))
    first = _first_dead(right, pieces)
    if first is None:
        if right.recognizer.accepting(pieces[-1]):
            return None
        first = max(len(pieces) - 1, 1)
    base = (first - 1) * _PIECE
    piece = text[base : base + _PIECE]
    read = _read(right, pieces[first - 1], piece, range(len(piece)))
    within = _first_dead(right, read)
    offset = len(piece) if within is None else within - 1
    expecting = right.expecting
    configuration = read[offset]
    begun = "" if expecting.may_end(configuration) else _lexeme(right, [at.lexer for at in read], piece[:offset])
    found = text[base + offset : base + offset + 1]
    before = text[: base + offset].replace("\r\n", "\n").replace("\r", "\n")
    closing = right.closings.closing(configuration) or ""
    expected = sorted(
        expecting.on_this_line(configuration) if found.strip() else expecting.expectations(configuration),
        key=lambda expectation: -len(expectation.text) if closing.startswith(expectation.text) else 0,
    )
    return Fault(
        offset=base + offset,
        line=before.count("\n") + 1,
        column=len(before) - (before.rfind("\n") + 1) + 1,
        found=found,
        expected=tuple(expectation.name for expectation in expected),
        begun=begun,
    )


def _read(right: RightSide, at: Configuration, text: str, starts: range) -> list[Configuration]:
    """Return the configurations before each piece of a text and after the last piece that can be read.

    If a piece cannot be read, a last configuration without heads stands for it.
    """
    read = [at]
    for start, end in pairwise((*starts, len(text))):
        after = at.read(right.lexer, right.stacks, text[start:end])
        if after is None:
            read.append(Configuration((), at.lexer))
            break
        at = after
        read.append(at)
    return read


def _first_dead(right: RightSide, read: list[Configuration]) -> int | None:
    """Return the index of the first configuration that is not viable, or None if all are."""
    first = bisect_left(read, 1, key=lambda at: int(not right.recognizer.viable(at)))
    return first if first < len(read) else None


def _lexeme(right: RightSide, states: list[LexerState], piece: str) -> str:
    """Return the pending lexeme at the end of a piece, without its beginning if it is long or begins before the piece.

    `states`: the lexer states before each character of the piece.
    """
    start = len(piece)
    while start > 0:
        start -= 1
        state = states[start]
        scanner = right.lexer.scanners[right.lexer.modes.scanner_of[state.stack]]
        if state.at == START or scanner.steps[state.at][piece[start]] < 0:
            lexeme = state.rest + piece[start:]
            return lexeme if len(lexeme) <= _LONG else f"{lexeme[:_LONG]}…"
    return f"…{piece[-_LONG:]}"
