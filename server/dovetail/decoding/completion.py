"""What decoding hands on: a text that fits, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Stop(Enum):
    """Why a completion ended; the value is a clause for people to read."""

    END = "the model ended it"
    LINE = "a line ended and one line was asked for"
    BUDGET = "its tokens were used up"
    TIME = "its time was used up"
    UNFIT = "no token of the model fitted any more"
    CANCELLED = "it was cancelled"
    TOO_LONG = "even the shortest text that fits has more tokens than allowed"
    NOT_VIABLE = "no text at all fits between the left and the right"


@dataclass(frozen=True, slots=True)
class Seconds:
    """Where the time of a completion went, in seconds."""

    contexts: float
    """Reading the left and the right text."""
    model: float
    """Encoding the prompt and proposing tokens."""
    constraint: float
    """Asking which tokens fit, and what would close the text."""


@dataclass(frozen=True, slots=True)
class Completion:
    """The outcome of one request."""

    text: str | None
    """What to insert: left, this and right are together a program. None where nothing is offered."""
    stop: Stop
    closing: str
    """The end of `text` that the model did not write: the shortest closing of what it had written."""
    tokens: int
    """How many tokens the model contributed, those that were cut off again included."""
    refused: int
    """How many better-ranked tokens were refused because they did not fit or could not be closed in time."""
    seconds: Seconds


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a completion may become and take."""

    max_tokens: int = 64
    """The most tokens that it may have, its closing included."""
    seconds: float | None = None
    """The time after which it is closed where it stands; None for no limit."""
    single_line: bool = False
    """Whether it ends with its first line, if it is a program there."""
