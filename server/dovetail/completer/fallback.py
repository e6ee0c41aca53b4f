"""Fallbacks of a model that failed: less of the document, the processor, or the embedded model in its place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Collection

Trouble = Literal["memory", "device", "numbers", "lost", "hung", "ended"]
"""The kinds of failure: the three of `model/fault.py`; a process that died, that did not answer, that we ended."""

FALLBACKS = ("window", "cpu", "embedded")
"""The fallbacks that a user may allow, in the order in which they are tried."""

_LEAST_WINDOW = 256
"""Tokens of the shortest useful prompt."""

_PATIENCE = 3
"""A fault that may pass is answered by a restart; only the third one of a kind in a row is answered by a fallback."""


@dataclass(frozen=True, slots=True)
class Fallback:
    """What was given up of the settings' model after trouble; nothing without arguments."""

    halvings: int = 0
    """The number of times that the window was halved."""
    device: str | None = None
    """The device in place of the fastest one."""
    embedded: bool = False
    """Whether the embedded model replaces the wanted one."""

    @property
    def clause(self) -> str | None:
        """A clause for users that says what is given up; None where nothing is."""
        if self.embedded:
            return "the embedded model completes in its place"
        if self.device is not None:
            return "it runs on the processor now"
        if self.halvings:
            return f"it reads {'half' if self.halvings == 1 else f'1/{1 << self.halvings}'} of its window now"
        return None


def fallback_after(
    trouble: Trouble, now: Fallback, fallbacks: Collection[str], *, window: int | None, count: int, named: bool
) -> Fallback | None:
    """Return the fallback to restart with after trouble: `now` for the same again, None to give the model up.

    `window` is the model's own, in tokens; None while it loads, when a smaller one would not help. `count` is how
    often this trouble has come lately. `named` says that the model is not the embedded one.

    >>> fallback_after("memory", Fallback(), FALLBACKS, window=2048, count=1, named=True)
    Fallback(halvings=1, device=None, embedded=False)
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
        return Fallback(device="cpu")
    if "embedded" in fallbacks and named and not now.embedded:
        return Fallback(device="cpu", embedded=True)
    return None
