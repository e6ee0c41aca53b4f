"""WrittenTexts: the answer of a model and its engine to one request."""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.decoding.completion import Seconds

_NO_TIME = Seconds(0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class WrittenTexts:
    """The texts for one request; none where nothing fits."""

    texts: tuple[str, ...] = ()
    limited: bool = False
    """True if the number of tokens, or the time, ended a text."""
    tokens: int = 0
    """Tokens that the model contributed."""
    seconds: Seconds = _NO_TIME
    """The time, by part."""
