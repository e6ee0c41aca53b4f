"""Fill-in-the-middle formats: in which order, and between which special tokens, a model wants left and right.

A format is recognised by its special tokens, never by a model's name.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Side(Enum):
    """Where the text of a context goes."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Format:
    """One way to ask a model for a middle."""

    name: str
    parts: tuple[str | Side, ...]
    """The prompt in order: special tokens and the places of the two texts."""

    @property
    def marks(self) -> tuple[str, ...]:
        """The special tokens of the format, in order."""
        return tuple(part for part in self.parts if isinstance(part, str))


# Of formats that share their tokens the one that asks for more tokens comes first: CodeGemma wants the start
# token that Qwen, whose marks it uses, has not. The embedded model speaks StarCoder's format.
FORMATS = (
    Format(
        "CodeGemma",
        ("<bos>", "<|fim_prefix|>", Side.LEFT, "<|fim_suffix|>", Side.RIGHT, "<|fim_middle|>"),
    ),
    Format("Qwen2.5-Coder", ("<|fim_prefix|>", Side.LEFT, "<|fim_suffix|>", Side.RIGHT, "<|fim_middle|>")),
    Format("StarCoder", ("<fim_prefix>", Side.LEFT, "<fim_suffix>", Side.RIGHT, "<fim_middle>")),
    Format("SantaCoder", ("<fim-prefix>", Side.LEFT, "<fim-suffix>", Side.RIGHT, "<fim-middle>")),
    Format(
        "DeepSeek-Coder",
        (
            "<｜begin▁of▁sentence｜>",
            "<｜fim▁begin｜>",
            Side.LEFT,
            "<｜fim▁hole｜>",
            Side.RIGHT,
            "<｜fim▁end｜>",
        ),
    ),
    Format("Code Llama", ("<s>", "▁<PRE>", Side.LEFT, "▁<SUF>", Side.RIGHT, "▁<MID>")),
)

LEFT_ONLY = Format("left only", (Side.LEFT,))
"""What a model without any of the formats gets."""

STARTS = ("<s>", "<bos>", "<|begin_of_text|>", "<｜begin▁of▁sentence｜>")
"""Special tokens that begin a text; a model that has one was trained on texts behind it."""


def format_for(specials: Mapping[str, int]) -> Format:
    """Return the format whose special tokens a model has; without any, left text after its start token."""
    for known in FORMATS:
        if all(mark in specials for mark in known.marks):
            return known
    for start in STARTS:
        if start in specials:
            return Format(LEFT_ONLY.name, (start, Side.LEFT))
    return LEFT_ONLY
