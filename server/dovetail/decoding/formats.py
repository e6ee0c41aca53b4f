"""Fill-in-the-middle formats: the order of the left and the right text in a prompt, and the special tokens around them.

A format is recognised by its special tokens, never by a model's name. Tokens do not decide all: the models of JetBrains
have StarCoder's and another order, and some models have tokens that they were never trained with. So all the forms that
a model's tokens allow are told here, and `probing.py` finds out which of them the model knows.

Where a model was trained in both orders, the one with the right text in front is preferred: while the user types,
everything before the end of the left text stays as it was, and with it the model's keys and values.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

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


@dataclass(frozen=True, slots=True)
class Words:
    """Plain words in a prompt, with fields as `{path}`; they are left out where a field is not known."""

    text: str


Parts = tuple[str | Side | Words, ...]
"""A prompt in order: special tokens, plain words, and the places of the two texts."""


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


class PromptForm(NamedTuple):
    """A format in one of its orders."""

    format: Format
    order: Order

    @property
    def parts(self) -> Parts:
        """The parts of a prompt."""
        return self.format.parts(self.order)

    @property
    def sees_right(self) -> bool:
        """True if the model is shown the text after the cursor."""
        return Side.RIGHT in self.parts

    @property
    def name(self) -> str:
        """A name, the same in every version; `Qwen2.5-Coder, psm`."""
        return f"{self.format.name}, {self.order.value}"


_LEFT, _RIGHT = Side.LEFT, Side.RIGHT

# Of formats that share their tokens the likelier one comes first. CodeGemma wants the start token that Qwen, whose
# marks it uses, has not. StarCoder's tokens are also those of StarCoder2, Granite Code, Stable Code and the embedded
# model, and all of them were trained in both orders; in its suffix-first order the right text stands where the middle
# is asked for, so that the middle goes on with the left one without a mark. Mellum has the same tokens, and puts each
# text after its own mark.
FORMATS = (
    Format("CodeGemma", psm=("<bos>", "<|fim_prefix|>", _LEFT, "<|fim_suffix|>", _RIGHT, "<|fim_middle|>")),
    Format("Qwen2.5-Coder", psm=("<|fim_prefix|>", _LEFT, "<|fim_suffix|>", _RIGHT, "<|fim_middle|>")),
    Format(
        "StarCoder",
        psm=("<fim_prefix>", _LEFT, "<fim_suffix>", _RIGHT, "<fim_middle>"),
        spm=("<fim_prefix>", "<fim_suffix>", _RIGHT, "<fim_middle>", _LEFT),
        preferred=Order.SPM,
    ),
    Format("Mellum", spm=("<fim_suffix>", _RIGHT, "<fim_prefix>", _LEFT, "<fim_middle>")),
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
    Format(
        "aiXcoder",
        psm=("<s>", "▁<AIX-SPAN-PRE>", _LEFT, "▁<AIX-SPAN-POST>", _RIGHT, "▁<AIX-SPAN-MIDDLE>"),
        spm=(
            "<s>", "▁<AIX-SPAN-PRE>", "▁<AIX-SPAN-POST>", _RIGHT, "▁<AIX-SPAN-MIDDLE>",
            Words("{comment} the file path is: {path}\n"), Words("{comment} the code file is written by {language}\n"),
            _LEFT,
        ),
        preferred=Order.SPM,
    ),
    Format(
        "Seed-Coder",
        spm=("<[begin▁of▁sentence]>", "<[fim-suffix]>", _RIGHT, "<[fim-prefix]>", _LEFT, "<[fim-middle]>"),
    ),
    Format("GLM-4.5", psm=("<|code_prefix|>", _LEFT, "<|code_suffix|>", _RIGHT, "<|code_middle|>")),
    Format(
        "CodeGeeX4",
        spm=(
            "<|user|>", Words("\n"), Words("###PATH:{path}\n"), Words("###LANGUAGE:{language}\n"),
            Words("###MODE:BLOCK\n"), "<|code_suffix|>", _RIGHT, "<|code_prefix|>", _LEFT, "<|code_middle|>",
            "<|assistant|>", Words("\n"),
        ),
    ),
    Format("Falcon-H1-Tiny-Coder", psm=("<|prefix|>", _LEFT, "<|suffix|>", _RIGHT, "<|middle|>")),
    Format("Codestral", spm=("<s>", "[SUFFIX]", _RIGHT, "[PREFIX]", _LEFT)),
)  # fmt: skip

STARTS = ("<s>", "<bos>", "<|begin_of_text|>", "<｜begin▁of▁sentence｜>", "<[begin▁of▁sentence]>")
"""Special tokens that begin a text; a model that has one was trained on texts after it."""

LEFT_ONLY = "left only"
"""The name of the format of a model that is not shown the text after the cursor."""


def formats_for(specials: Mapping[str, int]) -> tuple[Format, ...]:
    """Return the formats that a model's special tokens allow, the likeliest first, the left text alone last."""
    known = [form for form in FORMATS if all(mark in specials for mark in form.marks)]
    start = [start for start in STARTS if start in specials][:1]
    return *known, Format(LEFT_ONLY, psm=(*start, _LEFT))


def format_for(specials: Mapping[str, int]) -> Format:
    """Return the likeliest format by a model's special tokens; without any, left text after its start token."""
    return formats_for(specials)[0]


def forms_for(specials: Mapping[str, int]) -> tuple[PromptForm, ...]:
    """Return every form that a model's special tokens allow, the preferred first, the left text alone last."""
    forms = []
    for known in formats_for(specials):
        other = Order.PSM if known.preferred is Order.SPM else Order.SPM
        orders = [order for order in (known.preferred, other) if (known.spm if order is Order.SPM else known.psm)]
        forms += [PromptForm(known, order) for order in orders]
    return tuple(forms)
