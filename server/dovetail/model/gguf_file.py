"""The description that a GGUF file begins with: metadata, and the names, shapes and places of its tensors.

GGUF is llama.cpp's format of a model in one file. The numbers of the tensors stay on disk. What a damaged or foreign
file holds is refused here, since llama.cpp ends the whole process at some of it.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MAGIC = b"GGUF"
_VERSIONS = (2, 3)

ALIGNMENT = 32
"""Bytes; tensors begin at multiples of it, where the metadata name no other number."""

_MOST_DIMENSIONS = 4

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
"""Type of a value → its letter for `struct`."""
_STRING, _ARRAY = 8, 9

TYPES = {
    0: ("F32", 1, 4),
    1: ("F16", 1, 2),
    2: ("Q4_0", 32, 18),
    3: ("Q4_1", 32, 20),
    6: ("Q5_0", 32, 22),
    7: ("Q5_1", 32, 24),
    8: ("Q8_0", 32, 34),
    10: ("Q2_K", 256, 84),
    11: ("Q3_K", 256, 110),
    12: ("Q4_K", 256, 144),
    13: ("Q5_K", 256, 176),
    14: ("Q6_K", 256, 210),
    30: ("BF16", 1, 2),
}
"""Type of a tensor's numbers → its name, the numbers of a block, and the bytes of a block."""


class GgufError(ValueError):
    """A file is no GGUF, or damaged; the message is a clause that says what is wrong."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """One tensor of a file."""

    name: str
    shape: tuple[int, ...]
    """As numpy has it: the fastest dimension last."""
    type: int
    start: int
    """The byte of the file at which its numbers begin."""
    size: int | None
    """Bytes; None for a type that is not in `TYPES`."""


@dataclass(frozen=True, slots=True)
class GgufFile:
    """The description of one file."""

    metadata: Mapping[str, Any]
    """Key → a number, a string, or a list of them."""
    tensors: Mapping[str, Tensor]

    @property
    def architecture(self) -> str:
        """The kind of model, as `llama`."""
        return str(self.metadata.get("general.architecture", ""))

    def of_architecture(self, key: str, default: Any = None) -> Any:
        """Return a value of the kind of model, as `context_length`."""
        return self.metadata.get(f"{self.architecture}.{key}", default)


def read_gguf(path: Path) -> GgufFile:
    """Read the description of a file; raises GgufError, and OSError if the file cannot be read."""
    with path.open("rb") as file:
        if file.read(4) != MAGIC:
            raise GgufError("it does not begin as GGUF files do")
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
            try:
                return _GgufReader(view).read()
            except (struct.error, IndexError, UnicodeDecodeError) as error:
                raise GgufError("its description is damaged") from error


class _GgufReader:
    """Reads values one after the other."""

    def __init__(self, view: mmap.mmap) -> None:
        self._view = view
        self._at = len(MAGIC)

    def read(self) -> GgufFile:
        version = self._scalar("I")
        if version not in _VERSIONS:
            raise GgufError(f"version {version} of the format is not known here")
        tensors, values = self._scalar("Q"), self._scalar("Q")
        self._expect(tensors)
        self._expect(values)
        metadata = {}
        for _ in range(values):
            key = self._string()
            metadata[key] = self._value(self._scalar("I"))
        described = [self._tensor() for _ in range(tensors)]
        alignment = metadata.get("general.alignment", ALIGNMENT)
        if not isinstance(alignment, int) or alignment <= 0:
            raise GgufError("its description is damaged")
        start = -(-self._at // alignment) * alignment
        found = {}
        for tensor in described:
            placed = Tensor(tensor.name, tensor.shape, tensor.type, start + tensor.start, tensor.size)
            if placed.start + (placed.size or 0) > len(self._view):
                raise GgufError(f"it is cut off: the numbers of {tensor.name} are not all there")
            found[tensor.name] = placed
        return GgufFile(metadata, found)

    def _tensor(self) -> Tensor:
        name = self._string()
        dimensions = self._scalar("I")
        if dimensions > _MOST_DIMENSIONS:
            raise GgufError("its description is damaged")
        shape = tuple(self._scalar("Q") for _ in range(dimensions))[::-1]
        kind = self._scalar("I")
        count = 1
        for length in shape:
            count *= length
        size = None
        if kind in TYPES:
            _, numbers, taken = TYPES[kind]
            if (shape[-1] if shape else 1) % numbers:
                raise GgufError(f"the rows of {name} are not made of whole blocks")
            size = count // numbers * taken
        return Tensor(name, shape, kind, self._scalar("Q"), size)

    def _value(self, kind: int) -> Any:
        if kind in _SCALARS:
            return self._scalar(_SCALARS[kind])
        if kind == _STRING:
            return self._string()
        if kind == _ARRAY:
            inner, count = self._scalar("I"), self._scalar("Q")
            self._expect(count)
            if inner in _SCALARS:
                letters = f"<{count}{_SCALARS[inner]}"
                values = struct.unpack_from(letters, self._view, self._at)
                self._at += struct.calcsize(letters)
                return list(values)
            if inner == _STRING:
                return [self._string() for _ in range(count)]
        raise GgufError("its description is damaged")

    def _scalar(self, letter: str) -> Any:
        (value,) = struct.unpack_from("<" + letter, self._view, self._at)
        self._at += struct.calcsize("<" + letter)
        return value

    def _string(self) -> str:
        (length,) = struct.unpack_from("<Q", self._view, self._at)
        self._expect(length)
        start = self._at + 8
        self._at = start + length
        return self._view[start : self._at].decode()

    def _expect(self, count: int) -> None:
        """Refuse a count of things that the rest of the file cannot hold, before room is made for them."""
        if count > len(self._view) - self._at:
            raise GgufError("its description is damaged")
