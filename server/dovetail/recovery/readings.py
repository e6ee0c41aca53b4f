"""Error recovery: choose the text that a quotient is computed for.

Candidates are tried in this order until one is viable: the texts as they are; the right text without its end, from a
top-level line on; the right text without lines that do not fit; the left text without a line that leaves too much
open. The left text that arrives here has been repaired as far as it does not fit by itself.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from dovetail.parsing.configuration import Configuration
from dovetail.quotient.omission import Omission
from dovetail.quotient.quotient import Quotient
from dovetail.quotient.right_side import read_right
from dovetail.recovery.right import omissions_after

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dovetail.quotient.right_side import RightSide
    from dovetail.recovery.left import LeftReader


class Reading:
    """The quotients of one text with one right side, as it stands and with parts left out."""

    def __init__(self, right: RightSide) -> None:
        self.right = right
        # The right text last tried with omissions, and its right side: the next key leaves it as it is.
        self._recovered: tuple[str, RightSide] | None = None

    @property
    def is_read(self) -> bool:
        """True if the right sides that were read are read to their end."""
        return not any(right.unread for right in self._rights())

    def read_on(self) -> bool:
        """Read some text that is not read yet; return False if it does not parse, so that a quotient was wrong."""
        return all(right.read_on() for right in self._rights())

    def _rights(self) -> Iterator[RightSide]:
        for right in (self.right, *(() if self._recovered is None else self._recovered[1:])):
            yield right
            yield from right.shortened if right.automaton.broken else ()

    def quotient(self, lefts: Iterable[LeftReader], text: str, offset: int, *, tolerant: bool) -> Quotient:
        """Return the quotient of a text at an offset; `lefts` have read up to there, the most likely first.

        A quotient that is not viable if no reading is, or without `tolerant` if the text as it stands is not.
        """
        lefts = iter(lefts)
        first = next(lefts, None)
        # A quotient without heads: nothing is viable, as the text before the cursor fits nothing.
        if first is None or (first.checkpoints[-1].left_out and not tolerant):
            return Quotient(self.right, Configuration((), self.right.lexer.start))
        strict = _meet(first, self.right, (), offset, len(text))
        # A text that fits is never repaired: the tolerant answer is then the strict one.
        if strict.viable or not tolerant:
            return strict
        # Every right text is tried with the likeliest left text first: to skip what opened a bracket above changes what
        # the user sees around the cursor.
        for left in chain([first], lefts):
            for quotient in self._candidates(left, text, offset):
                if quotient.viable:
                    return quotient
        return strict

    def _candidates(self, left: LeftReader, text: str, offset: int) -> Iterator[Quotient]:
        yield from _with_right(left, self.right, (), len(text))
        for omissions in omissions_after(left, text, offset):
            if omissions:
                kept = _without(text, offset, omissions)
                # A right side depends on no left text, so the kept text is the whole key. One is remembered, as the
                # next key typed asks for the same.
                if self._recovered is None or self._recovered[0] != kept:
                    limit = self.right.automaton.limit
                    self._recovered = kept, read_right(self.right.machine, self.right.stacks, kept, limit)
                yield from _with_right(left, self._recovered[1], omissions, len(text))


def _with_right(left: LeftReader, right: RightSide, left_out: tuple[Omission, ...], end: int) -> Iterator[Quotient]:
    """Yield the quotient with a right side as it is, then without its end where that does not parse."""
    # The end of the text is never left out in part, so offsets counted from it are those of the whole text.
    begin = end - len(right.text)
    yield _meet(left, right, left_out, begin, end)
    for shorter in right.shortened:
        start = begin + len(shorter.text)
        # Omissions further down lie in the end that is left out as a whole.
        within = tuple(part for part in left_out if part.end <= start)
        yield _meet(left, shorter, within, begin, start, Omission(start, end))


def _meet(
    left: LeftReader, right: RightSide, left_out: tuple[Omission, ...], begin: int, end: int, *rest: Omission
) -> Quotient:
    """Return the quotient with a right side that goes up to `end`; counted from there, it begins at `begin`."""
    at = left.checkpoints[-1]
    unread = right.unread_after(at.configuration.lexer)
    later = () if unread is None else (Omission(begin + unread, end, unread=True),)
    return Quotient(right, at.configuration, (*at.left_out, *left_out, *later, *rest))


def _without(text: str, offset: int, omissions: tuple[Omission, ...]) -> str:
    """Return the text after an offset without its omissions."""
    kept = []
    for part in omissions:
        kept += [text[offset : part.start], part.instead]
        offset = part.end
    return "".join((*kept, text[offset:]))
