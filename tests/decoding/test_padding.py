"""Repetitions as a reader sees them."""

from __future__ import annotations

import ast
import re
import sysconfig
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

import dovetail
from dovetail.decoding.circles import find_circle, runs_of_words
from dovetail.decoding.padding import Padding
from dovetail.grammar.library import languages

if TYPE_CHECKING:
    from collections.abc import Iterator

FACTS = languages()["python"]

NO_DEPTH = 0


def begin(left: str, text: str, right: str = "\n", depth: int = NO_DEPTH) -> str | None:
    """Return the text before its padding, or None if nothing of it is padding."""
    start = Padding(left, right, depth, FACTS.comment, FACTS.imports).begin(text, whole=True)
    return None if start is None else text[:start]


@pytest.mark.parametrize(
    ("left", "text", "right", "kept"),
    [
        ("a = first()\nb = 2\n", "a = first()", "\n", ""),
        ("a = first()\nb = 2\n", "b = 3\na = first()", "\n", "b = 3\n"),
        ("b = 2\n", "b = 3\na = first()", "\nb = 4\na = first()\n", "b = 3\n"),
        ("a = first()\nb = 2\n", "    a = first()", "\n", None),
        ("if a:\n    do(this)\nif b:\n    ", "do(this)", "\n", None),
        ("a = first(b)\nb = 2\n", "a = first(b)", "\n", None),
        ("next(it)\n", "next(it)", "\n", ""),
        ("f()\n", "f()", "\n", None),
        ("f()\nf()\n", "f()", "\n", ""),
        ("a = 1\n", "f()\nf()\nf()", "\n", "f()\n"),
        ("f()\n", "f()\nf()", "\n", ""),
        ("a = first()\nb = 2\n", "c = 3", "\na = first()\n", None),
        ("append(value)\nb = 2\nappend(va", "lue)", "\n", None),
        ("1, 2, 3,\n", "1, 2, 3,", "\n", None),
        ("    )\n", "    )", "\n", None),
    ],
)
def test_lines_that_stand_near(left: str, text: str, right: str, kept: str | None) -> None:
    """A line that stands near at its column is padding, unless its names were set anew or the user typed half of it."""
    assert begin(left, text, right) == kept


@pytest.mark.parametrize(
    ("left", "text", "right", "kept"),
    [
        ("f(", "a=1, a=2", ")\n", "a=1,"),
        ("f(a=1, ", "a=2", ")\n", ""),
        ("f(", "b=1, a=2", ", a=3)\n", "b=1,"),
        ("f(", "a == 1, a == 2", ")\n", None),
        ("f(", "g(a=1), h(a=2)", ")\n", None),
        ('{"a": 1, ', '"b": 2, "a": 3', "}\n", '"b": 2,'),
        ("x[", "a:1, a:2", "]\n", None),
        ("[", '"a long text", "a long text"', "]\n", '"a long text",'),
        ("[", '"a", "b", "a"', "]\n", None),
        ("[", '"a", "b", "a", "a"', "]\n", '"a", "b",'),
        ("f(", '"a long text", "a long text"', ")\n", None),
        ("[", "None, None, None, None", "]\n", None),
        ("[  # (", "'(', \"it's\", a=1, a=2", "]\n", None),
        ("f(  # a=1, (\n    ", "a=1, b='a=3, (', a=2", ")\n", "a=1, b='a=3, (',"),
    ],
)
def test_elements_between_brackets(left: str, text: str, right: str, kept: str | None) -> None:
    """A key or an argument comes once between two brackets, and so does a long text in a list; values come often."""
    assert begin(left, text, right, depth=1) == kept


@pytest.mark.parametrize(
    ("left", "text", "right", "kept"),
    [
        ("import os\n", "import os", "\n", ""),
        ("import os, re\nx = 1\ny = 2\nz = 3\n\n\n", "import re", "\n", ""),
        ("from a import (\n    b,\n    c,\n)\nx = 1\n", "from a import c", "\n", ""),
        ("from a import b\n", "from a import c", "\n", None),
        ("from a import b\n", "from d import b", "\n", None),
        ("", "from a import b, c, b", "\n", "from a import b, c,"),
        ("def f():\n    import os\n\ndef g():\n    ", "import os", "\n", None),
        ("def f():\n    ", "import os", "\n\nimport os\n", ""),
        ("import o", "s", "\nimport re\n", None),
    ],
)
def test_imports_that_the_file_has(left: str, text: str, right: str, kept: str | None) -> None:
    """An import of what is imported at the margin of the file adds nothing; one in another function does."""
    assert begin(left, text, right) == kept


