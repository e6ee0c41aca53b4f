"""Where a model that failed goes on: with less of the document, on the processor, or another model in its place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Collection

Trouble = Literal["memory", "device", "numbers", "lost", "hung", "ended"]
"""What happened: the three kinds of `model/fault.py`, a process that is gone, that did not answer, that we ended."""

FALLBACKS = ("window", "cpu", "embedded")
"""What a user may allow, in the order in which it is tried."""

_LEAST_WINDOW = 256
"""Tokens of the shortest prompt that is worth a completion."""

_PATIENCE = 3
"""A fault that may pass is met by a new beginning at first, and by a retreat only when it comes so often in a row."""


@dataclass(frozen=True, slots=True)
class Retreat:
    """How far a model has gone back from what the settings ask for; not at all without arguments."""

    halvings: int = 0
    """How often the window was halved."""
    device: str | None = None
    """The device that was chosen instead of the fastest."""
    embedded: bool = False
    """Whether the embedded model has taken the place of the one that was wanted."""

    @property
    def clause(self) -> str | None:
        """What is different now, for people to read."""
        if self.embedded:
            return "the embedded model completes in its place"
        if self.device is not None:
            return "it runs on the processor now"
        if self.halvings:
            return f"it reads {'half' if self.halvings == 1 else f'1/{1 << self.halvings}'} of its window now"
        return None


def retreat_after(
    trouble: Trouble, now: Retreat, fallbacks: Collection[str], *, window: int | None, count: int, named: bool
) -> Retreat | None:
    """Return where to go on after some trouble, `now` itself for a mere new beginning, or None for giving up.

    `window`: the model's own, in tokens, None while it loads, when a smaller one would not help. `count`: how often
    such a thing has happened lately. `named`: whether the model is another than the embedded one.

    >>> retreat_after("memory", Retreat(), FALLBACKS, window=2048, count=1, named=True)
    Retreat(halvings=1, device=None, embedded=False)
    """
    if trouble != "memory" and count < _PATIENCE:
        return now
    if (
        trouble == "memory"
        and "window" in fallbacks
        and window is not None
        and window >> (now.halvings + 1) >= _LEAST_WINDOW
    ):
        return replace(now, halvings=now.halvings + 1)
    if "cpu" in fallbacks and now.device is None and not now.embedded:
        return Retreat(device="cpu")
    if "embedded" in fallbacks and named and not now.embedded:
        return Retreat(device="cpu", embedded=True)
    return None
