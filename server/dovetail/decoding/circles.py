"""Circles: words that go round, in prose and within a line of code.

Prose repeats itself in other ways than code: sentences of the same words, in lines that differ. So runs of plain words
are compared as n-grams, and a line of code only with itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class Measure(NamedTuple):
    """The count, and the distance, from which so many equal words in a row are a circle."""

    words: int
    times: int
    distance: int
    """Words from the beginning of the first to that of the last."""


_FAR = 1 << 30

_WITHIN = (Measure(3, 2, 4), Measure(3, 3, _FAR), Measure(5, 2, _FAR))
"""Measures within a sentence."""
_ACROSS = (Measure(6, 2, _FAR),)
"""Measures for the whole text: rows of a table, and lines of a list, have a few words in common."""

_WORD = re.compile(r"[^\W\d_]+")
_RUN = r"[^\W\d_]+(?:(?:[,.]?[ \t]+|-|[,.]?[ \t]*(?:\r\n|\r|\n)[ \t]*{comment}[ \t]*)[^\W\d_]+)+"
"""Words that only blanks, commas and full stops keep apart; lines of one comment are one run."""

_TWICE = re.compile(r"(?<!\w)(?=([^\r\n]{16,80}?)\1)")
_LETTERS = re.compile(r"[^\W\d_]{2}")

_Occurrence = tuple[str, int, int]
"""A word, its offset and its end."""

_BREAK: _Occurrence = ("", 0, 0)
"""The end of a sentence; no gram goes over it."""


def runs_of_words(comment: str | None) -> re.Pattern[str]:
    """Return the pattern of a run of plain words; `comment`: the sign that begins a comment, if there is one."""
    return re.compile(_RUN.format(comment=f"(?:{re.escape(comment)})*" if comment else ""))


def find_circle(text: str, start: int, runs: re.Pattern[str]) -> int | None:
    """Return where the first repetition begins that ends after `start`, or None; `runs`: see `runs_of_words`.

    >>> text = "the end of the end of the list"
    >>> text[: find_circle(text, 0, runs_of_words("#"))]
    'the end of '
    """
    found = [
        match.start() + len(match[1])
        for match in _TWICE.finditer(text)
        if match.start() + 2 * len(match[1]) > start and _LETTERS.search(match[1])
    ]
    words: list[_Occurrence] = []
    for run in runs.finditer(text):
        sentence = [
            (word[0].lower(), word.start(), word.end()) for word in _WORD.finditer(text, run.start(), run.end())
        ]
        if run.end() > start:
            found += _circles(sentence, _WITHIN, start)
        words += (*sentence, _BREAK)
    return min([*found, *_circles(words, _ACROSS, start)], default=None)


def _circles(sentence: Sequence[_Occurrence], measures: Sequence[Measure], start: int) -> list[int]:
    """Return where words come again that end after `start`."""
    found = []
    for count, times, distance in measures:
        places: dict[tuple[str, ...], list[int]] = {}
        for at in range(len(sentence) - count + 1):
            gram = tuple(word for word, _, _ in sentence[at : at + count])
            before = places.setdefault(gram, [])
            before.append(at)
            if (
                len(before) >= times
                and at - before[-times] <= distance
                and sentence[at + count - 1][2] > start
                and len(set(gram)) > 1
                and not gram.count(_BREAK[0])
            ):
                found.append(sentence[at][1])
    return found
