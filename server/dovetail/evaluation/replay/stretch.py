"""A stretch of a cursor path: one piece of a file that is typed without moving the cursor elsewhere."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any


class StretchKind(Enum):
    """The kind of work that the user does in a stretch."""

    APPEND = "append"
    """Writes on at the end of a file."""
    BODY = "body"
    """Fills the body of a function whose surroundings exist."""
    EDIT = "edit"
    """Writes a part of a line anew."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """The text that is typed, and how; offsets in `pauses` and `pairs` count from `begin`."""

    kind: StretchKind
    begin: int
    end: int
    """The start and end of the typed text in the file, in characters."""
    unit: str
    """One level of the file's indentation."""
    pairs: tuple[tuple[int, int], ...]
    """Places of an opener and its closer that an editor with automatic closing inserts together."""
    pauses: tuple[int, ...]
    """Places before which the user rests long enough to see a text."""

    def to_json(self) -> dict[str, Any]:
        """Return plain values that `from_json` makes the same stretch of."""
        return {**asdict(self), "kind": self.kind.value}

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> Stretch:
        """Return the stretch; raises KeyError, TypeError or ValueError for other values."""
        return cls(
            StretchKind(plain["kind"]),
            plain["begin"],
            plain["end"],
            plain["unit"],
            tuple((opener, closer) for opener, closer in plain["pairs"]),
            tuple(plain["pauses"]),
        )
