"""The text around a cursor in pieces that stay the same while one types.

The text before the cursor is cut from its beginning and the text after it from its end, at starts of lines, so what is
typed changes the piece at the cursor alone.
"""

from __future__ import annotations

PIECE = 2048
"""Characters of a piece, at least, but for the one at the cursor."""

_GROUP = 16
"""Pieces that are put together where they are far from the cursor."""

_FAR = 1
"""Groups before the cursor, and after it, that are of use."""


def pieces_before(text: str) -> list[tuple[str, ...]]:
    r"""Return the groups of pieces before a cursor in the order of the text; far ones are left out.

    >>> [sum(map(len, group)) for group in pieces_before("x = 1\n" * 1000)]
    [4104, 1896]
    """
    pieces, start = [], 0
    while (end := text.find("\n", start + PIECE - 1) + 1) > 0:
        pieces.append(text[start:end])
        start = end
    return _grouped(pieces, text[start:])


def pieces_after(text: str) -> list[tuple[str, ...]]:
    r"""Return the groups of pieces after a cursor, the farthest first, each in the order of the text.

    >>> [sum(map(len, group)) for group in pieces_after("x = 1\n" * 1000)]
    [4104, 1896]
    """
    pieces, end = [], len(text)
    while end > PIECE and (start := text.rfind("\n", 0, end - PIECE) + 1) > 0:
        pieces.append(text[start:end])
        end = start
    return [group[::-1] for group in _grouped(pieces, text[:end])]


def _grouped(pieces: list[str], nearest: str) -> list[tuple[str, ...]]:
    """Return full groups of pieces, those that fill no group, and the piece at the cursor."""
    full = len(pieces) // _GROUP
    starts = range(max(0, full - _FAR) * _GROUP, full * _GROUP, _GROUP)
    groups = [tuple(pieces[start : start + _GROUP]) for start in starts]
    groups += [tuple(pieces[full * _GROUP :]), (nearest,)]
    return [group for group in groups if any(group)]
