"""The Lua grammar, case by case and over short texts, each against the parser of its version."""

from __future__ import annotations

import re
from functools import cache
from itertools import product

import pytest
from tests.grammars.cases import Case, read_cases
from tests.languages import shared_language
from tests.oracles.lua import MODULES, LuaParser

import dovetail

VERSIONS = tuple(MODULES)
CASES = read_cases("lua")
REPORTED = 5
"""The number of disagreements that a failing test shows."""

SHORT = {
    "statements": ["f", "(", ")", "=", ";", "\n", ",", "x.y", "{}", "goto", "::", "break"],
    "blocks": [
        *("if x ", "then ", "else ", "end ", "do ", "while x ", "repeat ", "until x "),
        *("return ", "for x=1,2 ", "break "),
    ],
    "functions": ["function ", "local ", "f", "(", ")", "...", "end ", ",", "x.y:z", "return ", "global "],
    "declarations": ["local ", "global ", "x", "<const>", "<close>", ",", "=", "1", "function ", "*"],
    "operators": ["x=", "x ", "-", "~", "//", "..", "#", "not ", "1", "==", "(", ")"],
    "tables": ["x=", "{", "}", "x", "=", ",", ";", "[", "]", "1", "'s'"],
    "long brackets": ["x=", "[", "=", "]", "--", "\n", "x", " "],
}
"""Pieces that texts are made of."""

NUMBERS = "01.xeEp+-Lui_bg "
STRINGS = "\\'0259xz\n\ru{d}e "


def language(version: str) -> dovetail.Language:
    return shared_language("lua", version)


@cache
def parser(version: str) -> LuaParser:
    return LuaParser(version)


def disagreements(version: str, texts: list[str]) -> list[str]:
    """Return the first texts about which grammar and parser differ; where the parser gives up they do not.

    Left out is what grammars/README.md lists of these texts: LuaJIT forgets the line of a `goto` that begins a call.
    """
    verdicts = zip(texts, parser(version).judge(texts), strict=True)
    wrong = (text for text, (accepted, _) in verdicts if accepted not in (None, language(version).accepts(text)))
    listed = re.compile(r"\bgoto\s*\(") if version == "luajit" else re.compile(r"(?!)")
    return [text for text in wrong if not listed.search(text)][:REPORTED]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_is_true(case: Case) -> None:
    """The parsers of the versions of a case say what the case says."""
    verdicts = {version: parser(version).parses(case.text) for version in case.among(VERSIONS)}

    assert dict.fromkeys(verdicts, case.valid) == verdicts


@pytest.mark.parametrize("case", CASES[::4], ids=lambda case: case.name)
def test_a_case_is_what_it_is_wherever_it_is_cut(case: Case) -> None:
    """Nothing inserted, a valid text is accepted and an invalid one is not, in the newest version that it is for."""
    chosen, text = language(case.among(VERSIONS)[-1]), case.text
    cuts = [chosen.quotient(text[:at], text[at:], tolerant=False) for at in range(0, len(text) + 1, 3)]

    assert [quotient.start.accepting for quotient in cuts] == [case.valid] * len(cuts)
    assert all(quotient.viable for quotient in cuts) or not case.valid


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", SHORT)
def test_every_short_text(version: str, name: str) -> None:
    """All texts of up to three pieces are read as the parser reads them."""
    texts = ["".join(pieces) for count in range(4) for pieces in product(SHORT[name], repeat=count)]

    assert disagreements(version, texts) == []


@pytest.mark.long
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", SHORT)
def test_every_longer_text(version: str, name: str) -> None:
    """All texts of up to five pieces are read as the parser reads them."""
    texts = ["".join(pieces) for count in range(6) for pieces in product(SHORT[name], repeat=count)]

    assert disagreements(version, texts) == []


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("length", [2, pytest.param(4, marks=pytest.mark.long)])
def test_every_number(version: str, length: int) -> None:
    """A text that begins with a digit or a point is a number, or none, as the parser says."""
    rests = ["".join(rest) for count in range(length + 1) for rest in product(NUMBERS, repeat=count)]

    assert disagreements(version, [f"y={first}{rest}" for first in "01." for rest in rests]) == []


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("length", [2, pytest.param(4, marks=pytest.mark.long)])
def test_every_string(version: str, length: int) -> None:
    """A text between quotes is a string, or none, as the parser says."""
    insides = ["".join(inside) for count in range(length + 1) for inside in product(STRINGS, repeat=count)]

    assert disagreements(version, [f"y='{inside}'" for inside in insides]) == []


def test_newest_is_default() -> None:
    """Without a target the newest version is read."""
    assert dovetail.load_language("lua").accepts("global <const> *")


@pytest.mark.parametrize("version", VERSIONS)
def test_the_first_line_of_a_file(version: str) -> None:
    """The oracle leaves out a first line as the parser's own reader of files does."""
    texts = ["#!/usr/bin/lua\nx = 1", "#", "#\nx x", "# \rx x", "\n#x\n"]
    expected = [True, True, False, version != "luajit", False]

    assert [parser(version).parses(text) for text in texts] == expected
    assert [language(version).accepts(text) for text in texts] == expected


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("left", "right", "depth"),
    [
        ("print(f(1, ", "))", 2),
        ("x = (1 + ", ")", 1),
        ("x =\n  (1 + f(", "))", 2),
        ("function f(a", ") end", 1),
        ("x = function\n(a", ") end", 1),
        ("x = a[{", "}]", 2),
        ("f(1)", "", 0),
    ],
)
def test_brackets_are_counted(version: str, left: str, right: str, depth: int) -> None:
    """The brackets around a place are those of the grammar, also where `(` has two forms, as before 5.2."""
    assert language(version).quotient(left, right).start.enclosure.depth == depth
