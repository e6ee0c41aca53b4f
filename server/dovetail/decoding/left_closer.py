"""The quote or bracket right behind the cursor, which an editor has put there: it ends what the cursor stands in.

Where a text ends that itself, the sign stays behind. In the content of an element it is text like any other, so a
program all the same: `<p className="|"` would become `<p className="a">b</p>"`. And a text may open another bracket for
the sign to close: `f(a|)` would become `f(a) + g(b)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.decoding.constraint import ConstraintState

_QUOTES = ('"', "'", "`")
_CLOSERS = (")", "]", "}")


def leaves_quote(text: str, right: str, start: ConstraintState) -> bool:
    """Return whether a text ends the string that the cursor stands in, though the quote that ends it is behind it.

    `right`: what stands behind the cursor. `start`: the state before the text. A text that begins another string, as
    `b", "c` does in `["a|"]`, leaves the quote to that.
    """
    quote, inside = right[:1], start.enclosure.depth
    if quote not in _QUOTES or quote not in text:
        return False
    ended = start.advance(quote)
    after = start.advance(text)
    return ended is not None and ended.enclosure.depth < inside and after is not None and after.enclosure.depth < inside


def leaves_bracket(text: str, right: str, start: ConstraintState) -> bool:
    """Return whether a text closes all that the bracket behind the cursor could close, so that it would be prose.

    `right` and `start` are those of `leaves_quote`.
    """
    if right[:1] not in _CLOSERS:
        return False
    after, closed = start.advance(text), start.advance(text + right[0])
    if after is None or closed is None:
        return False
    return closed.enclosure.depth >= after.enclosure.depth < start.enclosure.depth


def moves_bracket(text: str, right: str, start: ConstraintState) -> bool:
    """Return whether a text closes the bracket of the cursor, and opens one for the sign that closes it already.

    `right` and `start` are those of `leaves_quote`.
    """
    closer, inside = right.lstrip(" \t")[:1], start.enclosure.depth
    if closer not in _CLOSERS:
        return False
    state: ConstraintState | None = start
    for part in text.split(closer)[:-1]:
        state = None if state is None else state.advance(part + closer)
        if state is not None and state.enclosure.depth < inside:
            after = start.advance(text)
            return after is not None and after.enclosure.depth >= inside
    return False
