"""A trial of a model: how fast this machine reads and writes with it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.decoding.proposer import Proposer

_SECONDS = 10.0
"""The longest trial, without the time in which the model is loaded."""

_PROMPT_SECONDS = 4.0
_PASS = 32
"""Tokens of the prompt that are read at once, so that the clock is looked at in between."""
_TOKENS = 64
"""The most tokens that are written."""


@dataclass(frozen=True, slots=True)
class Speed:
    """The measurements of a trial."""

    prompt: float
    """Tokens a second that are read."""
    text: float
    """Tokens a second that are written."""
    numbers: str
    """The type, device and library that computed."""


def measure(proposer: Proposer, text: str, clock: Callable[[], float] = time.perf_counter) -> Speed:
    """Have a model read a text and write after it, for ten seconds at most, and return how fast it was.

    A pass that has begun is not interrupted.
    """
    prompt = proposer.encode(text)[: proposer.window - _TOKENS - 1]
    generation = proposer.begin(prompt[:1])
    [(best, _)] = generation.ranked(
        1
    )  # touches all numbers once: a file that was just fetched is read from the disk for that
    began = clock()
    read = 1
    while read < len(prompt) and clock() - began < _PROMPT_SECONDS:
        for token in prompt[read : read + _PASS]:
            generation.feed(token)
        [(best, _)] = generation.ranked(1)
        read = min(len(prompt), read + _PASS)
    has_read = clock()
    written = 0
    while written < _TOKENS and clock() - began < _SECONDS:
        generation.feed(best)
        [(best, _)] = generation.ranked(1)
        written += 1
    return Speed(_rate(read - 1, has_read - began), _rate(written, clock() - has_read), proposer.numbers)


def _rate(count: int, seconds: float) -> float:
    """Return how many there were a second; 0 if there was no time for any."""
    return count / seconds if count else 0.0
