"""The quote right behind the cursor, which an editor has put there: it ends the string that the cursor stands in.

Where a text ends that string itself, the quote stays behind. In the content of an element it is text like any other, so
a program all the same: `<p className="|"` would become `<p className="a">b</p>"`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.decoding.constraint import ConstraintState

_QUOTES = ('"', "'", "`")


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
