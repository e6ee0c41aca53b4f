"""Other files in a prompt, in the forms that models were trained with."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.decoding.scripted_proposer import ScriptedProposer
from tests.decoding.test_formats import FormedProposer, form_named, written

from dovetail.decoding.formats import Order
from dovetail.decoding.prompt import Prompts
from dovetail.decoding.repository import MOST_TOKENS, SHARE, OtherFile, ProjectContext

LEFT, RIGHT = "a(", ")\n"

AROUND = ProjectContext(
    "app/main.py",
    "shop",
    "Python",
    "#",
    (OtherFile("app/cart.py", "x = 1"), OtherFile("tax.py", "def tax():\n    ...")),
)

# Model → its format, special tokens, the prompt with other files, and the one without.
PUBLISHED = {
    "Qwen2.5-Coder": (
        (
            "Qwen2.5-Coder",
            Order.PSM,
            ["<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>", "<|repo_name|>", "<|file_sep|>"],
        ),
        (
            "<|repo_name|>shop\n<|file_sep|>app/cart.py\nx = 1\n<|file_sep|>tax.py\ndef tax():\n    ...\n"
            "<|file_sep|>app/main.py\n<|fim_prefix|>a(<|fim_suffix|>)\n<|fim_middle|>"
        ),
        "<|fim_prefix|>a(<|fim_suffix|>)\n<|fim_middle|>",
    ),
    "StarCoder2": (
        ("StarCoder", Order.PSM, ["<fim_prefix>", "<fim_suffix>", "<fim_middle>", "<repo_name>", "<file_sep>"]),
        (
            "<repo_name>shop<file_sep>app/cart.py\nx = 1\n<file_sep>tax.py\ndef tax():\n    ...\n"
            "<file_sep><fim_prefix>app/main.py\na(<fim_suffix>)\n<fim_middle>"
        ),
        "<repo_name>shop<file_sep><fim_prefix>app/main.py\na(<fim_suffix>)\n<fim_middle>",
    ),
    "Mellum": (
        ("Mellum", Order.SPM, ["<fim_prefix>", "<fim_suffix>", "<fim_middle>", "<filename>"]),
        (
            "<filename>app/cart.py\nx = 1\n\n<filename>tax.py\ndef tax():\n    ...\n\n"
            "<filename>app/main.py\n<fim_suffix>)\n<fim_prefix>a(<fim_middle>"
        ),
        "<filename>app/main.py\n<fim_suffix>)\n<fim_prefix>a(<fim_middle>",
    ),
    "of `dovetail train`": (
        ("StarCoder", Order.SPM, ["<fim_prefix>", "<fim_suffix>", "<fim_middle>", "<|file|>"]),
        (
            "<|file|>app/cart.py\nx = 1<|file|>tax.py\ndef tax():\n    ...<|file|>app/main.py\n"
            "<fim_prefix><fim_suffix>)\n<fim_middle>a("
        ),
        "<|file|>app/main.py\n<fim_prefix><fim_suffix>)\n<fim_middle>a(",
    ),
    "CodeGemma": (
        ("CodeGemma", Order.PSM, ["<bos>", "<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>", "<|file_separator|>"]),
        (
            "<bos>app/cart.py\nx = 1\n<|file_separator|>tax.py\ndef tax():\n    ...\n<|file_separator|>"
            "app/main.py\n<|fim_prefix|>a(<|fim_suffix|>)\n<|fim_middle|>"
        ),
        "<bos><|fim_prefix|>a(<|fim_suffix|>)\n<|fim_middle|>",
    ),
    "DeepSeek-Coder": (
        (
            "DeepSeek-Coder",
            Order.PSM,
            ["<｜begin▁of▁sentence｜>", "<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>"],
        ),
        (
            "<｜begin▁of▁sentence｜><｜fim▁begin｜>#app/cart.py\nx = 1\n#tax.py\ndef tax():\n    ...\n#app/main.py\na("
            "<｜fim▁hole｜>)\n<｜fim▁end｜>"
        ),
        "<｜begin▁of▁sentence｜><｜fim▁begin｜>a(<｜fim▁hole｜>)\n<｜fim▁end｜>",
    ),
    "Codestral": (
        ("Codestral", Order.SPM, ["<s>", "[SUFFIX]", "[PREFIX]"]),
        "<s>[SUFFIX])\n[PREFIX]+++++ app/cart.py\nx = 1\n\n+++++ tax.py\ndef tax():\n    ...\n\n+++++ app/main.py\na(",
        "<s>[SUFFIX])\n[PREFIX]a(",
    ),
    "aiXcoder": (
        ("aiXcoder", Order.SPM, ["<s>", "▁<AIX-SPAN-PRE>", "▁<AIX-SPAN-POST>", "▁<AIX-SPAN-MIDDLE>"]),
        None,
        (
            "<s>▁<AIX-SPAN-PRE>▁<AIX-SPAN-POST>)\n▁<AIX-SPAN-MIDDLE># the file path is: app/main.py\n"
            "# the code file is written by Python\na("
        ),
    ),
    "a model without a form for files": (
        ("SantaCoder", Order.PSM, ["<fim-prefix>", "<fim-suffix>", "<fim-middle>"]),
        (
            "<fim-prefix># Path: app/cart.py\n# x = 1\n# Path: tax.py\n# def tax():\n#     ...\n"
            "a(<fim-suffix>)\n<fim-middle>"
        ),
        "<fim-prefix>a(<fim-suffix>)\n<fim-middle>",
    ),
}


def asked(model: str, around: ProjectContext | None, window: int = 2048) -> str:
    """Return the prompt of a model as text."""
    (name, order, specials), _, _ = PUBLISHED[model]
    proposer = FormedProposer(specials, form_named(specials, name, order), window)
    prompt = Prompts(proposer).build(LEFT, RIGHT, 16, project=around)
    return written(proposer, prompt.tokens)


@pytest.mark.parametrize("model", [model for model, (_, with_files, _) in PUBLISHED.items() if with_files])
def test_other_files_are_shown_in_the_published_form(model: str) -> None:
    """A model sees the files of a repository as it saw them in training."""
    assert asked(model, AROUND) == PUBLISHED[model][1]


@pytest.mark.parametrize("model", PUBLISHED)
def test_the_file_alone_is_named_where_training_named_it(model: str) -> None:
    """Without other files a path stands only in prompts of models that were always shown one."""
    assert asked(model, replace(AROUND, files=())) == PUBLISHED[model][2]


def test_a_language_without_comments_shows_no_files_to_a_model_without_a_form() -> None:
    """Nothing that is not the language's own text is put into the file."""
    assert (
        asked("a model without a form for files", replace(AROUND, comment=None))
        == PUBLISHED["a model without a form for files"][2]
    )


