"""Fill-in-the-middle formats, against what the models' makers published."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer

from dovetail.decoding.formats import FORMATS, STARTS, Order, Side, format_for, forms_for
from dovetail.decoding.prompt import Prompts, form_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.decoding.formats import PromptForm

LEFT, RIGHT = "def f(", "):\n"

STARCODER = ["<fim_prefix>", "<fim_middle>", "<fim_suffix>", "<fim_pad>"]

# Model → its special tokens, beside others that it has, and the two prompts that its makers document.
PUBLISHED: dict[str, tuple[list[str], str | None, str | None]] = {
    "SantaCoder": (
        ["<|endoftext|>", "<fim-prefix>", "<fim-middle>", "<fim-suffix>", "<fim-pad>"],
        "<fim-prefix>def f(<fim-suffix>):\n<fim-middle>",
        "<fim-prefix><fim-suffix>):\n<fim-middle>def f(",
    ),
    "StarCoder": (
        ["<|endoftext|>", *STARCODER, "<filename>", "<gh_stars>", "<reponame>"],
        "<fim_prefix>def f(<fim_suffix>):\n<fim_middle>",
        "<fim_prefix><fim_suffix>):\n<fim_middle>def f(",
    ),
    "StarCoder2": (
        ["<|endoftext|>", *STARCODER, "<repo_name>", "<file_sep>", "<issue_start>"],
        "<fim_prefix>def f(<fim_suffix>):\n<fim_middle>",
        "<fim_prefix><fim_suffix>):\n<fim_middle>def f(",
    ),
    "Granite Code": (
        ["<|endoftext|>", *STARCODER, "<filename>", "<reponame>"],
        "<fim_prefix>def f(<fim_suffix>):\n<fim_middle>",
        "<fim_prefix><fim_suffix>):\n<fim_middle>def f(",
    ),
    "Stable Code": (
        ["<|endoftext|>", *STARCODER, "<|im_start|>", "<|im_end|>"],
        "<fim_prefix>def f(<fim_suffix>):\n<fim_middle>",
        "<fim_prefix><fim_suffix>):\n<fim_middle>def f(",
    ),
    "the embedded model": (
        ["<|endoftext|>", *STARCODER],
        "<fim_prefix>def f(<fim_suffix>):\n<fim_middle>",
        "<fim_prefix><fim_suffix>):\n<fim_middle>def f(",
    ),
    "Code Llama": (
        ["<unk>", "<s>", "</s>", "▁<PRE>", "▁<SUF>", "▁<MID>", "▁<EOT>"],
        "<s>▁<PRE>def f(▁<SUF>):\n▁<MID>",
        "<s>▁<PRE>▁<SUF>):\n▁<MID>def f(",
    ),
    "DeepSeek-Coder": (
        ["<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>"],
        "<｜begin▁of▁sentence｜><｜fim▁begin｜>def f(<｜fim▁hole｜>):\n<｜fim▁end｜>",
        None,
    ),
    "Qwen2.5-Coder": (
        ["<|endoftext|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>", "<|repo_name|>"],
        "<|fim_prefix|>def f(<|fim_suffix|>):\n<|fim_middle|>",
        None,
    ),
    "CodeGemma": (
        ["<pad>", "<eos>", "<bos>", "<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>", "<|file_separator|>"],
        "<bos><|fim_prefix|>def f(<|fim_suffix|>):\n<|fim_middle|>",
        None,
    ),
    "Mellum": (
        ["<|endoftext|>", *STARCODER, "<filename>"],
        None,
        "<fim_suffix>):\n<fim_prefix>def f(<fim_middle>",
    ),
    "Seed-Coder": (
        ["<[begin▁of▁sentence]>", "<[end▁of▁sentence]>", "<[fim-prefix]>", "<[fim-suffix]>", "<[fim-middle]>"],
        None,
        "<[begin▁of▁sentence]><[fim-suffix]>):\n<[fim-prefix]>def f(<[fim-middle]>",
    ),
    "GLM-4.5": (
        ["<|endoftext|>", "<|user|>", "<|assistant|>", "<|code_prefix|>", "<|code_middle|>", "<|code_suffix|>"],
        "<|code_prefix|>def f(<|code_suffix|>):\n<|code_middle|>",
        None,
    ),
    "CodeGeeX4": (
        ["<|endoftext|>", "<|user|>", "<|assistant|>", "<|code_prefix|>", "<|code_middle|>", "<|code_suffix|>"],
        None,
        "<|user|>\n###MODE:BLOCK\n<|code_suffix|>):\n<|code_prefix|>def f(<|code_middle|><|assistant|>\n",
    ),
    "Falcon-H1-Tiny-Coder": (
        ["<|endoftext|>", "<|prefix|>", "<|suffix|>", "<|middle|>"],
        "<|prefix|>def f(<|suffix|>):\n<|middle|>",
        None,
    ),
    "aiXcoder": (
        ["<s>", "</s>", "▁<AIX-SPAN-PRE>", "▁<AIX-SPAN-POST>", "▁<AIX-SPAN-MIDDLE>"],
        "<s>▁<AIX-SPAN-PRE>def f(▁<AIX-SPAN-POST>):\n▁<AIX-SPAN-MIDDLE>",
        "<s>▁<AIX-SPAN-PRE>▁<AIX-SPAN-POST>):\n▁<AIX-SPAN-MIDDLE>def f(",
    ),
    "Codestral": (
        ["<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[PREFIX]", "[MIDDLE]", "[SUFFIX]"],
        None,
        "<s>[SUFFIX]):\n[PREFIX]def f(",
    ),
}


def written(proposer: ScriptedProposer, tokens: Sequence[int]) -> str:
    """Return tokens as text, special ones by their names."""
    names = {token: name for name, token in proposer.vocabulary.specials.items()}
    pieces = proposer.vocabulary.pieces
    return "".join(names[token] if token in names else (pieces[token] or b"").decode() for token in tokens)


ALIKE = {"Mellum": "StarCoder", "CodeGeeX4": "GLM-4.5"}
"""Model → another one with the same tokens, which is likelier; only a probe tells the two apart."""


class FormedProposer(ScriptedProposer):
    """A proposer whose form was found."""

    def __init__(self, specials: Sequence[str], form: PromptForm, window: int = 256) -> None:
        super().__init__(specials=specials, window=window)
        self.form = form


def form_named(specials: Sequence[str], name: str, order: Order) -> PromptForm:
    """Return a form that a model's tokens allow."""
    forms = forms_for({mark: place for place, mark in enumerate(specials)})
    return next(form for form in forms if form.format.name == name and form.order is order)


