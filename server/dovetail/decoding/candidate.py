"""A candidate for the next token of a text, as the rules of decoding see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from dovetail.decoding.constraint import ConstraintState
    from dovetail.decoding.ended_line import EndedLine


class Candidate(NamedTuple):
    """A token that may be appended to a text."""

    token: int
    piece: bytes | None
    """The bytes that it adds to the text; None or empty for a token that stands for no text."""
    state: ConstraintState | None
    """The state after it; None if no program continues like this."""
    text: bytes
    """The text with it; the text before it for a token that stands for no text."""
    line: EndedLine | None
    """The line that it ends; None if it ends none."""
    rank: int = 0
    """Its place among the proposals for this step, from 0."""
    search: bool = True
    """True if it is worth a search for the shortest closing, if no closing is at hand."""
    path: tuple[int, ...] = ()
    """Tokens to feed before it, which spell held text."""
    score: float = 0.0
    """The natural log-probability that the model gives it after the text, what is held included."""
