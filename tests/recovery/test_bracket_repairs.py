"""Broken documents of a language whose brackets make blocks: the text that is kept, and that the true middle fits."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.fuzz.broken import judge, kept
from tests.fuzz.broken_blocks import EngineJudge, draw

import dovetail
from dovetail import Language
from dovetail.comparison.comparison import LanguageComparison

BLOCKS = Path(__file__).parents[1] / "exhaustive" / "blocks.lark"
CURSOR = "‸"

CASES = {
    "a line that fits nothing": ("x = ;\ny = ‸1;\n", "y = ‸1;\n"),
    "a line below that fits nothing": ("y = ‸1;\nx = ;\nz = 2;\n", "y = ‸1;\nz = 2;\n"),
    "a broken header is one for the lines below it": (
        "fn f(a) {\n  if a = {\n    x = 1;\n  }\n  y = ‸1;\n}\n",
        "fn f(a) {\n  if{}{\n    x = 1;\n  }\n  y = ‸1;\n}\n",
    ),
    "a broken header below": (
        "fn f(a) {\n  y = ‸1;\n  if a = {\n    x = 1;\n  }\n}\n",
        "fn f(a) {\n  y = ‸1;\n  if{}{\n    x = 1;\n  }\n}\n",
    ),
    "a broken header without a block goes": ("if a = {\ny = ‸1;\n", "y = ‸1;\n"),
    "a block that nothing closes": (
        "if a {\n  x = ;\n  do\n    y = 1;\n}\ny = ‸1;\n",
        "if a {\n  do\n    y = 1;\n  end\n}\ny = ‸1;\n",
    ),
    "blocks that nothing closes, at the end": (
        "x = ;\ny = ‸1;\nif a {\n  z = 2;\n",
        "y = ‸1;\nif a {\n  z = 2;\n\n}\n",
    ),
    "a bracket that nothing closes": ("fn f(a) {\n  x = g(1,\n  y = ‸1;\n}\n", "fn f(a) {\n  y = ‸1;\n}\n"),
    "a line within a bracket": ("x = [\n  1,\n  2 3,\n  4\n];\ny = ‸1;\n", "x = [\n  1,\n  4\n];\ny = ‸1;\n"),
    "a closer too many": ("if a {\n  x = 1;\n}\n}\ny = ‸1;\n", "if a {\n  x = 1;\n}\ny = ‸1;\n"),
    "a statement that is not ended": ("x = 1\ny = ‸1;\n", "y = ‸1;\n"),
    "a block that is closed below, in one that is not": (
        "fn f(a) {\n  if a {\n    x = 1;\n\n  if b {\n    ‸\n  }\n  y = 1;\n}\nz = 2;\n",
        "fn f(a) {\n  if a {\n    x = 1;\n\n  if b {\n    ‸\n  }\n  }\n  y = 1;\n}\nz = 2;\n",
    ),
    "a block that is closed below, where a closer came too early": (
        "fn f(a) {\n  if a {\n    x = 1;\n  }\n  }\n  if b {\n    ‸\n  }\n}\n",
        "fn f(a) {\n  if a {\n    x = 1;\n  }\n  }\n  if b {\n    ‸\n}\n",
    ),
    "text in a comment is none": ("x = ; /* a\nb */\ny = ‸1;\n", "y = ‸1;\n"),
}


@pytest.fixture(scope="module")
def language() -> Language:
    """Return the language."""
    return dovetail.load_language(BLOCKS)


@pytest.mark.parametrize("name", CASES)
def test_the_text_that_is_kept(language: Language, name: str) -> None:
    """Text that does not fit is left out or replaced, and the rest is a program."""
    document, wanted = CASES[name]
    left, right = document.split(CURSOR)
    before, after = kept(language.quotient(left, right), left, right)

    assert before + CURSOR + after == wanted
    assert language.accepts(before + after)


@pytest.mark.parametrize("name", CASES)
def test_a_document_under_edit_is_repaired_alike(language: Language, name: str) -> None:
    """Written key by key, a document has the answer of its text, wherever the cursor was before."""
    left, right = CASES[name][0].split(CURSOR)
    document = language.document("")
    for at, character in enumerate(left + right):
        document.edit(at, at, character)
        document.quotient(at + 1)
    quotient, fresh = document.quotient(len(left)), language.quotient(left, right)

    assert quotient.ignored == fresh.ignored
    assert quotient.start.closing() == fresh.start.closing()


@pytest.mark.parametrize("number", range(60))
def test_a_document_broken_elsewhere(language: Language, number: int) -> None:
    """Intact, the tolerant answer is the strict one; broken, what fits makes a program of what is kept."""
    comparison = LanguageComparison(language, EngineJudge(language), [BLOCKS.with_suffix(".txt")], 20261123)

    assert judge(draw(comparison, number), language, language.accepts).wrong is None


@pytest.mark.parametrize(
    "broken", ["const name = body.", "const name = body +", "const name = body.\n  const user = users.find((user) => )"]
)
def test_a_header_in_a_callback_is_kept_below_a_line_that_reads_on(broken: str) -> None:
    """Text in its block does not end the block for the bracket that stands below."""
    left, right = f"app.post((body) => {{\n  {broken}\n  if (!user) {{\n    ", "\n  }\n})\n"

    quotient = dovetail.load_language("javascript").quotient(left, right)

    start = quotient.start
    assert start.accepts("send(404);")
    assert not start.accepts("send(404);\n  }\n  , { name: {")
