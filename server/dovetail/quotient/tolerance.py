"""Which reading of a text a quotient is of: the strict one, or where that fits nothing, one with something left out.

In this order, until something fits: the texts as they are; the right one without its end, from a line on that stands
by itself; the right one without lines that fit nothing; the left one without a line that leaves too much open. What
of the left does not fit by itself was left out before.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from dovetail.quotient.beyond import beyond
from dovetail.quotient.checkpoint import Span
from dovetail.quotient.quotient import Quotient
from dovetail.quotient.right_side import read_right

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dovetail.quotient.right_side import RightSide
    from dovetail.quotient.track import Track


class Meeting:
    """Quotients of the readings of one text with one right side."""

    def __init__(self, right: RightSide) -> None:
        self.right = right
        self._mended: tuple[str, RightSide] | None = None      # a text of which something was left out, and that read
        self._unread: tuple[Span, ...] = ()

    def quotient(self, tracks: Iterable[Track], text: str, offset: int, *, tolerant: bool) -> Quotient:
        """Return the quotient of a text at an offset; `tracks` have read up to there, the most likely one first."""
        tracks = iter(tracks)
        unread = self.right.automaton.unread
        self._unread = (Span(offset + min(unread)[0], len(text), unread=True),) if unread else ()
        first = next(tracks, None)
        if first is None or (first.checkpoints[-1].left_out and not tolerant):
            return Quotient(self.right, (), self.right.lexer.start)
        strict = self._meet(first, self.right, ())
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
                    self._mended = kept, read_right(self.right.language, self.right.stacks, kept)
                yield from self._met(track, self._mended[1], spans, len(text))

    def _met(self, track: Track, right: RightSide, left_out: tuple[Span, ...], end: int) -> Iterator[Quotient]:
        """Yield the quotient with a right side as it is, then without its end where that does not parse."""
        yield self._meet(track, right, left_out)
        for shorter in right.shortened:
            # The end is as long in the whole text: what was left out of it lies before or within it.
            start = end - len(right.text) + len(shorter.text)
            within = tuple(span for span in left_out if span.end <= start)
            yield self._meet(track, shorter, (*within, Span(start, end)))

    def _meet(self, track: Track, right: RightSide, left_out: tuple[Span, ...]) -> Quotient:
        reading = track.checkpoints[-1]
        return Quotient(right, reading.heads, reading.state, (*reading.left_out, *left_out, *self._unread))


def _without(text: str, offset: int, spans: tuple[Span, ...]) -> str:
    """Return the text after an offset without some spans of it."""
    kept = []
    for span in spans:
        kept += [text[offset : span.start], span.instead]
        offset = span.end
    return "".join((*kept, text[offset:]))
