"""The work of a typist: keys with the pauses before them, in two documents in turn."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LINES = 6
"""Lines of a passage that is written again."""

_SLIP = 0.03
"""The share of characters that are first typed wrongly, and taken back."""

_FOLLOW = 0.08
"""The share of words after which the typist waits for the ghost text and takes of it what there is."""

_INDENTED = re.compile(r"    +\S")


@dataclass(frozen=True, slots=True)
class Stroke:
    """One thing that the typist does."""

    pause: float
    """Seconds since the one before."""
    kind: Literal["begin", "type", "erase", "follow"]
    """`begin` removes a passage and puts the cursor there; `follow` takes the ghost text, if there is any, in part by
    typing it and in part with the key, and then takes all of that back."""
    file: int
    """The file that it happens in."""
    text: str = ""
    """The text that is typed, or the passage that is removed."""


def strokes(texts: Sequence[str], seed: int = 1) -> Iterator[Stroke]:
    """Yield what a typist does who writes passages of some files again, for ever; the seed decides all of it.

    Two files are open at a time and are written in turn, line by line; then it is another two.
    """
    chance = Random(seed)
    first = 0
    while True:
        pair = first, (first + 1) % len(texts)
        passages = [_passage(texts[file], chance) for file in pair]
        for file, passage in zip(pair, passages, strict=True):
            yield Stroke(chance.uniform(0.5, 1.5), "begin", file, passage)
        lines = [passage.splitlines(keepends=True) for passage in passages]
        for number in range(max(map(len, lines))):
            for file, written in zip(pair, lines, strict=True):
                if number < len(written):
                    yield from _line(written[number], file, chance)
        first = (first + 1) % len(texts)


def _passage(text: str, chance: Random) -> str:
    """Return some whole lines of a text, without the last line end; the first is indented and stands there once."""
    lines = text.splitlines(keepends=True)
    starts = [number for number, line in enumerate(lines[:-_LINES]) if _INDENTED.match(line) and text.count(line) == 1]
    start = chance.choice(starts)
    return "".join(lines[start : start + _LINES]).removesuffix("\n")


def _line(line: str, file: int, chance: Random) -> Iterator[Stroke]:
    content = line.strip(" \n")
    indentation = line[: len(line) - len(line.lstrip(" "))]
    if indentation:
        # An editor indents by itself.
        yield Stroke(chance.uniform(0.4, 1.6), "type", file, indentation)
    for before, character in zip(f" {content}", content, strict=False):
        if chance.random() < _SLIP:
            yield Stroke(_pause(chance), "type", file, chance.choice("qxz;)"))
            yield Stroke(chance.uniform(0.2, 0.5), "erase", file)
        pause = _pause(chance)
        if before in " (.,=":
            pause += chance.expovariate(1 / 0.12)  # a word is thought of
            if chance.random() < _FOLLOW:
                yield Stroke(chance.uniform(0.8, 1.5), "follow", file)
        yield Stroke(pause, "type", file, character)
    if line.endswith("\n"):
        yield Stroke(_pause(chance), "type", file, "\n")


def _pause(chance: Random) -> float:
    """Return the seconds between two keys of one word: about 90 words a minute, unevenly."""
    return min(max(chance.lognormvariate(-2.1, 0.4), 0.04), 0.6)
