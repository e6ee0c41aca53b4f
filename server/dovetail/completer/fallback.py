"""Fallbacks after a model failed: a smaller window, the processor, or the embedded model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Collection

Trouble = Literal["memory", "device", "numbers", "engine", "lost", "hung", "ended"]
"""The kinds of failure: the four of `model/failure.py`, then a process that died, hung, or was ended by the server."""

CLAUSES: dict[Trouble, str] = {
    "memory": "it ran out of memory",
    "device": "its device failed",
    "numbers": "what it computed are no numbers",
    "engine": "its engine does not work",
}
"""Failures of the model → clauses for users."""

FALLBACKS = ("window", "cpu", "embedded")
"""The fallbacks that a user may allow, in the order in which they are tried."""

_LEAST_WINDOW = 256
"""Tokens of the shortest useful prompt."""

_PATIENCE = 3
"""Failures of one kind in a row before a fallback; a failure before that only restarts the process."""


@dataclass(frozen=True, slots=True)
class Fallback:
    """The reduction of the settings' model after trouble; without arguments, no reduction."""

    halvings: int = 0
    """The number of times that the window was halved."""
    device: str | None = None
    """The device in place of the fastest one."""
    embedded: bool = False
    """True if the embedded model replaces the wanted one."""

    @property
    def clause(self) -> str | None:
        """A clause for users that names the reduction; None if there is no reduction."""
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
    """Return the fallback for the restart after trouble: `now` changes nothing, None gives the model up.

    `window` is the model's own, in tokens; None while it loads, because a smaller window would not help then. `count`
    is the number of recent troubles of this kind. `named` says that the model is not the embedded one.

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
