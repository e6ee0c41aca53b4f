"""The form of a loaded model that keeps what it has read of a few sequences of tokens: llama.cpp's, or numpy's."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

MOST_ROWS = 64
"""The most rows of logits that one pass gives: a draft and the token before it, or as many candidates."""


class SequencePart(NamedTuple):
    """The tokens of one sequence that a pass reads."""

    sequence: int
    start: int
    """The place in the sequence from which on the tokens stand."""
    tokens: Sequence[int]
    rows: int
    """After so many of the last tokens logits are wanted."""


class SequenceContext(Protocol):
    """A loaded model with room for a few sequences."""

    sequences: int
    window: int
    """The most tokens of a sequence."""
    can_take_back: bool
    """True if the last tokens of a sequence can be taken out again; otherwise only all of it can."""

    def read(self, sequence: int, start: int, tokens: Sequence[int], rows: int) -> NDArray[np.float32]:
        """Read tokens from a place of a sequence on; return the logits after each of the last `rows`.

        Raises MemoryError, and DeviceFailureError if the device failed; which of the tokens were read is then unknown.
        """

    def read_parts(self, parts: Sequence[SequencePart]) -> list[NDArray[np.float32]]:
        """Read parts of different sequences, in one pass if they have room in it; return the logits of each.

        Raises what `read` raises.
        """

    def copy(self, sequence: int, other: int) -> None:
        """Put a copy of all that a sequence holds in the place of another."""

    def take_back(self, sequence: int, start: int) -> bool:
        """Take a sequence's tokens from a place on out of its memory; return False if that cannot be done."""
