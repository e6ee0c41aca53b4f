"""Kinds of places, by the tokens around the cursor."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.evaluation.replay.tokens import Tokens

KINDS = (
    "start of a line",
    "end of a line",
    "end of a finished line",
    "before closers",
    "middle of a line",
    "inside a word",
    "in a string",
    "in a long string",
    "in a comment",
)

_CLOSERS = re.compile(r"[)\]}'\",:;\s]*")
_WORD = re.compile(r"\w")


def kind_of_place(tokens: Tokens, left: str, right: str, offset: int) -> str:
    """Return the kind of a place; `offset` is its place in the finished file, whose tokens are given."""
    for name, spans in (
        ("in a comment", tokens.comments),
        ("in a long string", tokens.long_strings),
        ("in a string", tokens.strings),
    ):
        if _within(spans, offset):
            return name
    line = right.partition("\n")[0]
    if _WORD.match(left[-1:]) and _WORD.match(line):
        return "inside a word"
    if line.strip():
        return "before closers" if _CLOSERS.fullmatch(line) else "middle of a line"
    if not left[left.rfind("\n") + 1 :].strip():
        return "start of a line"
    index = bisect_left(tokens.ends, offset)
    finished = index < len(tokens.ends) and tokens.ends[index] == offset
    return "end of a finished line" if finished else "end of a line"


def _within(spans: Sequence[tuple[int, int]], offset: int) -> bool:
    """Return whether an offset lies inside one of some spans, which are in order."""
    index = bisect_right(spans, (offset, offset)) - 1
    return index >= 0 and spans[index][0] < offset < spans[index][1]
