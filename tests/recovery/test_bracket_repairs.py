"""Broken documents of a language whose brackets make blocks: the text that is kept, and that the true middle fits."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from tests.fuzz.broken import judge, kept
from tests.fuzz.broken_blocks import EngineJudge, draw
from tests.languages import shared_language

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
    "a last statement that is not ended": ("y = ‸1;\nx = \n", "y = ‸1;\n"),
    "a last statement that is not ended, in a bracket": ("y = ‸1;\nz = 2;\nx = g(1,\n", "y = ‸1;\nz = 2;\n"),
    "a word too many before what leaves a bracket open": (
        "lte x = g(\n  1\n);\ny = ‸1;\n",
        "x = g(\n  1\n);\ny = ‸1;\n",
    ),
    "the first line of a comment is lost": (
        "/\n * It's (a\n * comment\n */\ny = ‸1;\n",
        "y = ‸1;\n",
    ),
    "the first line of the cursor's comment is lost": (
        "x = 1;\n/\n * It's (a\n * com‸\n */\ny = 1;\n",
        "x = 1;\n/* * It's (a\n * com‸\n */\ny = 1;\n",
    ),
    "a conflict of two headers": (
        "<<<<<<< ours\nfn f(a) {\n=======\nfn g(a) {\n>>>>>>> theirs\n  y = ‸1;\n}\n",
        "fn g(a) {\n  y = ‸1;\n}\n",
    ),
    "a conflict of two headers, the cursor in the first one's block": (
        "<<<<<<< ours\nfn f(a) {\n  y = ‸1;\n=======\nfn g(a) {\n>>>>>>> theirs\n  x = 1;\n}\n",
        "fn f(a) {\n  y = ‸1;\n  x = 1;\n}\n",
    ),
    "a conflict in a bracket": (
        "x = [\n<<<<<<< ours\n  1\n=======\n  2\n>>>>>>> theirs\n];\ny = ‸1;\n",
        "x = [\n  2\n];\ny = ‸1;\n",
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

    quotient = shared_language("javascript").quotient(left, right)

    start = quotient.start
    assert start.accepts("send(404);")
    assert not start.accepts("send(404);\n  }\n  , { name: {")


@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
@pytest.mark.parametrize(
    ("name", "left", "right", "last"),
    [
        ("javascript", "function f() {\n  const x = ", "\n}\n\n", "export const n ="),
        ("javascript", "function f() {\n  g(", ");\n}\n\n", "f("),
        ("typescript", "function f() {\n  g(\n    a,\n    ", ",\n  );\n}\n", "const n: "),
        ("typescriptreact", "const A = () => (\n  <b a={", "} />\n);\n", "if ("),
        ("go", "package a\n\nfunc f() {\n\tx := ", "\n}\n\n", "var n ="),
        ("go", "package a\n\nfunc f() {\n\tg(", ")\n}\n\n", "func g("),
        ("lua", "local function f()\n  local x = ", "\nend\n\n", "local n ="),
    ],
)
def test_an_unfinished_last_statement_is_left_out(name: str, left: str, right: str, last: str, end: str) -> None:
    """Nothing else is left out, and what fits the cursor is what fits there without that statement."""
    language = shared_language(name)
    whole, broken = language.quotient(left, right), language.quotient(left, right + last + end)

    assert broken.viable
    assert broken.start.closing() == whole.start.closing()
    assert [(part.start, part.instead) for part in broken.ignored] == [(len(left + right), "")]


ELEMENTS = """\
const List = ({ items }) => (
  <ul>
    {items.map((item) => (
      <li key={1}>{item.name}</li>
    ))}
    <li>
      <input value={2} onChange={3} />
    </li>
  </ul>
);
"""


@pytest.mark.parametrize("name", ["javascriptreact", "typescriptreact"])
@pytest.mark.parametrize("cursor", "123")
@pytest.mark.parametrize("also", ["", "\nexport const n =\n"])
def test_attributes_without_values_are_no_hindrance(name: str, cursor: str, also: str) -> None:
    """A value fits in each of them, while the others have none, and a last statement is not written to its end."""
    left, _, right = ELEMENTS.partition(cursor)
    left, right = (re.sub(r"=\{\d\}", "={}", part) for part in (left, right))
    left, right = (re.sub(r"\{[23]", "{", part) for part in (left, right))
    quotient = shared_language(name).quotient(left, right + also)

    assert quotient.viable
    assert quotient.start.closing() == "0"
    state = quotient.start.advance("item.id")
    assert state is not None
    assert state.accepting


@pytest.mark.parametrize("name", ["javascriptreact", "typescriptreact"])
@pytest.mark.parametrize(
    "broken",
    [
        "<li key={}>{item}</li>",
        "<li>{item.}</li>",
        "<li onClick={() => }>{item}</li>",
        "<li>{f(}</li>",
        "<li>{item}",
        "<li className=>",
    ],
)
def test_an_unfinished_element_of_a_list_below(name: str, broken: str) -> None:
    """A value stands in its place, which the bracket around it wants, and the rest of the cursor's line stays."""
    left = "a = (\n  <div>\n    <b onClick={go("
    items = f"      {{items.map((item) => (\n        {broken}\n      ))}}\n"
    right = f")}}>c</b>\n    <ul>\n{items}    </ul>\n  </div>\n);\n"
    language = shared_language(name)
    quotient = language.quotient(left, right, ends_headers=True)

    assert kept(quotient, left, right) == (left, right.replace(f"        {broken}", "a"))
    assert quotient.keeping_rest_of_line.within_line.start.accepts("d")
    assert not language.quotient(left, right, tolerant=False).start.accepts("d")


