"""Candidates of one place that are answered in two parts: the first as soon as it is ready, and then all of them.

Between the two answers the texts wait where they are, with what the model has read of them. Each answer has a caller of
its own, and so a cancellation of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from dovetail.completer.snapshot import Snapshot
    from dovetail.decoding.cancellation import Cancellation
    from dovetail.decoding.completion import Completion
    from dovetail.decoding.request import Request


class PresentCancellation:
    """The cancellation of the caller that waits at present."""

    def __init__(self, present: Cancellation) -> None:
        """Begin with the cancellation of the first caller."""
        self.present = present

    @property
    def cancelled(self) -> bool:
        """True if this caller does not want its answer any more."""
        return self.present.cancelled


class UnfinishedCandidates:
    """The candidates of one place, as far as they are written."""

    def __init__(
        self,
        document: Snapshot,
        offset: int,
        make_request: Callable[[Cancellation], Request],
        write: Callable[[Request], Generator[Completion, None, None]],
    ) -> None:
        """Prepare to write the candidates at an offset; nothing is written yet.

        `make_request` returns the request with a cancellation. `write` yields each candidate as soon as it is ready.
        """
        self._place = document.uri, offset, document.text
        self._cancellation = PresentCancellation(_NOBODY)
        self.request = make_request(self._cancellation)
        self._ready = write(self.request)
        self.found: list[Completion] = []
        """The candidates so far; after an answer at least one."""

    def is_at(self, document: Snapshot, offset: int) -> bool:
        """Return whether these are the candidates of a place in a text."""
        return self._place == (document.uri, offset, document.text)

    def answer(self, cancellation: Cancellation, *, first: bool) -> list[Completion]:
        """Return the candidates that were not returned before: up to the `first`, or up to the last."""
        self._cancellation.present = cancellation
        known = len(self.found)
        while not (first and self.found):
            candidate = next(self._ready, None)
            if candidate is None:
                break
            self.found.append(candidate)
        self._cancellation.present = _NOBODY
        return self.found[known:]

    def close(self) -> None:
        """Let go of what is not written."""
        self._ready.close()


class _Nobody:
    """The cancellation while nobody waits."""

    cancelled = True


_NOBODY = _Nobody()
