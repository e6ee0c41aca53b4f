"""Keys: who may ask, and how often. The host knows only digests of keys."""

from __future__ import annotations

import hashlib
import hmac
import math
import secrets
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


@dataclass(frozen=True, slots=True)
class KeyHolder:
    """One who has a key."""

    name: str
    sha256: str
    """The digest of the key, in hexadecimal digits."""
    most_at_once: int = 8
    """Requests that may wait or be written at a time."""
    per_minute: int = 600
    """Requests in a minute; that many may also come at once."""


class KeyUnknownError(Exception):
    """A request without a key that the host knows."""


class KeyUsedUpError(Exception):
    """A request beyond the limits of its key; the message is a sentence for the user."""

    def __init__(self, message: str, seconds: int) -> None:
        """`seconds`: after them another request may be taken."""
        super().__init__(message)
        self.seconds = seconds


class _Use:
    """The use of one key."""

    def __init__(self, left: float, now: float) -> None:
        self.running = 0
        self.left = left  # requests that it has left; it grows with the time
        self.counted = now


class KeyRing:
    """The keys of a host; it belongs to one thread."""

    def __init__(self, holders: Iterable[KeyHolder] = (), clock: Callable[[], float] = time.monotonic) -> None:
        """Take keys; without one, everybody may ask. `clock` returns seconds, which never go back."""
        self._holders = list(holders)
        self._digests = [bytes.fromhex(holder.sha256) for holder in self._holders]
        self._clock = clock
        self._uses = {holder.name: _Use(holder.per_minute, clock()) for holder in self._holders}

    def holder(self, given: bytes) -> KeyHolder | None:
        """Return whose key was given, None if no keys are needed; raises KeyUnknownError."""
        if not self._holders:
            return None
        digest = hashlib.sha256(given).digest()
        # Every key is compared, each in constant time: how long it takes tells nothing.
        matches = [hmac.compare_digest(digest, known) for known in self._digests]
        for holder, match in zip(self._holders, matches, strict=True):
            if match:
                return holder
        raise KeyUnknownError("The key is missing or wrong; send one that the host's owner gave you.")

    @contextmanager
    def request(self, holder: KeyHolder | None) -> Iterator[None]:
        """Count a request of a key while it lasts; raises KeyUsedUpError for one beyond the limits."""
        if holder is None:
            yield
            return
        use = self._uses[holder.name]
        if use.running >= holder.most_at_once:
            raise KeyUsedUpError(
                f"Your key has {use.running} requests at once, its limit; wait for their answers.", seconds=1
            )
        self._refill(holder, use)
        if use.left < 1:
            seconds = math.ceil((1 - use.left) * 60 / holder.per_minute)
            raise KeyUsedUpError(
                f"Your key has used its {holder.per_minute} requests a minute; come again in {seconds} s.", seconds
            )
        use.left -= 1
        use.running += 1
        try:
            yield
        finally:
            use.running -= 1

    def _refill(self, holder: KeyHolder, use: _Use) -> None:
        now = self._clock()
        use.left = min(holder.per_minute, use.left + (now - use.counted) * holder.per_minute / 60)
        use.counted = now


def new_key() -> tuple[str, str]:
    """Return a new key and its digest. It has 256 random bits, so a plain digest gives nothing away."""
    key = f"dovetail-{secrets.token_urlsafe(32)}"
    return key, hashlib.sha256(key.encode()).hexdigest()
