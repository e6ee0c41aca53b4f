"""Limits of a completion: its length, its end, and the choice of its tokens."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Shape(Enum):
    """The construct with which a completion ends at the latest."""

    AUTO = "auto"
    """The statement, the block or the bracket around the cursor, whichever the syntax at the cursor asks for."""
    LINE = "line"
    """Its first line, if it is a program there."""
    BLOCK = "block"
    """The block around the cursor, or the block that the cursor's line opens."""
    FREE = "free"
    """The whole text of the model, however long: for experiments, where nobody reads along."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one completion."""

    max_tokens: int = 64
    """The most tokens of the completion, its closing included."""
    seconds: float | None = None
    """Seconds after which the text is closed as it is; None for no limit."""
    shape: Shape = Shape.AUTO
    min_characters: int = 1
    """A text with fewer characters, blanks not counted, is not shown; with 0 even a blank text is."""
    temperature: float = 0.0
    """0 takes the likeliest token that fits; above 0 tokens are drawn by their probabilities at the temperature."""
    top_p: float = 0.95
    """Tokens are drawn from the fewest likeliest ones whose probabilities sum to this."""
    seed: int = 0
    """The seed of the draws: the same request with the same seed has the same completion."""
    drafting: bool = True
    """True if tokens are drafted by copying (`drafting.py`); it saves time and changes no text."""
    beams: int = 1
    """The beginnings that are followed at once to find the likeliest texts (`beams.py`); 1 is greedy decoding. Above 1
    nothing is drawn, so the temperature has to be 0."""

    def __post_init__(self) -> None:
        """Raise ValueError for limits that contradict each other."""
        if self.beams > 1 and self.temperature > 0:
            raise ValueError("A beam search draws nothing: set the temperature to 0, or beams to 1.")
