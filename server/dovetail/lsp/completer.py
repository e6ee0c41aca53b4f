"""What the server asks of whatever makes completions: `completions.py` in earnest, scripts in tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from dovetail.decoding.cancellation import Cancellation
    from dovetail.lsp.documents import Snapshot


class Completer(Protocol):
    """Makes completions; all methods run on the worker's thread, `load` first."""

    def load(self) -> str | None:
        """Load the model; return the sentence that says why it cannot be loaded, and what to do."""

    def complete(self, document: Snapshot, offset: int, cancellation: Cancellation) -> str | None:
        """Return what fits at an offset in characters, or None; ends soon once `cancellation.cancelled`."""

    def candidates(self, document: Snapshot, offset: int, cancellation: Cancellation) -> list[str]:
        """Return several texts that fit at an offset, the best first, for a user who asked; none where none does."""
