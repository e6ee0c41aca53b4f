"""Fill-in-the-middle formats: the order of the left and the right text in a prompt, and the special tokens around them.

A format is recognised by its special tokens, never by a model's name. Where a model was trained in both orders,
the one with the right text in front is preferred: while the user types, everything before the end of the left
text stays as it was, and with it the model's keys and values.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Side(Enum):
    """The place of a text in a prompt."""

    LEFT = "left"
    RIGHT = "right"


class Order(Enum):
    """The order in which a model reads the texts; names by Bavarian et al. 2022."""

    PSM = "psm"
    """Prefix, suffix, middle."""
    SPM = "spm"
    """Suffix, prefix, middle."""


Parts = tuple[str | Side, ...]
"""A prompt in order: special tokens and the places of the two texts."""


@dataclass(frozen=True, slots=True)
class Format:
    """One way to ask a model for a middle."""

    name: str
    psm: Parts = ()
    spm: Parts = ()
    """Empty if the model was not trained in this order."""
    preferred: Order = Order.PSM
    """The better order for a model that was trained in both."""

    @property
    def marks(self) -> frozenset[str]:
        """The special tokens of the format."""
        return frozenset(part for part in self.psm + self.spm if isinstance(part, str))

    def parts(self, order: Order | None = None) -> Parts:
        """Return the parts of a prompt in an order, or in the other one if the model knows only that."""
        wanted = order or self.preferred
        first, second = (self.spm, self.psm) if wanted is Order.SPM else (self.psm, self.spm)
        return first or second


_LEFT, _RIGHT = Side.LEFT, Side.RIGHT

# Of formats that share their tokens the one that asks for more tokens comes first: CodeGemma wants the start
# token that Qwen, whose marks it uses, has not. StarCoder's tokens are also those of StarCoder2, Granite Code,
# Stable Code and the embedded model, and all of them were trained in both orders. In its suffix-first order the
# right text stands where the middle is asked for, so that the middle goes on with the left one without a mark.
FORMATS = (
    Format("CodeGemma", psm=("<bos>", "<|fim_prefix|>", _LEFT, "<|fim_suffix|>", _RIGHT, "<|fim_middle|>")),
    Format("Qwen2.5-Coder", psm=("<|fim_prefix|>", _LEFT, "<|fim_suffix|>", _RIGHT, "<|fim_middle|>")),
    Format(
        "StarCoder",
        psm=("<fim_prefix>", _LEFT, "<fim_suffix>", _RIGHT, "<fim_middle>"),
        spm=("<fim_prefix>", "<fim_suffix>", _RIGHT, "<fim_middle>", _LEFT),
        preferred=Order.SPM,
    ),
    Format(
        "SantaCoder",
        psm=("<fim-prefix>", _LEFT, "<fim-suffix>", _RIGHT, "<fim-middle>"),
        spm=("<fim-prefix>", "<fim-suffix>", _RIGHT, "<fim-middle>", _LEFT),
        preferred=Order.SPM,
    ),
    Format(
        "DeepSeek-Coder",
        psm=("<｜begin▁of▁sentence｜>", "<｜fim▁begin｜>", _LEFT, "<｜fim▁hole｜>", _RIGHT, "<｜fim▁end｜>"),
    ),
    Format(
        "Code Llama",
        psm=("<s>", "▁<PRE>", _LEFT, "▁<SUF>", _RIGHT, "▁<MID>"),
        spm=("<s>", "▁<PRE>", "▁<SUF>", _RIGHT, "▁<MID>", _LEFT),
        preferred=Order.SPM,
    ),
    Format("Codestral", spm=("<s>", "[SUFFIX]", _RIGHT, "[PREFIX]", _LEFT)),
)

STARTS = ("<s>", "<bos>", "<|begin_of_text|>", "<｜begin▁of▁sentence｜>")
"""Special tokens that begin a text; a model that has one was trained on texts after it."""

_LEFT_ONLY = "left only"


def format_for(specials: Mapping[str, int]) -> Format:
    """Return the format whose special tokens a model has; without any, left text after its start token."""
    for known in FORMATS:
        if all(mark in specials for mark in known.marks):
            return known
    for start in STARTS:
        if start in specials:
            return Format(_LEFT_ONLY, psm=(start, _LEFT))
    return Format(_LEFT_ONLY, psm=(_LEFT,))
