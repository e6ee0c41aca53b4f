"""Headers without bodies, also above mistakes, and elements without commas: text that fits inside is found."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest
from tests.fuzz.broken import kept
from tests.languages import shared_language
from tests.oracles import cpython
from tests.oracles.javascript.parsers import verdicts
from tests.oracles.lua import LuaParser
from tests.recovery.test_header_ends import WORDS, takes

from dovetail import load_language
from dovetail.quotient import right_side
from dovetail.recovery import readings

if TYPE_CHECKING:
    from dovetail import Quotient
    from dovetail.quotient.right_side import RightSide

CURSOR = "‸"

# language, text with its cursor, what is put in and left out: pairs of a text and what is read instead
BODIES = [
    ("python", "def f(a, ‸):\n", [("", " pass")]),
    ("python", "def f(a, ‸):", [("", " pass")]),
    ("python", "def f(‸) -> int:\r\n\r\n\r\ndef g():\r\n    return 1\r\n", [("", " pass")]),
    ("python", "if x(‸):\nx = 1\n", [("", " pass")]),
    ("python", "if x.‸:\n", [("", " pass")]),
    ("python", "class A(‸):  # todo\n", [("", " pass")]),
    ("python", "class A:\n    def m(self, ‸):\n\n    def n(self):\n        pass\n", [("", " pass")]),
    ("python", "def f(\n    a,\n    ‸\n):\n\n\nx = 1\n", [("", " pass")]),
    ("python", "def f(\n    a,\n    ‸\n)\n\n\nx = 1\n", [("", ": pass")]),
    ("python", "if x:\n    for i in range(‸):\n    # later\nelse:\n    pass\n", [("", " pass")]),
    ("javascript", "if (x.‸) {\n", [("", "}")]),
    ("javascript", "function f(a, ‸) {\n\nfunction g() {\n  return 1;\n}\n", [("", "}")]),
    ("javascript", "function f(a, ‸)\n  return a;\n}\n", [("", " {")]),
    ("typescript", "class A {\n  m(a: ‸): void { // later\n\n  n(): void {}\n}\n", [("", "}")]),
    ("go", "package a\n\nfunc f(a int, ‸) {\n\nfunc g() {}\n", [("", "}")]),
    ("go", "package a\n\nfunc f() {\n\tfor i := range g(‸) {\n}\n", [("", "}")]),
    ("lua", "if x(‸) then\n", [("", " end")]),
    ("lua", "while f(‸) do -- later\n\nlocal x = 1\n", [("", " end")]),
    ("lua", "for k, v in pairs(‸)\n  g()\nend\n", [("", " do")]),
]

ABOVE_MISTAKES = [
    ("python", "if len(‸)\n\nx = = 1\n", [("", ": pass"), ("x = = 1\n", "")]),
    ("python", "def f(a, ‸):\n\n\nx = = 1\n\n\ndef g():\n    return 1\n", [("", " pass"), ("x = = 1\n", "")]),
    ("python", "x = = 1\n\n\ndef f(a, ‸):\n", [("x = = 1\n", ""), ("", " pass")]),
    ("python", "def f(\n    a‸,\n    b,\n):  # todo\n\nx = = 1\n", [("", " pass"), ("x = = 1\n", "")]),
    ("python", "if x(‸)\n    y = = 1\n    z = 1\n", [("", ":"), ("    y = = 1\n", "")]),
    (
        "python",
        "class A:\n    def m(self, ‸)\n\n    def n(self):\n        return = 1\n\n    y = 2\n\n\nz = = 3\n",
        [("", ": pass"), ("        return = 1\n", "        0\n"), ("z = = 3\n", "")],
    ),
    ("javascript", "if (x.‸)\n\nlet = = 1;\nlet y = 1;\n", [("", " {}"), ("let = = 1;\n", "")]),
    ("typescript", "for (const a of ‸) {\n\nlet x = = 1;\n", [("", "}"), ("let x = = 1;\n", "")]),
    ("go", "package a\n\nfunc f() {\n\tif g(‸)\n\tx = = 1\n}\n", [("", " {}"), ("\tx = = 1\n", "")]),
    ("lua", "if x(‸)\n\nlocal x = = 1\n", [("", " then end"), ("local x = = 1\n", "")]),
    ("lua", "function f(a, ‸)\n\nlocal x = = 1\nlocal y\n", [("", " end"), ("local x = = 1\n", "")]),
]

# An element that is typed above another one.
ELEMENTS = [
    ("go", "package a\n\nfunc f(n int) {\n\tg(\n\t\tlen(‸)\n\t\tn,\n\t)\n}\n", [("", ",")]),
    ("go", 'package a\n\nvar rows = []T{\n\t{Name: "‸"}\n\t{Name: "b"},\n}\n', [("", ",")]),
    ("go", "package a\n\nvar x = T{\n\tA: f(‸) // todo\n\tB: 1,\n}\n", [("", ",")]),
    ("javascript", "f(\n  g(‸)\n  1,\n);\n", [("", ",")]),
    ("typescript", "const a = {\n  b: c.trim(‸)\n  d: 1,\n};\n", [("", ",")]),
    ("python", "f(\n    a,\n    len(‸)\n    b,\n)\n", [("", ",")]),
    ("lua", "local t = {\n  a = f(‸)\n  b = 1,\n}\n", [("", ",")]),
    ("json", '{\n  "a": "‸"\n  "b": 1\n}\n', [("", ",")]),
]

PLAIN = [
    ("python", "f(\n    len(‸),\n    b,\n)\n", []),
    ("go", "package a\n\nfunc f() {\n\tg(‸)\n\th()\n}\n", []),
    ("python", "def f(a, ‸):\n    pass\n", []),
    ("python", "def f(a):‸\n", []),
    ("python", 'x = {"a": f(‸), "b":\n', None),
    ("python", "@f(‸)\n", []),
    ("python", "try:\n    f(‸)\n", []),
    ("python", "def f(a, ‸):\n    return 1\n\n\nx = = 1\n", [("x = = 1\n", "")]),
    ("python", "if x(‸):\n    y = = 1\n", [("    y = = 1\n", "    0\n")]),
    ("javascript", "f(‸)\n\nlet x = = 1;\n", [("let x = = 1;\n", "")]),
    ("json", "[[1, ‸]\n", []),
]


@pytest.mark.parametrize(("language", "text", "parts"), BODIES + ABOVE_MISTAKES + ELEMENTS)
def test_the_line_is_read_with_what_is_missing(language: str, text: str, parts: list[tuple[str, str]]) -> None:
    """All that is put in or left out is told; the shortest text that fits stays inside; an edited document agrees."""
    known = shared_language(language)
    left, right = text.split(CURSOR)
    quotient = known.quotient(left, right, ends_headers=True)
    assert told(quotient, left + right) == parts
    closing = quotient.keeping_rest_of_line.start.closing()
    assert closing is not None
    assert closing.strip(" _0x") == ""
    before, after = kept(quotient, left, right)
    assert known.accepts(before + closing + after)
    document = known.document(left + "\n" + right)
    document.edit(len(left), len(left) + 1, "")
    assert document.quotient(len(left), ends_headers=True).ignored == quotient.ignored


@pytest.mark.parametrize(("language", "text", "parts"), PLAIN)
def test_nothing_is_put_in_elsewhere(language: str, text: str, parts: list[tuple[str, str]] | None) -> None:
    """A header with a body is read as it is, as is what is no header; `None`: nothing fits, with an end or without."""
    known = shared_language(language)
    left, right = text.split(CURSOR)
    plain, ended = known.quotient(left, right), known.quotient(left, right, ends_headers=True)
    assert ended.ignored == plain.ignored
    assert ended.keeping_rest_of_line.viable == plain.keeping_rest_of_line.viable == (parts is not None)
    assert parts is None or told(ended, left + right) == parts


@pytest.mark.parametrize(("language", "text"), [case[:2] for case in BODIES])
def test_the_quotient_itself_is_exact(language: str, text: str) -> None:
    """Unless it is asked for, no body is put in, and nothing fits that keeps the rest of the line and the header."""
    left, right = text.split(CURSOR)
    for tolerant in (True, False):
        quotient = shared_language(language).quotient(left, right, tolerant=tolerant)
        assert "pass" not in "".join(part.instead for part in quotient.ignored)
    strict = quotient.keeping_rest_of_line
    closing = strict.start.closing()
    assert closing is None or closing.strip(" _0x") != ""


@pytest.mark.parametrize("text", [case[1] for case in BODIES + ABOVE_MISTAKES if case[0] == "python"])
def test_as_cpython_reads_it(text: str) -> None:
    """A middle of some words fits exactly if CPython's parser takes the text with it and the body that was put in."""
    left, right = text.split(CURSOR)
    quotient = shared_language("python", cpython.TARGET).quotient(left, right, ends_headers=True)
    before, after = kept(quotient, left, right)
    for middle in ("".join(pair) for pair in itertools.product(WORDS, ("", ", z"))):
        assert takes(quotient, middle) == cpython.parses(before + middle + after), middle


