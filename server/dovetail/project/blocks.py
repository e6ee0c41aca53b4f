"""A text in blocks of five lines with their words; an edit changes the blocks that it touches, and no others.

Two blocks one after the other are a window of ten lines, and the next window begins in the middle of this one.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

LINES = 5
"""Lines of a block."""

_BLOCK = re.compile(rf"(?:[^\n]*\n){{{LINES}}}|.+", re.DOTALL)
"""Five lines, or at the end of a text what is left."""

_WORD = re.compile(r"[^\W\d]\w{2,}")


class TextBlock(NamedTuple):
    """Up to five whole lines."""

    text: str
    words: frozenset[str]

    @property
    def is_full(self) -> bool:
        """True if it has as many lines as a block may have, each with its end."""
        return self.text.count("\n") == LINES


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text: names and keywords of at least three characters.

    >>> sorted(words_of("def area(x): return x * height_2"))
    ['area', 'def', 'height_2', 'return']
    """
    # The same word in many blocks is one string.
    return frozenset(map(sys.intern, _WORD.findall(text)))


def cut(text: str, before: Sequence[TextBlock] = ()) -> tuple[TextBlock, ...]:
    r"""Return a text in blocks; those of the text before it that still stand at its beginning or end are kept.

    >>> [block.text for block in cut("a\nb\nc\nd\ne\nf")]
    ['a\nb\nc\nd\ne\n', 'f']
    """
    start, end = 0, len(text)
    head: list[TextBlock] = []
    for block in before:
        if not text.startswith(block.text, start):
            break
        head.append(block)
        start += len(block.text)
    # A short block before the change takes lines of it in, so that edits do not leave ever smaller ones.
    while head and not head[-1].is_full and start < end:
        start -= len(head.pop().text)
    tail: list[TextBlock] = []
    for block in reversed(before[len(head) :]):
        if end - len(block.text) < start or not text.endswith(block.text, start, end):
            break
        tail.append(block)
        end -= len(block.text)
    # The kept end begins at a line start.
    while tail and end > start and text[end - 1] != "\n":
        end += len(tail.pop().text)
    while tail and end > start and len(tail) > 1 and not tail[-1].is_full:
        end += len(tail.pop().text)
    changed = [TextBlock(part, words_of(part)) for part in _BLOCK.findall(text[start:end])]
    return (*head, *changed, *reversed(tail))
