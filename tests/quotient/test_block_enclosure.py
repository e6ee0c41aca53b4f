"""Brackets and blocks around a place in languages whose brackets make blocks."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.languages import shared_language

import dovetail
from dovetail import GrammarError

EXHAUSTIVE = Path(__file__).parents[1] / "exhaustive"

PUSHING = """
start: lines
lines: ("x" | block | "[" "x" "]")*
block: "{" lines "}"
%ignore /[ \\n]/
"""
"""A language whose modes count its brackets too."""
MODES = """
blocks = ["lines"]

[[modes]]
name = "outside"
push = { "{" = "inside", "[" = "list" }

[[modes]]
name = "inside"
push = { "{" = "inside", "[" = "list" }
pop = ["}"]

[[modes]]
name = "list"
pop = ["]"]
"""


@pytest.mark.parametrize(
    ("left", "right", "depth", "column", "blank"),
    [
        ("x = [1, ", "];", 1, 0, None),
        ('x = "ab', '";', 1, 0, None),
        ("x = 1; ", "", 0, 0, None),
        ("x = 1;\n", "", 0, 0, 0),
        ("if a {", "\n}", 0, 0, None),
        ("if a {\n  ", "\n}", 0, 1, 1),
        ("if a { x = 1;\n", "}", 0, 1, 1),
        ("if a { x = 1;\n}", "", 0, 0, None),
        ("if a {}\n", "", 0, 0, 0),
        ("if a {} else {\n", "}", 0, 1, 1),
        ("fn f(a) {\n x = {a: ", "}; }", 1, 1, None),
        ("fn f(a) {\n x = {\n", "}; }", 1, 1, None),
        ("do\n x = 1;\n if b {\n", "} end", 0, 2, 2),
        ("switch x {\ncase 1:\n y = 1;", "}", 0, 1, None),
        ("x = 1; /* a\n", "*/", 1, 0, None),
    ],
)
def test_brackets_and_blocks_are_counted_apart(
    left: str, right: str, depth: int, column: int, blank: int | None
) -> None:
    """A bracket around lines makes a block, which counts from its next line on; any other is as deep as it says."""
    language = dovetail.load_language(EXHAUSTIVE / "blocks.lark")
    start = language.quotient(left, right, tolerant=False).start

    assert start.enclosure[:3] == (depth, column, blank)


@pytest.mark.parametrize(
    ("left", "piece", "opens"),
    [
        ("if a ", "{", True),
        ("if a ", "{\n", True),
        ("if a {", " x = 1;", False),
        ("x = ", "{", False),
        ("", "do", True),
    ],
)
def test_a_block_is_opened(left: str, piece: str, opens: bool) -> None:
    """The next line begins a block right after what opens one."""
    language = dovetail.load_language(EXHAUSTIVE / "blocks.lark")
    state = language.quotient(left, "", tolerant=False).start.advance(piece)

    assert state is not None
    assert state.opens_block() == opens


@pytest.mark.parametrize(
    ("left", "depth", "column"), [("{\n", 0, 1), ("{ [", 1, 1), ("{ { x\n", 0, 2), ("[", 1, 0), ("{ } x\n", 0, 0)]
)
def test_blocks_that_modes_count_as_well(tmp_path: Path, left: str, depth: int, column: int) -> None:
    """They are blocks and no brackets there, too."""
    path = tmp_path / "pushing.lark"
    path.write_text(PUSHING, encoding="utf-8")
    path.with_suffix(".toml").write_text(MODES, encoding="utf-8")
    start = dovetail.load_language(path).quotient(left, "", tolerant=False).start

    assert start.enclosure[:2] == (depth, column)


@pytest.mark.parametrize(
    ("left", "right", "depth", "inner", "blank"),
    [
        ("f(() => {\n", "})", 1, 0, 1),
        ("f(() => {", "})", 1, 1, None),
        ("f(() => {\n  g(a,\n", ")})", 2, 1, None),
        ("f(() => {\n  g(() => {\n    a()\n", "})})", 2, 0, 2),
        ("f(() => {\n  g(() => {\n    a()\n  }\n", ")})", 2, 1, None),
        ("f(() => {\n  g(() => {\n    a()\n  })\n", "})", 1, 0, 1),
        ("f(() => {\n  a = `\n${b}", "`})", 2, 1, None),
        ("if (a) {\n  [\n", "]}", 1, 1, None),
    ],
)
def test_statements_stand_in_the_blocks_of_brackets(
    left: str, right: str, depth: int, inner: int, blank: int | None
) -> None:
    """A line of a function in a call stands in a block, and only what is opened there keeps it from being one."""
    around = shared_language("javascript").quotient(left, right, tolerant=False).start.enclosure

    assert (around.depth, around.inner, around.blank) == (depth, inner, blank)


@pytest.mark.parametrize(
    ("left", "column", "opens"),
    [
        ("a = <ul>\n  ", 1, True),
        ("a = <ul>\n  <li>b</li>\n  ", 1, False),
        ("a = <ul>\n  <li>\n    ", 2, True),
        ("a = <ul>\n  {b.map((c) => (\n    <li>\n      ", 2, True),
    ],
)
def test_lines_between_tags_stand_in_a_block(left: str, column: int, opens: bool) -> None:
    """Blanks between tags are no child, so a line of them is the first of the block until a child comes."""
    right = "</li>))}</ul>" if "map" in left else "</li></ul>" if left.count("<li>") > left.count("</li>") else "</ul>"
    quotient = shared_language("javascriptreact").quotient(left, right, tolerant=False)
    around = quotient.start.enclosure

    assert (around.column, around.inner, around.blank, around.opens) == (column, 0, column, opens)
    assert "</" in quotient.block_ends


@pytest.mark.parametrize(
    ("text", "words"), [('blocks = ["line"]', "no rule of the grammar"), ('blocks = ["lines"]\n[layout]', "layout")]
)
def test_wrong_blocks_are_refused(tmp_path: Path, text: str, words: str) -> None:
    """A name has to be that of a rule, and columns make no blocks beside them."""
    path = tmp_path / "wrong.lark"
    path.write_text(PUSHING, encoding="utf-8")
    path.with_suffix(".toml").write_text(
        text + ('\nmode = "m"\nnewline = "X"\nindent = "I"\ndedent = "D"' if "layout" in text else ""), encoding="utf-8"
    )

    with pytest.raises(GrammarError, match=words):
        dovetail.load_language(path)