@pytest.mark.parametrize(
    ("left", "text", "kept"),
    [
        ("# a\n", "# b\n#\n# c", None),
        ("# a\n", "# b\n#\n#\n# c", "# b\n#\n"),
        ("# a\n", "# b\n    #", "# b\n"),
        ("x = 1\n", "#", ""),
        ("#", "\n#", "\n"),
        ("#", " a", None),
        ("x = ", "'#'\n", None),
    ],
)
def test_empty_comments(left: str, text: str, kept: str | None) -> None:
    """An empty comment may stand between two others, and neither at the end nor below another empty one."""
    assert begin(left, text) == kept


def test_without_a_known_import_nothing_is_one() -> None:
    """In a language whose imports are not known, lines far apart may be equal."""
    far = "import os\na = 1\nb = 2\nc = 3\n"

    assert Padding(far, "\n", 0, "#", None).begin("import os") is None


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("the end of the end of the list", "the end of "),
        (
            "# if it is the last\n# and it is the last, it is the last one",
            "# if it is the last\n# and it is the last, ",
        ),
        ("say so if there are some of them\nor say so if there are some", "say so if there are some of them\nor "),
        ("key in values.keys() or key in values.keys() or x", "key in values.keys() or "),
        ("the name of the file and the name of the folder", None),
        ("x if x is not None else y if y is not None else z", None),
        ("-" * 80, None),
        ("0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0", None),
        ("", None),
    ],
)
def test_words_that_go_round(text: str, kept: str | None) -> None:
    """Words that come again soon, or often, or in a long row, are a circle; signs and numbers are none."""
    place = find_circle(text, 0, runs_of_words("#"))

    assert (None if place is None else text[:place]) == kept


def test_what_stands_before_the_text_is_not_judged() -> None:
    """A circle of the user's own is no reason to say nothing."""
    text = "the end of the end of the list"

    assert find_circle(text + " of names", len(text), runs_of_words(None)) is None


def places(count: int) -> Iterator[tuple[str, str, str, int]]:
    """Yield lines of the standard library: left, one to three lines, right, and the brackets that are open."""
    random = Random(17)
    files = sorted(path for path in Path(sysconfig.get_path("stdlib")).glob("*.py"))
    while count:
        try:
            text = random.choice(files).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        lines = text.splitlines(keepends=True)
        if len(lines) < 10:
            continue
        start = random.randrange(1, len(lines) - 3)
        stop = start + random.randint(1, 3)
        if not lines[start].strip():
            continue
        column = len(lines[start]) - len(lines[start].lstrip())
        left = "".join(lines[:start]) + lines[start][:column]
        yield left, "".join(lines[start:stop])[column:].rstrip("\n"), "\n" + "".join(lines[stop:]), 0
        count -= 1


def test_lines_of_programs_are_no_padding() -> None:
    """Of lines that people wrote, fewer than one in two hundred are taken for padding."""
    lines = taken = 0
    for left, text, right, depth in places(1500):
        lines += sum(bool(line.strip()) for line in text.split("\n"))
        taken += begin(left, text, right, depth) is not None

    assert lines > 1500
    assert taken < lines / 200


def test_the_facts_name_the_ways_to_import() -> None:
    """Every text that parses as an import is one by the description, with the same names."""
    padding = "import a.b as c, d", "from . import e", "from ..f.g import (h as i,\n    j)", "from k import *"
    assert FACTS.imports is not None
    for text in padding:
        node = ast.parse(text).body[0]
        match = re.match(FACTS.imports, text)
        assert isinstance(node, ast.Import | ast.ImportFrom)
        assert match is not None
        names = [name.split()[0] for name in match["names"].strip("()").split(",")]
        assert names == [alias.name for alias in node.names]
    assert dovetail.load_language("python").quotient("", "").imports == FACTS.imports
