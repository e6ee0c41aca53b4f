"""The last look at a text before it is shown: it repeats no text to its right, and ends without blanks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.decoding.constraint import ConstraintState

PROSE = "§ ) the"
"""A sign that is no lexeme, and a closer and a word that do not go together: no code holds them."""

_LONGEST = 400
"""Characters of the right context with which the end of a text is compared."""

_CLOSED_BY = {"(": ")", "[": "]", "{": "}"}

_WORD = re.compile(r"\w")


def tidy(text: str, left: str, right: str, start: ConstraintState) -> str:
    r"""Return a text without the end that the right text begins with, and without blanks before blanks or a line end.

    Right between two brackets it has no blanks at its beginning alone. A part is removed only if the shorter text is a
    program in its place; `text` itself has to be one. The result is empty if the right text already holds all of it.

    >>> import dovetail
    >>> start = dovetail.load_language("python").quotient("x = f(", ", b)\n").start
    >>> tidy("a, b", "x = f(", ", b)\n", start)
    'a'
    >>> tidy("a ", "x = (", " )", dovetail.load_language("python").quotient("x = (", " )").start)
    'a'
    >>> tidy(" a", "x = (", ")", dovetail.load_language("python").quotient("x = (", ")").start)
    'a'
    """
    blanks = left[len(left.rstrip(" \t\r\n")) :]
    # The longest repeated end first. It may begin with blanks that stand to the left of the cursor.
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
    unpadded = text.lstrip(" \t")
    # A text right between two brackets has blanks on both sides or on none.
    if _CLOSED_BY.get(left[-1:]) == right[:1] and text[-1:].strip() and unpadded != text:
        text = unpadded if start.accepts(unpadded) else text
    bare = text.rstrip(" \t" if right[:1] in (" ", "\t") else " \t\r\n")
    if bare != text and (not right or right[0].isspace()) and start.accepts(bare):
        return bare
    return text


def characters(text: str) -> int:
    """Return the number of characters of a text, blanks not counted."""
    return len("".join(text.split()))


def _splits_word(text: str, place: int) -> bool:
    return place < len(text) and bool(_WORD.match(text[place]) and _WORD.match(text[place - 1]))
