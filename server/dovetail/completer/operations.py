"""What the server asks of whatever makes completions: `completions.py` in earnest, scripts in tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.completer.answer import Answer
    from dovetail.completer.cancel_token import CancelToken
    from dovetail.completer.explainer import Explanation
    from dovetail.completer.snapshot import Snapshot
    from dovetail.settings import Settings


class Completer(Protocol):
    """Makes completions; all methods run on one thread, `load` first, but for `explain`, which runs on another.

    The documents that it gets have no obstacle (`obstacle.py`).
    """

    model: str | None
    """The name of the model that answers; None while there is none."""
    notice: str | None
    """The sentence that says what went wrong with it, while that matters."""
    lost: Callable[[], None]
    """Called, on any thread, when the model has to be loaded again."""

    def load(self, settings: Settings, cancellation: CancelToken, *, anew: bool = False) -> str | None:
        """Take settings and load their model, unless it is there and not wanted `anew`; given up when cancelled.

        Returns the sentence that says why it cannot be loaded, and what to do; what was there before goes on then.
        """

    def prepare(self, document: Snapshot) -> None:
        """Read, or build and keep for ever, what the language of a document needs."""

    def recall(self, document: Snapshot, offset: int) -> Answer:
        """Return what is left of a completion that was typed into, without asking the model."""

    def complete(
        self, document: Snapshot, offset: int, cancellation: CancelToken, *, seconds: float | None = None
    ) -> Answer:
        """Return what fits at an offset in characters; ends soon once `cancellation.cancelled`.

        `seconds` is a time limit in the place of that of the settings.
        """

    def candidates(self, document: Snapshot, offset: int, cancellation: CancelToken) -> Answer:
        """Return several texts that fit at an offset, the best first, for a user who asked."""

    def read_on(self, document: Snapshot, offset: int) -> bool:
        """Read some more of a long document, of which answers at an offset leave something unread; True if all is."""

    def forget(self, uri: str) -> None:
        """Let go of all that is kept of a document, which was closed."""

    def explain(self, document: Snapshot, offset: int) -> Explanation:
        """Return what may come at an offset, whether or not there is a model; may run beside all others."""

    def abandon(self) -> None:
        """Give up whatever runs, at once, on any thread; what waits for it ends with nothing."""
