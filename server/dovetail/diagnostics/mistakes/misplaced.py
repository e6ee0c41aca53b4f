"""Misplaced element: an element of a list that fits only further ahead, such as `2` in `f(a=1, 2)`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.reach import fits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.parsing.configuration import Configuration
    from dovetail.quotient.right_side import RightSide

_NAMED = re.compile(r"[*&.]*\w+")
_VALUE = re.compile(r"[\w'\"]")  # Of a sign, what follows would have to be known.
_AFTER = frozenset((",", "(", "[", "{"))


def find_misplaced(right: RightSide, read: Sequence[Configuration], text: str, base: int, offset: int) -> str | None:
    """Return words for the place ahead at which the element at an offset would fit; None if there is none.

    `read`: the configurations before each character from `base` on. Only brackets with modes of their own tell elements
    of the same list apart.
    """
    stack = read[offset - base].lexer.stack
    before = len(text[:offset].rstrip())
    depth = right.lexer.modes.depths[stack]
    if depth == 0 or before <= base or text[before - 1] != ",":
        return None
    _, end = right.lexer.scanners[right.lexer.modes.scanner_of[stack]].longest(text, offset)
    element = text[offset:end]
    if not _VALUE.match(element):
        return None
    for place in range(before - 1, base, -1):
        at = read[place - base]
        if text[place - 1] in _AFTER and right.expecting.may_end(at):
            ended = at.read(right.lexer, right.stacks, f" {element} ")
            is_beside = ended is not None and ended.lexer.stack == stack
            if is_beside and fits(right, at, f" {element}, {text[place:offset]}"):
                first = _NAMED.match(text[place:offset].lstrip())
                return None if first is None else f"perhaps it belongs before `{first.group()}`"
        if right.lexer.modes.depths[at.lexer.stack] < depth:
            break  # This is the bracket that opens the list; it counts once the next character is read.
    return None
