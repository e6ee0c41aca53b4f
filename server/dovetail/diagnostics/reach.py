"""Reach: how much of a text is the beginning of a program.

The text is read in pieces until no lexeme or no parse goes on, without a test of viability. Each prefix of a viable
text is viable, so bisection finds the first prefix that is not.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING

from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

PIECE = 256
"""The number of characters in a piece."""


def find_reach(right: RightSide, at: Configuration, text: str) -> int:
    """Return how many characters of a text fit after a configuration; one more if the whole makes a program."""
    pieces = read_pieces(right, at, text, range(0, len(text), PIECE))
    first = first_dead(right, pieces)
    if first is None:
        return len(text) + right.recognizer.accepting(pieces[-1])
    if first == 0:
        return 0
    base = (first - 1) * PIECE
    piece = text[base : base + PIECE]
    within = first_dead(right, read_pieces(right, pieces[first - 1], piece, range(len(piece))))
    return base + (len(piece) if within is None else within - 1)


def fits(right: RightSide, at: Configuration, text: str) -> bool:
    """Return whether a text fits after a configuration."""
    after = at.read(right.lexer, right.stacks, text)
    return after is not None and right.recognizer.viable(after)


def read_pieces(right: RightSide, at: Configuration, text: str, starts: range) -> list[Configuration]:
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


def first_dead(right: RightSide, read: list[Configuration]) -> int | None:
    """Return the index of the first configuration that is not viable, or None if all are."""
    first = bisect_left(read, 1, key=lambda at: int(not right.recognizer.viable(at)))
    return first if first < len(read) else None
