"""Prompts that already hold a model's fill-in-the-middle tokens: recognised and taken apart.

Many clients render these tokens themselves, by the name of the model that they think they ask. Ours may be another, so
a prompt is taken apart into its window and made anew. Files that a client puts before its own are context, and leave
with the marks.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class MarkedPrompt(NamedTuple):
    """The parts of a prompt."""

    left: str
    right: str
    context: str
    """The text before the marks: other files, names, the start of the text."""


class MarkFamily(NamedTuple):
    """The tokens of one family of models."""

    prefix: str
    suffix: str
    middle: str
    """Empty if the left text ends the prompt."""


FAMILIES = (
    MarkFamily("<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"),  # Qwen, CodeGemma, Granite 3
    MarkFamily("<fim_prefix>", "<fim_suffix>", "<fim_middle>"),  # StarCoder, Granite Code, Mellum
    MarkFamily("<fim-prefix>", "<fim-suffix>", "<fim-middle>"),  # SantaCoder
    MarkFamily("<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>"),  # DeepSeek-Coder
    MarkFamily("<[fim-prefix]>", "<[fim-suffix]>", "<[fim-middle]>"),  # Seed-Coder
    MarkFamily("<|code_prefix|>", "<|code_suffix|>", "<|code_middle|>"),  # GLM
    MarkFamily("<|prefix|>", "<|suffix|>", "<|middle|>"),  # Falcon-H1
    MarkFamily("<PRE>", "<SUF>", "<MID>"),  # Code Llama
    MarkFamily("[PREFIX]", "[SUFFIX]", ""),  # Codestral
)

# Code Llama's tokens come with a blank on one side, which is no part of the text.
_AROUND = {"<PRE>": r"[ ▁]?{} ?", "<SUF>": r"[ ▁]?{}", "<MID>": r"[ ▁]?{}"}
_FILE = re.compile(r"(?:<\|file_sep\|>|<file_sep>|<filename>|\+\+\+\+\+ )[^\n]*\n")
"""The name of a file inside of a part, as StarCoder2 and Codestral put it there."""


def take_apart(prompt: str) -> MarkedPrompt | None:
    """Return the parts of a prompt, or None if it holds no family's marks.

    >>> take_apart("<|fim_prefix|>x = <|fim_suffix|>)<|fim_middle|>")
    MarkedPrompt(left='x = ', right=')', context='')
    >>> take_apart("<fim_suffix>)<fim_prefix>f(<fim_middle>").left
    'f('
    >>> take_apart("<fim_prefix><fim_suffix>)<fim_middle>f(").left
    'f('
    >>> take_apart("x = ")
    """
    for family in FAMILIES:
        found = _parts(prompt, family)
        if found is not None:
            return found
    return None


def _parts(prompt: str, family: MarkFamily) -> MarkedPrompt | None:
    prefix, suffix = _find(prompt, family.prefix), _find(prompt, family.suffix)
    if prefix is None or suffix is None:
        return None
    middle = _find(prompt, family.middle) if family.middle else None
    if family.middle and middle is None:
        return None
    begin, end = prefix.span(), suffix.span()
    context = prompt[: min(begin[0], end[0])]
    last = middle.span() if middle is not None else (len(prompt), len(prompt))
    # What stands behind the last mark goes on with the left text. Models that read the right text first have all of the
    # left text there.
    behind = prompt[last[1] :]
    if begin[0] < end[0]:
        return MarkedPrompt(_own(prompt[begin[1] : end[0]]) + behind, prompt[end[1] : last[0]], context)
    return MarkedPrompt(_own(prompt[begin[1] : last[0]]) + behind, prompt[end[1] : begin[0]], context)


def _find(prompt: str, mark: str) -> re.Match[str] | None:
    return re.search(_AROUND.get(mark, "{}").format(re.escape(mark)), prompt)


def _own(left: str) -> str:
    """Return the left text without the files and the name that stand before it in the same part."""
    names = list(_FILE.finditer(left))
    return left[names[-1].end() :] if names else left
