"""Headers whose brackets an editor has closed while they are typed: text that fits inside of the brackets is found."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest
from tests.languages import shared_language
from tests.oracles.cpython import parses

from dovetail.grammar.library import languages

if TYPE_CHECKING:
    from dovetail import Quotient

# language, text before the cursor, text after it, what is put in, a middle that a user may type
HEADERS = [
    ("python", "def f():\n    if len(", ")\n", ": pass", "x"),
    ("python", "def f():\n    if len(", ")\n        return 1\n", ":", "x"),
    ("python", "def f():\r\n    if len(", ")\r\n        return 1\r\n", ":", "x"),
    ("python", "def f(cart, ", ")", ": pass", "tax=1"),
    ("python", "class A:\n    def m(self, ", ") \n\n    def n(self):\n        pass\n", ": pass", "x: int"),
    ("python", "for x in sorted(zip(", "))\n\ny = 1\n", ": pass", "a, b"),
    ("python", "if a[", "]\n", ": pass", "0"),
    ("javascript", "if (", ")\n", " {}", "a"),
    ("javascript", "class A {\n  remove(", ")\n}\n", " {}", "item"),
    ("typescriptreact", "for (const a of ", ")\n", " {}", "b"),
    ("javascriptreact", "a = (\n  <p>\n    <b onClick={() => set", "}\n  </p>\n);\n", " />", "All(0)"),
    ("typescriptreact", "a = (\n  <p className={", "}\n    {b}\n  </p>\n);\n", ">", "c"),
    ("javascriptreact", "a = (\n  <p>\n    <b>{c.", "}\n    <i />\n  </p>\n);\n", "</b>", "d"),
    ("typescriptreact", "a = (\n  <p>\n    <b>{f(", ")}\n  </p>\n);\n", "</b>", "c"),
    ("go", "package a\n\nfunc f() {\n\tfor i := range g(", ")\n}\n", " {}", "1"),
    ("go", "package a\n\nfunc f() {\n\tif _, err := g(", ")\n\treturn\n}\n", "; x {}", "1"),
    ("go", "package a\n\nfunc f() {\n\tif v, ok := g[", "]\n\t\treturn\n\t}\n}\n", "; x {", "1"),
    ("lua", "if f(", ")\n", " then end", "x"),
    ("lua", "if f(", ")\n  g()\nend\n", " then", "x"),
    ("lua", "for k, v in pairs(", ")\n", " do end", "t"),
    ("lua", "local function f(", ")\nreturn f\n", " end", "a, b"),
]

PLAIN = [
    ("python", "x = foo(a, ", ")\ny = 1\n"),
    ("python", "x = [y for y in f(", ")]\n"),
    ("python", "def f(a, ", "):\n    pass\n"),
    ("python", "x = (", ") + 1\n"),
    ("javascript", "items.map(f(", "))\n"),
    ("json", "[[", "]]\n"),
    ("go", "package a\n\nvar a = f(", ")\n"),
    ("lua", "f(", ")\n"),
    ("javascriptreact", "a = (\n  <p>\n    <b c={", "} />\n  </p>\n);\n"),
    ("javascriptreact", "a = (\n  <p>\n    {", "}\n  </p>\n);\n"),
    ("javascriptreact", "a = (\n  <p>\n    <b>{c.", "}</b>\n  </p>\n);\n"),
    ("typescript", "class A {\n  x = 1;\n  get(", ")\n  m() {}\n}\n"),  # the header of a method may stand alone
]


@pytest.mark.parametrize(("language", "left", "right", "put_in", "middle"), HEADERS)
def test_a_header_is_read_as_ended(language: str, left: str, right: str, put_in: str, middle: str) -> None:
    """An end is put in behind the brackets, and told, and the middle fits; an edited document says the same."""
    known = shared_language(language)
    quotient = known.quotient(left, right, ends_headers=True)
    end = len(left) + max(right.split("\n")[0].rfind(sign) for sign in ")]}") + 1
    assert [part[:3] for part in quotient.ignored] == [(end, end, put_in)]
    assert takes(quotient, middle)
    text = left + middle + right
    place = end + len(middle)
    assert known.accepts(text[:place] + put_in + text[place:])
    document = known.document(left + right)
    assert document.quotient(len(left), ends_headers=True).ignored == quotient.ignored
    document.edit(len(left), len(left), middle)
    assert document.quotient(len(left) + len(middle), ends_headers=True).start.accepting


@pytest.mark.parametrize("word", ["go", "defer"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_function_whose_brace_lacks_its_call_is_read_as_called(word: str, line_end: str) -> None:
    """An editor has written the brace, and nobody the `()` behind it yet; what has them is read as it stands."""
    go = shared_language("go")
    left = f"package a\n\nfunc f() {{\n\t{word} func() {{\n\t\t".replace("\n", line_end)
    right = "\n\t}\n\tg()\n}\n".replace("\n", line_end)
    end = len(left) + right.index("}") + 1

    quotient = go.quotient(left, right, ends_headers=True)
    called = go.quotient(left, right.replace("}", "}()", 1), ends_headers=True)

    assert [part[:3] for part in quotient.ignored] == [(end, end, "()")]
    assert quotient.start.accepts("h()")
    assert called.ignored == ()


@pytest.mark.parametrize(("language", "left", "right"), PLAIN)
def test_nothing_is_put_in_elsewhere(language: str, left: str, right: str) -> None:
    """Nothing is read otherwise where some text fits inside of the brackets, or more than they follows."""
    known = shared_language(language)
    plain, ended = known.quotient(left, right), known.quotient(left, right, ends_headers=True)
    assert ended.ignored == plain.ignored == ()
    assert ended.start.closing() == plain.start.closing()


@pytest.mark.parametrize(("language", "left", "right"), [case[:3] for case in HEADERS])
def test_the_quotient_itself_is_exact(language: str, left: str, right: str) -> None:
    """Unless it is asked for, nothing is put in: a text that fits is never repaired."""
    assert shared_language(language).quotient(left, right).ignored == ()


WORDS = ("", "x", "x, y", "(x)", "x=1", "x)", "*x", ")", "x for x in y", "x\n")


@pytest.mark.parametrize(
    ("left", "right"),
    [("if len(", ")\n"), ("def f(", ")\n"), ("class A(", ")\nx = 1\n"), ("while x[", "]\n"), ("with open(", "), a\n")],
)
def test_as_cpython_reads_it(left: str, right: str) -> None:
    """A middle of some words fits exactly if CPython's parser takes the header with the end that was put in."""
    quotient = shared_language("python", "3.11").quotient(left, right, ends_headers=True)
    for middle in ("".join(pair) for pair in itertools.product(WORDS, ("", ", z"))):
        text = left + right
        for start, end, instead, _ in quotient.ignored:
            text = text[:start] + instead + text[end:]
        text = text[: len(left)] + middle + text[len(left) :]
        assert takes(quotient, middle) == parses(text), text


def takes(quotient: Quotient, middle: str) -> bool:
    """Return whether a middle fits."""
    state = quotient.start.advance(middle)
    return state is not None and state.accepting


@pytest.mark.parametrize("language", [name for name in languages() if name not in {"json", "jsonc"}])
def test_every_language_with_headers_says_how_they_end(language: str) -> None:
    """The descriptions of all languages that have headers name their ends."""
    assert shared_language(language).machine.compiled.header_ends
