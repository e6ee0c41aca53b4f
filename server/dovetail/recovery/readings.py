"""Which reading of a text a quotient is of: the strict one, or where that fits nothing, one with something left out.

In this order, until something fits: the texts as they are; the right one without its end, from a line on that stands
by itself; the right one without lines that fit nothing; the left one without a line that leaves too much open. What
of the left does not fit by itself was left out before.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from dovetail.quotient.omission import Omission
from dovetail.quotient.quotient import Quotient
from dovetail.quotient.right_side import read_right
from dovetail.recovery.right import beyond

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dovetail.quotient.right_side import RightSide
    from dovetail.recovery.left import Track


class Reading:
    """Quotients of the readings of one text with one right side."""

    def __init__(self, right: RightSide) -> None:
        self.right = right
        self._mended: tuple[str, RightSide] | None = None  # a text of which something was left out, and that read

    @property
    def is_read(self) -> bool:
        """Whether the right sides that were read are read to their end."""
        return not any(right.unread for right in self._rights())

    def read_on(self) -> bool:
        """Read some of what is not read yet; return False if it does not parse, so that a quotient was wrong."""
        return all(right.read_on() for right in self._rights())

    def _rights(self) -> Iterator[RightSide]:
        for right in (self.right, *(() if self._mended is None else self._mended[1:])):
            yield right
            yield from right.shortened if right.automaton.broken else ()

    def quotient(self, tracks: Iterable[Track], text: str, offset: int, *, tolerant: bool) -> Quotient:
        """Return the quotient of a text at an offset; `tracks` have read up to there, the most likely one first."""
        tracks = iter(tracks)
        first = next(tracks, None)
        if first is None or (first.checkpoints[-1].left_out and not tolerant):
            return Quotient(self.right, (), self.right.lexer.start)
        strict = self._meet(first, self.right, (), offset, len(text))
        if strict.viable or not tolerant:
            return strict
        for track in chain([first], tracks):
            for quotient in self._tolerant(track, text, offset):
                if quotient.viable:
                    return quotient
        return strict

    def _tolerant(self, track: Track, text: str, offset: int) -> Iterator[Quotient]:
        yield from self._met(track, self.right, (), len(text))
        for spans in beyond(track, text, offset):
            if spans:
                kept = _without(text, offset, spans)
                if self._mended is None or self._mended[0] != kept:
                    limit = self.right.automaton.limit
                    self._mended = kept, read_right(self.right.machine, self.right.stacks, kept, limit)
                yield from self._met(track, self._mended[1], spans, len(text))

    def _met(self, track: Track, right: RightSide, left_out: tuple[Omission, ...], end: int) -> Iterator[Quotient]:
        """Yield the quotient with a right side as it is, then without its end where that does not parse."""
        # The end is as long in the whole text: what was left out of it lies before or within it.
        begin = end - len(right.text)
        yield self._meet(track, right, left_out, begin, end)
        for shorter in right.shortened:
            start = begin + len(shorter.text)
            within = tuple(span for span in left_out if span.end <= start)
            yield self._meet(track, shorter, within, begin, start, Omission(start, end))

    def _meet(
        self, track: Track, right: RightSide, left_out: tuple[Omission, ...], begin: int, end: int, *rest: Omission
    ) -> Quotient:
        """Return the quotient with a right side that goes up to `end`; counted from there, it begins at `begin`."""
        reading, unread = track.checkpoints[-1], right.unread
        later = (Omission(begin + min(unread)[0], end, unread=True),) if unread else ()
        return Quotient(right, reading.heads, reading.state, (*reading.left_out, *left_out, *later, *rest))


def _without(text: str, offset: int, spans: tuple[Omission, ...]) -> str:
    """Return the text after an offset without some spans of it."""
    kept = []
    for span in spans:
        kept += [text[offset : span.start], span.instead]
        offset = span.end
    return "".join((*kept, text[offset:]))