@pytest.mark.parametrize(("left", "middle"), [("a = './b", "'"), ("a = `${b} ", "`"), ('f("b', '")')])
@pytest.mark.parametrize("right", ["\n\nif (x {\n  a();\n}\n", "\nif (x {\n  a();\n}\nb();\n"])
def test_a_broken_header_below_an_open_string(left: str, middle: str, right: str) -> None:
    """The cursor's line, which cannot be read on from, is no part of the header that is replaced."""
    language = shared_language("javascript")
    quotient = language.quotient(left, right)
    end = quotient.start.advance(middle)
    before, after = kept(quotient, left, right)

    assert before == left
    assert after.startswith("\n")
    assert end is not None
    assert end.accepting
    assert language.accepts(before + middle + after)


HEAD, TAIL = "function f() {\n  return (\n    <div\n", "    >\n      {g}\n    </div>\n  );\n}\n"


@pytest.mark.parametrize("name", ["javascriptreact", "typescriptreact"])
@pytest.mark.parametrize(
    ("left", "right", "kept_left", "kept_right"),
    [
        ("      ...p}\n      a={b} ", "\n", "      a={b} ", "\n"),
        ("      a={b}}\n      ", "\n", "      ", "\n"),
        ("      a={b\n      c={d} ", "\n", "      c={d} ", "\n"),
        ("      a=\n      c={d} ", "\n", "      c={d} ", "\n"),
        ("      a={b} ", "\n      x = {\n      k={1}\n", "      a={b} ", "\n      k={1}\n"),
    ],
)
def test_a_broken_line_of_a_tag(name: str, left: str, right: str, kept_left: str, kept_right: str) -> None:
    """It alone is left out, so a value that no statement has fits at the cursor."""
    language = shared_language(name)
    quotient = language.quotient(HEAD + left, right + TAIL)
    end = quotient.start.advance("onClick={() => e}")

    assert kept(quotient, HEAD + left, right + TAIL) == (HEAD + kept_left, kept_right + TAIL)
    assert end is not None
    assert end.accepting


def test_nothing_is_left_out_twice() -> None:
    """The statement of the cursor's line is skipped with what is wrong in the lines that belong to it."""
    left = "export type {\n  A,\n} from "
    right = (
        "{ b } from './c'\nexport type {\n  x = {\n  B,\n  C,\n} from './d'\n"
        "export type { E } from './f'\nexport { g, h }\n"
    )
    language = shared_language("typescript")
    quotient = language.quotient(left, right)
    parts = sorted((part.start, part.end) for part in quotient.ignored)
    before, after = kept(quotient, left, right)
    closing = quotient.start.closing()

    assert all(end <= start for (_, end), (start, _) in pairwise(parts)), parts
    assert closing is not None
    assert language.accepts(before + closing + after)
