"""The stream of a client: whatever comes, messages in order are found, and what is not one is said once."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.lsp.framing import Framing, Lost

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(), values, max_size=3),
    max_leaves=5,
)
BODIES = st.builds(
    lambda value, indent: (
        json.dumps(value, ensure_ascii=False, indent=indent).replace("\n", "\r\n").encode("utf-8", "surrogatepass")
    ),
    JSON,
    st.none() | st.just(2),
)
"""Messages as a client may write them, also over several lines."""

JUNK = st.binary(min_size=1, max_size=60).filter(
    lambda junk: b"ontent" not in junk.lower() and not junk.endswith(b"\r")
)


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def fed(stream: bytes, cuts: list[int]) -> list[bytes | Lost]:
    """Feed a stream in pieces."""
    framing = Framing()
    places = sorted({0, len(stream), *(cut % (len(stream) + 1) for cut in cuts)})
    return [part for start, end in pairwise(places) for part in framing.feed(stream[start:end])]


def bodies(parts: list[bytes | Lost]) -> list[bytes]:
    return [part for part in parts if not isinstance(part, Lost)]


@given(st.lists(BODIES), st.lists(st.integers(0, 5000), max_size=12))
def test_messages_are_the_same_however_they_arrive(messages: list[bytes], cuts: list[int]) -> None:
    """A stream in order is its messages, wherever it is cut into pieces."""
    assert fed(b"".join(map(framed, messages)), cuts) == messages


@given(st.lists(st.tuples(JUNK, BODIES), min_size=1, max_size=4), st.lists(st.integers(0, 5000), max_size=12))
def test_what_stands_between_messages_costs_none_of_them(parts: list[tuple[bytes, bytes]], cuts: list[int]) -> None:
    """Bytes that belong to no message are passed over, and every message after them is found."""
    stream = b"".join(junk + framed(body) for junk, body in parts)

    assert bodies(fed(stream, cuts)) == [body for _, body in parts]


@given(st.binary(max_size=400), st.lists(st.integers(0, 500), max_size=12))
def test_any_bytes_at_all_are_survived(stream: bytes, cuts: list[int]) -> None:
    """After anything, a message that is in order is found as soon as its header can be."""
    found = fed(stream + b"\r\n\r\n" + framed(b"{}"), cuts)

    assert all(isinstance(part, bytes | Lost) for part in found)


NEXT = framed(b'{"next": 1}')


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (b"Content-Length: 2\r\n\r\n{}", [b"{}"]),
        (b"content-length:2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{}", [b"{}"]),
        (b"Content-Length: 0\r\n\r\n", [b""]),
        (b"Content-Length: 1\r\n\r\n{}", [b"{", Lost]),  # too small
        (b"Content-Length: 30\r\n\r\n{}", [Lost]),  # too large
        (b"Content-Length: -2\r\n\r\n{}", [Lost]),
        (b"Content-Length: two\r\n\r\n{}", [Lost]),
        (b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", [Lost, b"{}"]),
        (b"Content-Length: 99999999999999999999\r\n\r\n{}", [Lost]),
        (b"Content-Length: 9" + b"9" * 5000 + b"\r\n\r\n{}", [Lost]),
        (b"Content-Type: x\r\n\r\n{}", [Lost]),
        (b"\r\n\r\n", [Lost]),
        (b"GET / HTTP/1.1\r\nHost: here\r\n\r\n", [Lost]),
        (b"x" * 100_000, [Lost]),
        (b"\x00\xff" * 50, [Lost]),
    ],
    ids=lambda value: value[:40] if isinstance(value, bytes) else "",
)
def test_a_stream_out_of_order_is_read_on(stream: bytes, expected: list[bytes | type[Lost]]) -> None:
    """Each kind of disorder is said once, and the next message is found, byte by byte or at once."""
    for parts in (Framing().feed(stream + NEXT), fed(stream + NEXT, list(range(len(stream) + len(NEXT))))):
        assert [type(part) if isinstance(part, Lost) else part for part in parts] == [*expected, b'{"next": 1}']


def test_a_stream_without_messages_takes_no_memory() -> None:
    """Of a header that does not end only as much is kept as may be the beginning of one."""
    framing = Framing()
    found = [part for _ in range(1000) for part in framing.feed(b"x" * 10_000)]

    assert len(found) == 1
    assert len(framing._buffer) <= 20_000