@pytest.mark.parametrize("model", [model for model in PUBLISHED if model not in ALIKE])
@pytest.mark.parametrize("order", Order)
def test_the_prompt_is_the_published_one(model: str, order: Order) -> None:
    """A model is asked as its makers asked it, in the order that is wanted, or in the only one that it knows."""
    specials, psm, spm = PUBLISHED[model]
    expected = (psm or spm) if order is Order.PSM else (spm or psm)
    proposer = ScriptedProposer(specials=specials)
    if not (psm and spm):
        order = Order.PSM if psm else Order.SPM

    prompt = Prompts(proposer, order).build(LEFT, RIGHT, 16)

    assert written(proposer, prompt.tokens) == expected


@pytest.mark.parametrize("model", ALIKE)
def test_a_form_that_was_found_is_asked_for(model: str) -> None:
    """Of two models with the same tokens each is asked in its own form, once that is known."""
    specials, _, spm = PUBLISHED[model]
    assert format_for({mark: place for place, mark in enumerate(specials)}).name == ALIKE[model]
    proposer = FormedProposer(specials, form_named(specials, model, Order.SPM))

    prompt = Prompts(proposer).build(LEFT, RIGHT, 16)

    assert written(proposer, prompt.tokens) == spm


def test_a_wanted_order_goes_before_the_form_that_was_found() -> None:
    """A user who sets an order gets it, if the model's tokens allow it with the text after the cursor."""
    proposer = FormedProposer(STARCODER, form_named(STARCODER, "Mellum", Order.SPM))
    only_one = FormedProposer(PUBLISHED["Codestral"][0], form_named(PUBLISHED["Codestral"][0], "Codestral", Order.SPM))

    assert form_of(proposer, Order.SPM).name == "Mellum, spm"
    assert form_of(proposer, Order.PSM).name == "StarCoder, psm"
    assert form_of(only_one, Order.PSM).name == "Codestral, spm"


@pytest.mark.parametrize("model", PUBLISHED)
def test_text_that_looks_like_a_mark_is_text(model: str) -> None:
    """Source code that spells a model's special tokens brings none into the prompt."""
    specials, _, _ = PUBLISHED[model]
    proposer = ScriptedProposer(specials=specials, window=4096)
    marks = frozenset(proposer.vocabulary.specials.values())
    prompts = Prompts(proposer)

    plain = [token for token in prompts.build("a", "b", 16).tokens if token in marks]
    spelt = [token for token in prompts.build("".join(specials), "".join(specials), 16).tokens if token in marks]

    assert spelt == plain


def test_each_format_has_one_place_for_each_text() -> None:
    """Every order of every format holds the left and the right text once."""
    for form in FORMATS:
        for order in Order:
            assert [form.parts(order).count(side) for side in Side] == [1, 1]


def test_a_model_without_a_format_continues_the_left() -> None:
    """Without fill-in-the-middle tokens a model gets the left text, after its start token if it has one."""
    for order in Order:
        assert format_for({"<|endoftext|>": 0}).parts(order) == (Side.LEFT,)
        for start in STARTS:
            assert format_for({start: 0, "</s>": 1}).parts(order) == (start, Side.LEFT)
