"""What is asked of a completion: how long, where it ends, and how its tokens are chosen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Shape(Enum):
    """Where a completion ends at the latest."""

    AUTO = "auto"
    """Where the syntax at the cursor says: with the statement, the block, or the bracket."""
    LINE = "line"
    """With its first line, if it is a program there."""
    BLOCK = "block"
    """With the block around the cursor, or below the line that opens one."""
    FREE = "free"
    """Where the model ends it, however far that is: for experiments, where nobody reads along."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one completion may be."""

    max_tokens: int = 64
    """The most tokens that it may have, its closing included."""
    seconds: float | None = None
    """The time after which it is closed where it stands; None for no limit."""
    shape: Shape = Shape.AUTO
    min_characters: int = 1
    """Fewer characters than this, blanks apart, are not shown; at 0 even blank text is."""
    temperature: float = 0.0
    """0 takes the likeliest token that fits; above it tokens are drawn, the oftener the likelier they are."""
    top_p: float = 0.95
    """Tokens are drawn from the likeliest that have together this probability by the model's own reckoning."""
    seed: int = 0
    """Of the drawing: the same request with the same seed has the same completion."""
    drafting: bool = True
    """Whether tokens that followed the last ones before are guessed to follow them again; it changes no text."""
