"""Turns: of several threads one runs at a time, and each waits for at most one step of every other."""

from __future__ import annotations

import threading
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.completer.cancel_token import CancelToken


class Turns:
    """Hands the turn from thread to thread, first come first served; a thread without it touches nothing shared."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken = False
        self._gates: deque[threading.Lock] = deque()  # closed locks of the threads that wait, the first to run first

    @property
    def are_free(self) -> bool:
        """True if no thread runs or waits."""
        return not self._taken

    @property
    def waiting(self) -> int:
        """The number of threads that wait."""
        return len(self._gates)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the turn, and hand it on at the end."""
        self._begin()
        try:
            yield
        finally:
            self._end()

    @contextmanager
    def outside(self) -> Iterator[None]:
        """Hand the turn on for work that touches nothing shared, and wait for it again; the caller has the turn."""
        self._end()
        try:
            yield
        finally:
            self._begin()

    def pass_on(self) -> None:
        """Let every thread that waits go first; the caller has the turn, and has it again on return."""
        with self._lock:
            if not self._gates:
                return
            gate = self._queue()
            self._gates.popleft().release()
        gate.acquire()

    def _begin(self) -> None:
        with self._lock:
            if not self._taken:
                self._taken = True
                return
            gate = self._queue()
        gate.acquire()

    def _end(self) -> None:
        with self._lock:
            if self._gates:
                self._gates.popleft().release()  # the turn stays taken
            else:
                self._taken = False

    def _queue(self) -> threading.Lock:
        gate = threading.Lock()
        gate.acquire()
        self._gates.append(gate)
        return gate


class SteppedCancellation:
    """The cancellation of a request that others may interrupt: reading it ends a step and passes the turn on.

    Decoding reads its cancellation before every token, so this is where windows take turns.
    """

    def __init__(self, token: CancelToken, turns: Turns) -> None:
        """Make the cancellation of a token; the thread that reads it has the turn."""
        self._token = token
        self._turns = turns

    @property
    def cancelled(self) -> bool:
        """True if the request is not wanted any more."""
        self._turns.pass_on()
        return self._token.cancelled
