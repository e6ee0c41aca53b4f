"""Quotes as the file has them: a string that the model begins by others is written with the file's."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.decoding.progress import Progress

_NEAR = 40
"""Characters before a string that tell to which quotes it belongs."""


def with_quotes_of_file(progress: Progress, piece: bytes) -> bytes | None:
    """Return a piece with the file's quotes where it begins a string with others; None if it may stay as it is.

    Quotes inside of strings and comments are no beginning, and those of documentation are of another kind. A string
    that holds the file's quotes may have the others.
    """
    style, state = progress.task.style, progress.state
    past = 0
    for place, byte in enumerate(piece):
        if byte not in style.quotes or place < past:
            continue
        quote = chr(byte)
        if piece[place : place + 3] == quote.encode() * 3:
            past = place + 3
            continue
        before = state.advance(piece[:place]) if place else state
        after = state.advance(piece[: place + 1])
        if before is None or after is None:
            return None
        if after.enclosure.depth <= before.enclosure.depth:
            continue
        written = progress.text + piece[:place]
        around = (progress.task.left[-_NEAR:] + written[-_NEAR:].decode(errors="replace"))[-_NEAR:]
        own = style.quote(around, quote)
        rest = piece[place:].decode(errors="replace")
        if own == quote or own in rest:
            continue
        return piece[:place] + piece[place:].replace(quote.encode(), own.encode())
    return None
