r"""The framing of messages in a stream of bytes, with recovery from a stream that is out of order.

A message is a header, an empty line and a body. Only the header field `Content-Length` counts. JSON holds no line end
inside a string, so a line that looks like this field is one, wherever it stands. After an error, reading continues from
the next such line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FIELD = re.compile(rb"content-length[ \t]{0,8}:[ \t]{0,8}(\d{1,20})[ \t]{0,8}\r\n", re.IGNORECASE)
_HEADER = re.compile(rb"(?:[!-9;-~]+:[^\r\n]*\r\n)+")
_EMPTY_LINE = b"\r\n\r\n"

_LONGEST_FIELD = 80
"""Bytes of the longest field that `_FIELD` matches, rounded up."""

_LONGEST_HEADER = 8192
_LONGEST_BODY = 1 << 28
"""Bytes: a quarter of a gigabyte, far more than any document has."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A part of the stream that is not a message."""

    reason: str
    """A clause for people."""


class Framing:
    """Cuts one stream into messages, however its bytes arrive."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length: int | None = None  # of the body that comes next, once its header is read
        self._searched = 0  # bytes of the buffer that hold no end of a header, or no beginning of one
        self._lost = False  # whether a loss was reported since the last header that was in order

    def feed(self, chunk: bytes) -> list[bytes | Lost]:
        r"""Take more bytes and return the bodies that are complete now, and one `Lost` for each loss of order.

        >>> Framing().feed(b"Content-Length: 2\r\n\r\n{}Content-Le")
        [b'{}']
        """
        self._buffer += chunk
        found: list[bytes | Lost] = []
        while (part := self._header() if self._length is None else self._body(self._length)) is not None:
            if not isinstance(part, Lost):
                found += part
            elif not self._lost:
                self._lost = True
                found.append(part)
        return found

    def _header(self) -> list[bytes] | Lost | None:
        """Read a header; return an empty list, or a loss if it is wrong, or None if more bytes are needed."""
        buffer = self._buffer
        end = buffer.find(_EMPTY_LINE, self._searched)
        if end < 0:
            if len(buffer) > _LONGEST_HEADER:
                self._drop(len(buffer) - _LONGEST_FIELD)
                return Lost("a header does not end")
            self._searched = max(0, len(buffer) - len(_EMPTY_LINE))
            return None
        header = bytes(buffer[: end + 2])
        self._drop(end + len(_EMPTY_LINE))
        fields = list(_FIELD.finditer(header))
        if not fields:
            return Lost("a header has no Content-Length")
        # The last field is nearest to the body. The bytes before it may be the rest of another message.
        field = fields[-1]
        length = int(field[1])
        if length > _LONGEST_BODY:
            return Lost("a Content-Length is too large")
        self._length = length
        begins = field.start() == 0 or header[field.start() - 1] == ord("\n")
        if len(fields) == 1 and begins and _HEADER.fullmatch(header):
            self._lost = False
            return []
        return Lost("the bytes before a header are not a message")

    def _body(self, length: int) -> list[bytes] | Lost | None:
        """Read a body; return it, or a loss if another message begins inside it, or None if more bytes are needed."""
        buffer = self._buffer
        within = min(length, len(buffer))
        # A search for two bytes is a hundred times quicker than one for a field, and enough for most bodies.
        if buffer.find(b"\r\n", self._searched, within) >= 0:
            field = _FIELD.search(buffer, max(0, self._searched - _LONGEST_FIELD), within)
            if field is not None:
                self._drop(field.start())
                self._length = None
                return Lost("a Content-Length is too large for its body")
        if len(buffer) < length:
            self._searched = max(0, len(buffer) - 1)
            return None
        body = bytes(buffer[:length])
        self._drop(length)
        self._length = None
        self._lost = False
        return [body]

    def _drop(self, count: int) -> None:
        del self._buffer[:count]
        self._searched = 0
