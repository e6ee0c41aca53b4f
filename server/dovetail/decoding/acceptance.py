"""The estimated probability that a text is what the user would write, from the model's own probabilities.

The probability that a beginning is right is the product over its tokens of the probability that the token is right
after a right beginning. A model is often too sure, or not sure enough, and differently among the tokens that fit than
among all. So each of its probabilities is calibrated before: by a line through its log-odds, which is Platt scaling
(Platt 1999); a line through the origin is temperature scaling (Guo et al. 2017).

Not every user takes only whole texts: editors also accept word by word and line by line. So the probability that a text
is accepted lies between that of all of it and that of its first word, by the share of users who take parts (`PARTS`).
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

PARTS = 0.5
"""The share of users who accept a text in parts, where the whole is wrong."""

WORTH = 3
"""Characters at the beginning of a text that are worth a key to accept them; blanks are not counted."""

_SUREST = 1 - 1e-4
"""A probability that no model is believed beyond."""

_LEAST = 1e-6


class Choice(NamedTuple):
    """A token of the text as the model saw it."""

    length: int
    """Bytes of the text with it."""
    score: float
    """Its natural log-probability after the text before it."""
    fitted: float
    """The same among the tokens that may fit: without those that were refused before it."""
    total: float
    """The calibrated log-probability that the text up to here is right."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The calibration of one model; the default believes the model."""

    slope: float = 1.0
    offset: float = 0.0
    """Calibrated log-odds are `slope` times the model's, plus `offset`."""
    prose: float = 0.0
    """A further offset in comments and strings."""
    closed: float = 0.5
    """The probability that a closing, which no model wrote, is right after a right text."""

    def token(self, fitted: float, prose: bool = False) -> float:
        """Return the calibrated log-probability of a token that has the log-probability `fitted` among those that fit.

        >>> round(math.exp(Calibration().token(math.log(0.25))), 3)
        0.25
        """
        probability = min(max(math.exp(min(fitted, 0.0)), _LEAST), _SUREST)
        odds = self.slope * math.log(probability / (1 - probability)) + self.offset
        return -math.log1p(math.exp(-odds - self.prose if prose else -odds))


DEFAULT = Calibration()
"""The calibration of models that were not measured."""


def read_calibration(path: Path) -> Calibration:
    """Return the calibration in a file of JSON; raises KeyError, TypeError or ValueError for another file."""
    found = json.loads(path.read_text(encoding="utf-8"))
    return Calibration(**{name: float(found[name]) for name in Calibration.__slots__})


def probability(choices: Iterable[Choice], length: int) -> float:
    """Return the probability that the first `length` bytes of a text are right.

    A token that lies only partly in these bytes counts like a whole one.

    >>> choices = [Choice(3, -1.0, -1.0, math.log(0.5)), Choice(5, -1.0, -1.0, math.log(0.25))]
    >>> [round(probability(choices, length), 3) for length in (0, 3, 4, 5)]
    [1.0, 0.5, 0.25, 0.25]
    """
    total = begin = 0.0
    for choice in choices:
        if begin >= length:
            break
        total, begin = choice.total, choice.length
    return math.exp(total)


def acceptance(choices: Sequence[Choice], text: bytes, length: int, closed: float = 1.0) -> float:
    """Return the probability that a user accepts the first `length` bytes of a text, or a part that is worth it.

    `closed`: the probability that the closing after them is right, if they have one.
    """
    whole = closed * probability(choices, length)
    first = next((choice.length for choice in choices if len(b"".join(text[: choice.length].split())) >= WORTH), length)
    part = probability(choices, first) if first < length else whole
    return PARTS * part + (1 - PARTS) * whole
