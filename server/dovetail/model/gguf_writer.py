"""Writing a GGUF file: metadata, then the descriptions of the tensors, then their numbers."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from dovetail.model.gguf_file import ALIGNMENT, MAGIC, TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

_VERSION = 3
_COUNT, _INTEGER, _FLOAT, _TRUTH, _STRING, _ARRAY = 4, 5, 6, 7, 8, 9
"""Types of values: 32 bits each, but for truth, strings and lists."""


@dataclass(frozen=True, slots=True)
class PlannedTensor:
    """A tensor that is computed when its turn to be written comes, so that one at a time is in memory."""

    name: str
    shape: tuple[int, ...]
    """As numpy has it: the fastest dimension last."""
    type: int
    """The key of its type in `gguf_file.TYPES`."""
    make: Callable[[], NDArray[Any]]

    @property
    def size(self) -> int:
        """The bytes of its numbers."""
        _, numbers, taken = TYPES[self.type]
        return prod(self.shape) // numbers * taken


def write_gguf(path: Path, metadata: Mapping[str, Any], tensors: Sequence[PlannedTensor]) -> None:
    """Write a file; raises OSError. Values are strings, truths, counts, floats, and lists of strings or integers."""
    with path.open("wb") as file:
        file.write(MAGIC + struct.pack("<IQQ", _VERSION, len(tensors), len(metadata)))
        for key, value in metadata.items():
            file.write(_string(key) + _value(value))
        start = 0
        for tensor in tensors:
            file.write(_string(tensor.name) + struct.pack("<I", len(tensor.shape)))
            file.write(struct.pack(f"<{len(tensor.shape)}Q", *reversed(tensor.shape)))
            file.write(struct.pack("<IQ", tensor.type, start))
            start += _aligned(tensor.size)
        file.write(bytes(_aligned(file.tell()) - file.tell()))
        for tensor in tensors:
            numbers = tensor.make().tobytes()
            assert len(numbers) == tensor.size, tensor.name
            file.write(numbers + bytes(_aligned(len(numbers)) - len(numbers)))


def _aligned(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def _string(text: str) -> bytes:
    encoded = text.encode()
    return struct.pack("<Q", len(encoded)) + encoded


def _value(value: Any) -> bytes:
    """Return a value with its type before it."""
    if isinstance(value, str):
        return struct.pack("<I", _STRING) + _string(value)
    if isinstance(value, bool):
        return struct.pack("<I?", _TRUTH, value)
    if isinstance(value, int):
        return struct.pack("<II", _COUNT, value)
    if isinstance(value, float):
        return struct.pack("<If", _FLOAT, value)
    if value and isinstance(value[0], str):
        return struct.pack("<IIQ", _ARRAY, _STRING, len(value)) + b"".join(map(_string, value))
    return struct.pack(f"<IIQ{len(value)}i", _ARRAY, _INTEGER, len(value), *value)
