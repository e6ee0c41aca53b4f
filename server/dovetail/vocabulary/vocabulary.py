"""Token ids and the bytes that they stand for, read from a tokenizer's own description."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The tokens of one model."""

    pieces: tuple[bytes | None, ...]
    """Token id → its bytes; None for special tokens and holes."""
    specials: Mapping[str, int]
    """Special token → id, as `<fim_prefix>` → 3."""
    ends: frozenset[int]
    """The special tokens by which the model ends a text."""
