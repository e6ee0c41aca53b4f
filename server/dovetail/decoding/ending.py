"""The last look at a text before it is shown: nothing of it should be there already, and something should be left."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.decoding.constraint import State

_LONGEST = 400
"""Characters of the right context with which the end of a text is compared."""

_WORD = re.compile(r"\w")


def tidy(text: str, left: str, right: str, start: State) -> str:
    """Return a text without the end that the right context begins with, and without blanks before a line end.

    Only as far as what is left may end there; `text` itself may. Empty where the right context says all of it,
    with the blanks to the left of the cursor before it.
    """
    blanks = left[len(left.rstrip(" \t\r\n")) :]
    for length in range(min(len(right), len(blanks) + len(text), _LONGEST), 0, -1):
        head = right[:length]
        if not (blanks + text).endswith(head) or not head.strip() or _splits_word(right, length):
            continue
        if length >= len(text):
            if start.accepting:
                return ""
            continue
        rest = text[:-length]
        if not (_WORD.match(rest[-1]) and _WORD.match(head)) and start.accepts(rest):
            text = rest
            break
    bare = text.rstrip(" \t\r\n")
    if bare != text and (not right or right[0] in "\r\n") and start.accepts(bare):
        return bare
    return text


def characters(text: str) -> int:
    """Return how many characters a text has, blanks apart."""
    return len("".join(text.split()))


def _splits_word(text: str, place: int) -> bool:
    return place < len(text) and bool(_WORD.match(text[place]) and _WORD.match(text[place - 1]))
