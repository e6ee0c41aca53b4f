"""The rhythm of typing: where the user rests long enough to see a text.

People type in bursts of 5 to 8 keys a second. A text is seen only where the next key comes later than the editor's
pause, the answer, and a glance together take, about 0.3 seconds. So not every key shows a text. The shares below are
assumptions, not measurements: nearly always after a new line, often after a dot or an opener and before a word, seldom
inside a word. They are the same for all that is compared.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

_LINE, _BLANK_LINE, _OPENED, _BEFORE_WORD, _AFTER_WORD, _INSIDE, _ELSE = 0.9, 0.4, 0.5, 0.35, 0.2, 0.04, 0.1
"""The share of places of each kind at which the user rests."""

_WORD = re.compile(r"\w")


def pauses(random: Random, line: str, text: str) -> tuple[int, ...]:
    """Return the places in a text before which the user rests.

    `line`: the line to the left of the text. One number is drawn for each place.
    """
    found = []
    for place, character in enumerate(text):
        if random.random() < _share(line, character):
            found.append(place)
        line = "" if character == "\n" else line + character
    return tuple(found)


def _share(line: str, character: str) -> float:
    if not line.strip():
        return _BLANK_LINE if character == "\n" else _LINE
    before = line[-1]
    if before in ".([{":
        return _OPENED
    if before.isspace():
        return _BEFORE_WORD
    if _WORD.match(before):
        return _INSIDE if _WORD.match(character) else _AFTER_WORD
    return _ELSE
