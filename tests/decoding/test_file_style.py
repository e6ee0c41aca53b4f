"""The style of a file, by texts whose style is plain."""

from __future__ import annotations

import random
import re

import pytest

from dovetail.decoding.file_style import FileStyle
from dovetail.grammar.habits import KEYS, Habits, habits_of
from dovetail.grammar.layers import grammar_folder, read_header


def habits(name: str) -> Habits:
    header = read_header(grammar_folder() / f"{name}.toml")
    return habits_of({key: header[key] for key in KEYS if key in header})


def style(left: str, right: str = "\n", name: str = "javascript") -> FileStyle:
    return FileStyle(habits(name), left, right, "#" if name == "python" else "//")


WITH = """import a from "b";

const c = require("d");
let e = c.f(a);
export default class G {
  h = 1;
  i() {
    if (this.h) return;
    this.h = [1, 2].map((j) => {
      return j;
    });
    throw new Error(`k
      l`);
  }
}
for (let m = 0; m < 2; m++) {
  e(m);
}
"""


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (WITH, True),
        (re.sub(";$", "", WITH, flags=re.MULTILINE), False),
        ("", None),
        ("// A comment (with words)\n", None),
        ("if (a) {\n}\n", None),
        ("const a = {\n  b: c(1)\n}\n", None),
        ("f(a);\ng(a)\nh(a);\nk(a)\n", None),
        ("f(a)\n", False),
        ("f(a)\n  .b()\n  .c();\n", True),
        ("const a =\n  b;\n", True),
        ("if (a)\n  f(b);\n", True),
        ('import {\n  a,\n} from "b"\n', False),
    ],
)
def test_semicolons(text: str, written: bool | None) -> None:
    """A file writes semicolons, or none, or does not say; the cursor's own line does not count."""
    assert style(text).writes_terminator is written
    assert style("", "\n" + text).writes_terminator is written
    assert style(text + "unfinished(").writes_terminator is written


def test_semicolons_of_the_lines_in_any_order() -> None:
    """Statements of one line each say the same in any order, with any blanks and line ends."""
    lines = ["const a = f(1)", "b = a.c", "return b", "import 'd'", "await e()", "throw g", "this.h = `i`", "break"]
    chance = random.Random("semicolons")
    for _ in range(200):
        some = chance.choices(lines, k=chance.randint(1, 8))
        end = chance.choice(["\n", "\r\n"])
        text = "".join(" " * chance.randint(0, 4) + line + ";" + end for line in some)

        assert style(text).writes_terminator is True, text
        assert style(text.replace(";", "")).writes_terminator is False, text


@pytest.mark.parametrize(
    ("text", "name", "quote"),
    [
        ("a = 'b'\n", "javascript", "'"),
        ('a = "b"\n', "javascript", '"'),
        ("a = 'b' + \"c\"\n", "javascript", "`"),
        ("", "javascript", "`"),
        ('a = \'b\' // "c" and "d"\n', "javascript", "'"),
        ("a = 'b'; // don't\n", "javascript", "'"),
        ("a = 'b'; c = \"it's\"; d = \"it's\"\n", "javascript", "'"),
        ("a = f'b'\n", "python", "'"),
        ('def f():\n    """Do."""\n    return \'a\'\n', "python", "'"),
        ('local a = "b"\n', "lua", '"'),
    ],
)
def test_quotes(text: str, name: str, quote: str) -> None:
    """The quotes are those of most strings, and unknown (here: those that were asked about) where none are."""
    for asked in "'\"":
        wanted = asked if quote == "`" else quote
        assert style(text, name=name).quote("x = ", asked) == wanted
        assert style("", "\n" + text, name).quote("x = ", asked) == wanted


def test_quotes_of_attributes() -> None:
    """A file may have one kind in its code and another one in its elements."""
    found = style("a = 'b';\nc = <p className=\"d\">don't</p>;\ne('f');\n", name="javascriptreact")

    assert found.quote("g(", '"') == "'"
    assert found.quote("<p title=", "'") == '"'