@pytest.mark.parametrize("language", ["javascript", "typescript", "lua"])
def test_as_other_parsers_read_it(language: str) -> None:
    """A middle of some words fits exactly if the language's own parser takes the text with it and what was put in."""
    known, texts, taken = shared_language(language), [], []
    for _, text, _ in [case for case in BODIES + ABOVE_MISTAKES if case[0] == language]:
        left, right = text.split(CURSOR)
        quotient = known.quotient(left, right, ends_headers=True)
        before, after = kept(quotient, left, right)
        for middle in ("", "x", "x, y", "(x)", "x = 1", "x)", "...x", "...", ")", "x: y", "x y"):
            texts.append(before + middle + after)
            taken.append(takes(quotient, middle))
    judges = {"javascript": "next", "typescript": "ts"}
    judged = LuaParser("5.5").judge(texts) if language == "lua" else verdicts(judges[language], texts)
    assert len(judged) == len(texts) > 20
    different = [text for text, one, other in zip(texts, taken, judged, strict=True) if other.accepted == (not one)]
    assert different == []
    assert {one.accepted for one in judged} >= {True, False}


WRONG = "\n\nclass B:\n    x = = 1\n    def m(self):\n        return )\n\n\ny = = 2\n\n\ndef h(:\n    pass\n" * 10
DOCUMENTS = [
    *(case[:2] for case in ABOVE_MISTAKES),
    ("python", f"class A:\n    def m(self, ‸):{WRONG}"),
    ("python", f"if f(‸){WRONG}"),
    ("python", f"def f(‸):\n    return 1{WRONG}"),
    ("python", f"x = f(‸){WRONG}"),
    ("javascript", "class A {\n  m(‸)\n" + "\n  n() {\n    return = 1;\n  }\n" * 10 + "}\n"),
    ("lua", "if x(‸)\n" + "local x = = 1\nlocal y\n" * 10),
]


def test_the_readings_that_are_tried_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much is wrong in a document, a few right texts are read at the first key, and none at the next."""
    read: list[str] = []

    def counted(machine: object, stacks: object, text: str, *rest: object, **options: object) -> RightSide:
        read.append(text)
        return original(machine, stacks, text, *rest, **options)  # type: ignore[arg-type]

    original = right_side.read_right
    monkeypatch.setattr(right_side, "read_right", counted)
    monkeypatch.setattr(readings, "read_right", counted)
    for language, text in DOCUMENTS:
        known = load_language(language)
        left, right = text.split(CURSOR)
        document = known.document(left + right)
        counts = []
        for key in range(3):
            read.clear()
            document.quotient(len(left) + key, ends_headers=True)
            counts.append(len(read))
            document.edit(len(left) + key, len(left) + key, "x")
        # The first key after the empty middle may be the first with which another reading fits.
        assert 1 < counts[0] <= 13
        assert counts[1] <= 1
        assert counts[2] == 0


def told(quotient: Quotient, text: str) -> list[tuple[str, str]]:
    """Return the parts of a text that are read otherwise, with what is read instead."""
    return [(text[part.start : part.end], part.instead) for part in quotient.ignored]
