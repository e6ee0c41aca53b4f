"""The best place to end a text: where a user is expected to gain most from it.

A text with n characters saves its reader n keys if it is right, and costs reading if it is wrong. Of the texts that end
at one of the places where the whole is a program, the one is best with the greatest expected gain:

    sum over its tokens of  characters * (PARTS * P(right up to this token) + (1 - PARTS) * P(right up to the end))
                            - READING * characters * (1 - P(right up to this token))

A user who accepts parts gains the right beginning of a text, any other only a whole one (`acceptance.py`).
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from dovetail.decoding.acceptance import PARTS, acceptance
from dovetail.decoding.ending import characters
from dovetail.decoding.limits import Shape
from dovetail.decoding.lone_name import ends_with_name
from dovetail.decoding.progress import Mark

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail.decoding.acceptance import Choice
    from dovetail.decoding.progress import Progress

READING = 0.25
"""The cost of reading a wrong character, in keys."""

_HOPELESS = math.log(READING / (1 + READING))
"""With a lower log-probability any further token lowers the gain: even if all that follows is certain, a character
gains at most P, and costs READING * (1 - P)."""

_NO_STEP = re.compile(r";[ \t]*\w*[ \t]*\Z")
"""The end of the head of a `for` that has no step yet, or one word of it."""

_WITHIN_WORD = re.compile(r"\w\w")


def gain(text: bytes, choices: Sequence[Choice], length: int) -> float:
    """Return the expected gain of a text that ends after `length` bytes, in keys."""
    parts = wrong = 0.0
    begin, last, size = 0, 1.0, 0
    for choice in choices:
        if begin >= length:
            break
        end, last = min(choice.length, length), math.exp(choice.total)
        count = _characters(text[begin:end])
        parts, wrong, size, begin = parts + count * last, wrong + count * (1 - last), size + count, end
    return PARTS * parts + (1 - PARTS) * size * last - READING * wrong


def best_stop(progress: Progress, before: int | None = None) -> Mark | None:
    """Return the place to end a text with the greatest expected gain; None if the whole is a program nowhere.

    A word that goes on is not ended, a text is not shorter than the limits want it, and blanks at the end of the text
    are not cut. `before`: at most so many bytes.
    """
    text, choices, least = progress.text, progress.choices, max(1, progress.task.limits.min_characters)
    marks = [*progress.marks, Mark(len(text), progress.state, None)]
    limit = len(text) if before is None else min(before, len(text))
    found: dict[int, Mark] = {mark.length: mark for mark in marks if mark.length <= limit}
    lengths = sorted(found, key=lambda length: (gain(text, choices, length), -length), reverse=True)
    # A name that has to go on ends a text only where nothing else does, and only for one who asks.
    for may_be_name in (False, True) if not progress.task.typing else (False,):
        for length in lengths:
            mark = found[length]
            shown = text[:length].decode(errors="ignore")
            if (
                characters(shown) >= least
                and _may_be_last(progress, mark, shown, may_be_name=may_be_name)
                and not _tears(text, length)
            ):
                only_blanks = limit == len(text) and not text[length:].strip()
                return found[limit] if only_blanks and progress.state.accepting else mark
    return None


def is_hopeless(progress: Progress, longer: bytes) -> bool:
    """Return whether no further token can raise the gain of a text that may end somewhere, or is not shown anyway.

    `longer`: the text with the token that would be next.
    """
    choices = progress.choices
    if not choices or choices[-1].total >= _HOPELESS or progress.task.limits.shape is Shape.FREE:
        return False
    if len(choices) > 1 and choices[-2].total < _HOPELESS:
        # All places before were looked at when the probability fell.
        marks: Iterator[Mark] = iter((Mark(len(progress.text), progress.state, None),))
    else:
        marks = iter((*progress.marks, Mark(len(progress.text), progress.state, None)))
    text, least = progress.text, max(1, progress.task.limits.min_characters)
    for mark in marks:
        shown = text[: mark.length].decode(errors="ignore")
        if characters(shown) >= least and _may_be_last(progress, mark, shown) and not _tears(longer, mark.length):
            return True
    threshold = progress.task.threshold
    return bool(threshold) and acceptance(choices, text, len(text)) < threshold


def _may_be_last(progress: Progress, mark: Mark, shown: str, *, may_be_name: bool = False) -> bool:
    """Return whether a text that may be shown can end at a place."""
    task = progress.task
    if not progress.may_stop(progress.text[: mark.length], mark.state):
        return False
    if not may_be_name and ends_with_name(task, shown):
        return False
    # The head of a `for` without its step, or with a name alone for it, fits too, and is hardly ever meant.
    return _NO_STEP.search(shown) is None or not task.right.lstrip(" \t").startswith(")")


def _characters(piece: bytes) -> int:
    """Return the characters of a piece that are not blank; one that ends inside counts where it begins."""
    return sum(byte & 0xC0 != 0x80 for byte in b"".join(piece.split()))


def _tears(text: bytes, length: int) -> bool:
    """Return whether a text goes on with the word that stands before a place."""
    around = text[max(0, length - 4) : length].decode(errors="ignore")[-1:] + text[length : length + 4].decode(
        errors="ignore"
    )
    return length < len(text) and _WITHIN_WORD.match(around) is not None
