"""Whole words: what is offered by hand between the letters of a word.

Nearly any text fits there, and tears the word: between `invoice` and `s` the text ` *` makes a program. A text is kept
if the words at its two ends, with the letters beside them, are words that the document has elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from dovetail.decoding.completion import Stop

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from dovetail.decoding.completion import Completion

_WORD = re.compile(r"\w+")
_FIRST = re.compile(r"\w*")
_LAST = re.compile(r"\w*\Z")


def without_torn_words(left: str, right: str, completions: Iterable[Completion]) -> Generator[Completion, None, None]:
    """Yield the completions that leave the words at the cursor whole; one without a text if all of them tear them.

    `left` and `right`: the text before and after the cursor. Each completion is taken when it is asked for.
    """
    before, after = _LAST.search(left), _FIRST.match(right)
    assert before is not None, "a word may be empty"
    assert after is not None, "a word may be empty"
    if not (before[0] and after[0]):
        yield from completions
        return
    known = {*_WORD.findall(left[: before.start()]), *_WORD.findall(right[after.end() :])}
    torn, is_any = None, False
    for completion in completions:
        words = _WORD.findall(f"{before[0]}{completion.text}{after[0]}")
        if completion.text is None or {words[0], words[-1]} <= known:
            is_any = True
            yield completion
        else:
            torn = completion
    if torn is not None and not is_any:
        yield replace(torn, text=None, stop=Stop.WORD, closing="", acceptance=None)
