"""Lines of JSON between the server and the model's process: what is asked, and what is answered.

Nothing is pickled, so that neither side can make the other run anything.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

from cattrs import Converter

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")

Message = dict[str, Any]

_CONVERTER = Converter()


def to_line(message: Message) -> bytes:
    """Return a message as a line; half a surrogate pair, which a document may hold, is carried."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def from_line(line: bytes) -> Message:
    """Return the message of a line."""
    message: Message = json.loads(line)
    return message


def to_plain(value: DataclassInstance) -> Message:
    """Return a value of ours as JSON can hold it."""
    return asdict(value)


def from_plain(data: object, kind: type[T]) -> T:
    """Return the value of ours that `to_plain` was given."""
    return _CONVERTER.structure(data, kind)
