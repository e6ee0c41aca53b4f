"""Line closers: the closing brackets behind a cursor that belong to what is opened on its line.

As in `a = {b: ` before `}`, where an editor has closed the bracket at once. In a block that is not closed yet that `}`
fits as the end of the block, too, and then a middle would have to close the bracket once more.
"""

from __future__ import annotations

import re

from dovetail.recovery.line_ends import line_start

_BRACKET = re.compile(r"[(\[{]|([)\]}])")
_AT_LINE_END = re.compile(r"[)\]}]+(?=[;,]?[ \t]*(?:[\r\n]|\Z))")
_MIRRORED = {"(": ")", "[": "]", "{": "}"}


def has_own_closers(text: str, offset: int) -> bool:
    r"""Return whether a line goes on at an offset with closers alone, and its brackets before that need just these.

    >>> has_own_closers("f() {\n  a = {b: }\n", 16), has_own_closers("f() {\n  a = b }\n", 14)
    (True, False)
    """
    behind = _AT_LINE_END.match(text, offset)
    return behind is not None and _needed(text[line_start(text, offset) : offset]) == behind[0]


def closed_again(text: str, offset: int, middle: str) -> str:
    """Return the closers behind an offset, which `has_own_closers`, if a middle of one line closes the same ones.

    Empty if it does not.
    """
    behind = _AT_LINE_END.match(text, offset)
    assert behind is not None, "asked only where there are some"
    opened, closed = 0, ""
    for found in _BRACKET.finditer(middle):
        if found[1] is None:
            opened += 1
        elif opened:
            opened -= 1
        else:
            closed += found[1]
    return closed if closed == behind[0] and "\n" not in middle else ""


def _needed(text: str) -> str:
    """Return the closers of the brackets that a text leaves open, that of the innermost first."""
    needed: list[str] = []
    for found in _BRACKET.finditer(text):
        if found[1] is None:
            needed.append(_MIRRORED[found[0]])
        elif needed:
            needed.pop()
    return "".join(reversed(needed))
