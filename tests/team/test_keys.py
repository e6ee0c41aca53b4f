"""Keys: who may ask, and how often."""

from __future__ import annotations

import hashlib
from contextlib import ExitStack

import pytest

from dovetail.team.keys import KeyHolder, KeyRing, KeyUnknownError, KeyUsedUpError, new_key


class Clock:
    """A clock that a test sets."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def holder(name: str, **limits: int) -> KeyHolder:
    """Return the holder of the key that is also its name."""
    return KeyHolder(name, hashlib.sha256(name.encode()).hexdigest(), **limits)


def test_a_key_is_known_by_its_digest() -> None:
    """A new key is its holder's; another text, also the digest itself, is nobody's."""
    key, digest = new_key()
    ring = KeyRing([holder("other"), KeyHolder("alice", digest)])

    found = ring.holder(key.encode())
    assert found is not None
    assert found.name == "alice"
    for wrong in (b"", digest.encode(), key.encode()[:-1], key.encode() + b" ", "ü".encode("latin-1")):
        with pytest.raises(KeyUnknownError):
            ring.holder(wrong)


def test_without_keys_everybody_may_ask() -> None:
    """A host without keys asks for none and limits none."""
    ring = KeyRing()

    assert ring.holder(b"anything") is None
    with ring.request(None), ring.request(None):
        pass


def test_requests_at_once() -> None:
    """A key has a number of requests at once; one that ends, also by an exception, makes room."""
    ring = KeyRing([holder("a", most_at_once=2), holder("b")])
    alice = ring.holder(b"a")
    with ExitStack() as stack:
        stack.enter_context(ring.request(alice))
        stack.enter_context(ring.request(alice))
        with pytest.raises(KeyUsedUpError, match="2 requests at once"), ring.request(alice):
            pass
        with ring.request(ring.holder(b"b")):
            pass
    with pytest.raises(ZeroDivisionError), ring.request(alice):
        raise ZeroDivisionError
    with ring.request(alice), ring.request(alice):
        pass


def test_requests_in_a_minute() -> None:
    """A key that has used its requests gets others with the time, never more than its minute, and no error counts."""
    clock = Clock()
    ring = KeyRing([holder("a", per_minute=6)], clock)
    alice = ring.holder(b"a")

    def ask(times: int) -> None:
        for _ in range(times):
            with ring.request(alice):
                pass

    ask(6)
    with pytest.raises(KeyUsedUpError, match=r"6 requests a minute; come again in 10 s\.") as refused:
        ask(1)
    assert refused.value.seconds == 10
    clock.now += 9.5
    with pytest.raises(KeyUsedUpError, match="in 1 s"):
        ask(1)
    clock.now += 0.5
    ask(1)
    clock.now += 10_000
    ask(6)
    with pytest.raises(KeyUsedUpError):
        ask(1)
