"""Places to cut a program of any language, and ways to write one program."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.comparison.mutation import WORDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

Cut = tuple[int, int]
"""The offsets at which a middle begins and ends, in characters."""

_LINE = re.compile(r"\n|\Z")


def span(random: Random, text: str) -> Cut:
    """Return a random span: it begins in the first nine tenths, and is a fifth of the text or 100 characters."""
    begin = random.randint(0, len(text) * 9 // 10)
    return begin, min(len(text), begin + random.randint(0, min(100, len(text) // 5)))


def at_end(random: Random, text: str) -> Cut:
    """Return a cut at the beginning or at the end of a text."""
    length = random.choice([0, 1, 5, 30])
    return (0, min(length, len(text))) if random.random() < 0.5 else (max(0, len(text) - length), len(text))


def _words(random: Random, text: str) -> Cut:
    ends = [0, *(match.end() for match in WORDS.finditer(text))]
    first = random.randrange(len(ends))
    return ends[first], ends[min(len(ends) - 1, first + random.randint(1, 25))]


def _lines(random: Random, text: str) -> Cut:
    begins = [0, *(match.end() for match in _LINE.finditer(text))]
    first = random.randrange(len(begins))
    return begins[first], begins[min(len(begins) - 1, first + random.randint(1, 4))]


def _nothing(random: Random, text: str) -> Cut:
    place = random.randint(0, len(text))
    return place, place


CUTS: dict[str, Callable[[Random, str], Cut]] = {
    "random span": span,
    "word to word": _words,
    "line to line": _lines,
    "nothing": _nothing,
    "at an end": at_end,
}
"""Name → cut."""


def styled(random: Random, text: str) -> str:
    """Return a program written otherwise: a third without its last line end, a tenth with those of Windows."""
    chance = random.random()
    if chance < 1 / 3:
        return text.rstrip("\r\n")
    return text.replace("\r\n", "\n").replace("\n", "\r\n") if chance < 1 / 3 + 0.1 else text
