"""Lines of JSON between the server and the model's process.

Nothing is pickled, so that neither side can make the other run code.
"""

from __future__ import annotations

import json
from dataclasses import asdict, is_dataclass
from typing import Any, TypeVar

from cattrs import Converter

T = TypeVar("T")

Message = dict[str, Any]

_CONVERTER = Converter()


def to_line(message: Message) -> bytes:
    """Return a message as a line; a lone surrogate, which a document may hold, survives."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def from_line(line: bytes) -> Message:
    """Return the message of a line."""
    message: Message = json.loads(line)
    return message


def to_plain(value: object) -> Any:
    """Return a value of an operation in a form that JSON can hold."""
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def from_plain(data: object, kind: type[T]) -> T:
    """Return the value of type `kind` that `to_plain` turned into `data`."""
    return _CONVERTER.structure(data, kind)