@given(st.lists(st.text("ab\n ", max_size=300), max_size=8), st.integers(64, 4096))
def test_other_files_leave_room(texts: list[str], window: int) -> None:
    """They take a share of the window at most, the last ones first; prompt and room fit, and the order stays.

    A window of less than 2,048 tokens has no share for them, since the model was not trained to see them.
    """
    around = replace(AROUND, files=tuple(OtherFile(f"{place}.py", text) for place, text in enumerate(texts)))
    proposer = ScriptedProposer(specials=["<fim-prefix>", "<fim-suffix>", "<fim-middle>"], window=window)

    prompt = Prompts(proposer, Order.PSM).build(LEFT, RIGHT, 16, project=around)

    shown = written(proposer, prompt.tokens).removeprefix("<fim-prefix>").partition("a(<fim-suffix>")[0]
    assert len(prompt.tokens) + prompt.room + prompt.spare == window
    share = min(MOST_TOKENS, window // SHARE) if window >= 2048 else 0
    assert len(proposer.encode(shown)) <= share
    places = [int(line.split()[-1].removesuffix(".py")) for line in shown.splitlines() if line.startswith("# Path")]
    assert places == sorted(places)
    if texts:
        last = "".join(f"# {line}\n" for line in (f"Path: {len(texts) - 1}.py", *texts[-1].splitlines()))
        assert (len(texts) - 1 in places) == (len(last) <= share)
