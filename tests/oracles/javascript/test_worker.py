"""Workers that judge JavaScript, TypeScript and JSON with comments, where `make javascript-parsers` was run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.oracles.javascript.parsers import CONFORMANCE, FILES, answers, find_worker

from dovetail.comparison.oracle_process import OracleProcess

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from dovetail.grammar.oracle import Verdict

pytestmark = pytest.mark.skipif(
    find_worker("") is None, reason="no parsers of JavaScript at hand; `make javascript-parsers` fetches them"
)

YOUNGER = {
    "0d5e450f1da8a92a.js",  # "\8" and "\9", since 2021 in scripts
    "647e21f8f157c338.js",  # line separators in strings, since 2019
    "748656edbfb2d0bb.js",
    "79f882da06f88c9f.js",
    "8af69d8f15295ed2.js",
    "92b6af54adef3624.js",
    "98204d734f8c72b3.js",  # fields of classes, since 2022
    "e3fbcf63d7e43ead.js",  # an initializer in for-in, since 2017 in scripts
    "ef81b93cf9bdb4ec.js",
}
"""Conformance tests of what was no program in 2016, and is one today."""

SPLIT = {"a8beb1480f385441.js", "c060a3014ad24dfd.js"}
"""Tests about which the parsers disagree: `f() = 4` in scripts, and a letter that is younger than some of them."""

ALLOWED_TWICE = {
    "0f5f47108da5c34e.js",  # a catch parameter and `var` in for-of, since 2025
    "12a74c60f52a60de.js",  # functions of one name in a block, which annex B allows in scripts
    "1aff49273f3e3a98.js",
    "be7329119eaa3d47.js",
    "ec31fa5e521c5df4.js",
}
"""Tests of early errors that are none for any parser today."""


WORKERS: dict[str, OracleProcess] = {}
"""Target → its worker, which runs until the tests of this file have ended."""


@pytest.fixture(scope="module", autouse=True)
def workers() -> Iterator[None]:
    """End the workers after the last test."""
    yield
    while WORKERS:
        WORKERS.popitem()[1].close()


def judge(target: str, texts: Sequence[str]) -> list[Verdict]:
    """Return the verdicts of the worker for a target."""
    if target not in WORKERS:
        command = find_worker(target)
        assert command is not None
        WORKERS[target] = OracleProcess(command)
    return WORKERS[target].judge(texts)


def conformance(folder: str) -> dict[str, Verdict]:
    """Return the verdicts on a folder of test262's parser tests, scripts and modules each by their goal."""
    paths = sorted((CONFORMANCE / folder).glob("*.js"))
    verdicts: dict[str, Verdict] = {}
    for goal, chosen in (
        ("module", [path for path in paths if path.name.endswith(".module.js")]),
        ("script", [path for path in paths if not path.name.endswith(".module.js")]),
    ):
        texts = [path.read_bytes().decode() for path in chosen]
        found = judge(f"next {goal}", texts)
        verdicts |= {path.name: verdict for path, verdict in zip(chosen, found, strict=True)}
    assert len(verdicts) > 500
    return verdicts


def test_programs_of_the_conformance_suite_are_accepted() -> None:
    """All parsers accept each program of test262's parser tests."""
    assert {name: verdict for name, verdict in conformance("pass").items() if verdict.accepted is not True} == {}


def test_errors_of_the_conformance_suite_are_refused() -> None:
    """All parsers refuse each text that is no program, apart from those that became programs since, and two."""
    verdicts = conformance("fail")
    unlike = {name: verdict.accepted for name, verdict in verdicts.items() if verdict.accepted is not False}

    assert unlike == dict.fromkeys(YOUNGER, True) | dict.fromkeys(SPLIT, None)


def test_early_errors_of_the_conformance_suite_are_refused() -> None:
    """Texts with an early error are refused, most of them by the error's name; five are programs by now."""
    verdicts = conformance("early")
    named = [verdict for verdict in verdicts.values() if verdict.error.startswith("early ")]

    assert {name for name, verdict in verdicts.items() if verdict.accepted is not False} == ALLOWED_TWICE
    assert len(named) > len(verdicts) * 3 // 4


@pytest.mark.parametrize(
    ("target", "text", "name"),
    [
        ("script", "let a; let a", "redeclared"),
        ("script", "let let", "let as the name of a let"),
        ("script", "a: { break b }", "jump"),
        ("script", "a: a: b", "duplicate label"),
        ("script", "break", "jump"),
        ("script", "a = {__proto__: b, __proto__: c}", "duplicate __proto__"),
        ("script", "/(/", "regular expression"),
        ("script", "'use strict'; with (a) b", "strict mode"),
        ("script", "function f(a = 1) { 'use strict' }", "use strict beside parameters"),
        ("script", "(a, a) => 1", "duplicate parameter"),
        ("script", "class A { constructor() {} constructor() {} }", "duplicate constructor"),
        ("script", "class A { a() { this.#b } }", "undeclared private name"),
        ("script", "class A { #a; #a }", "private name"),
        ("script", "new.target", "new.target"),
        ("script", "function f() { super.a }", "super"),
        ("script", "class A { a = arguments }", "arguments in a field"),
        ("module", "export { a }", "undefined export"),
        ("module", "let a; export { a, a }", "duplicate export"),
        ("module jsx", "<a></b>", "closing tag"),
        ("ts", "declare let a = b", "TS1039"),
    ],
)
def test_an_early_error_has_its_name(target: str, text: str, name: str) -> None:
    """An error that depends on names, modes or the inside of a literal is named, and is not called one of syntax."""
    (verdict,) = judge(target, [text])

    assert verdict.accepted is False
    assert verdict.error.startswith(f"early {name} (")


def test_an_error_of_syntax_beside_an_early_error_is_found() -> None:
    """A text with an early error and an error of syntax after it is no program by its syntax."""
    (verdict,) = judge("script", ["let a; let a; (;"])

    assert verdict.accepted is False
    assert verdict.error.startswith("syntax ")


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("a => a", "2015"),
        ("a ** b", "2016"),
        ("async () => await a", "2017"),
        ("({...a} = b)", "2018"),
        ("try {} catch {}", "2019"),
        ("a ?? b?.c", "2020"),
        ("a ??= 1_000", "2021"),
        ("class A { static {} #a; b }", "2022"),
        ("#!/usr/bin/env node", "2023"),
        ("/[a&&b]/v", "2024"),
        ("import a from 'b' with { type: 'json' }", "2025"),
        ("{ using a = b }", "2026"),
        ("@a class B {}", "next"),
        ("import defer * as a from 'b'", "next"),
        ("import source a from 'b'", "next"),
        ("import.defer('a')", "next"),
    ],
)
def test_a_form_is_known_since_its_edition(text: str, first: str) -> None:
    """A text is a program in the edition that brought its form, and none in the one before."""
    editions = ["5", *map(str, range(2015, 2027)), "next"]
    at = editions.index(first)

    assert judge(f"{editions[at]} module" if at > 0 else "5 script", [text])[0].accepted is True
    assert judge(editions[at - 1], [text])[0].accepted is not True


@pytest.mark.parametrize(
    ("text", "first", "before"),
    [
        ("let a = b satisfies C", "4.9", None),
        ("function f<const T>() {}", "5.0", "4.9"),
        ("{ using a = b }", "5.2", "5.1"),
        ("import a from 'b' with { type: 'json' }", "5.3", "5.2"),
    ],
)
def test_a_form_of_typescript_is_known_since_its_version(text: str, first: str, before: str | None) -> None:
    """A text is a program in the version that brought its form, and none in the one before."""
    assert judge(f"ts {first}", [text])[0].accepted is True
    assert before is None or judge(f"ts {before}", [text])[0].accepted is False


def test_each_kind_of_file_is_read_as_what_it_is() -> None:
    """The same text is a program in one kind of file and none in another."""
    texts = ["let a = <b>c", "let a = <b>c</b>", "let a: B", "declare let a: B", "{a}"]

    kinds = {kind: [found.accepted for found in judge(kind, texts)] for kind in ("ts", "tsx", "jsx", "script", "d.ts")}
    assert kinds["ts"] == [True, False, True, True, True]
    assert kinds["tsx"] == [False, True, True, True, True]
    assert kinds["jsx"] == [False, True, False, False, True]
    assert kinds["script"] == [False, False, False, False, True]
    assert kinds["d.ts"][3] is True


def test_every_parser_is_asked() -> None:
    """With `--each` the worker says what every parser that knows the form answered; V8 abstains from a younger one."""
    command = find_worker("module")
    assert command is not None
    found, younger, decorated = answers(command, ["a", "{ using a = b }", "@a class B {}"])

    assert set(found) == {"acorn", "babel", "oxc", "v8"}
    assert set(younger) == {"acorn", "babel", "oxc"}
    assert set(decorated) == {"acorn", "babel", "v8"}


@pytest.mark.parametrize(
    ("target", "accepted"),
    [
        ("jsonc", [True, True, False, False]),
        ("jsonc strict", [True, False, False, False]),
        ("jsonc tsconfig", [True, False]),
    ],
)
def test_json_with_comments(target: str, accepted: list[bool]) -> None:
    """Comments are read everywhere, a trailing comma unless `strict` forbids it, and other additions nowhere."""
    texts = ['{"a": 1, // b\n/* c */ "d": []}', "[1,]", "{a: 1}", "[,]"]

    assert [verdict.accepted for verdict in judge(target, texts[: len(accepted)])] == accepted


def test_a_text_of_any_length_and_letters_is_answered() -> None:
    """Texts longer than a pipe holds, letters beyond the basic plane and empty texts keep their order."""
    texts = ["'𐐷'", "", "a;" * 100_000, "(", "1"]

    assert [verdict.accepted for verdict in judge("script", texts)] == [True, True, True, False, True]


@pytest.mark.parametrize("kind", ["js", "mjs", "jsx", "ts", "tsx", "d.ts", "jsonc"])
def test_the_corpus_has_files_of_each_kind(kind: str) -> None:
    """Files of every kind are at hand, and of some of them at most one is no program."""
    paths: list[Path] = sorted(path for path in (FILES / kind).rglob("*") if path.is_file())
    chosen = paths[:: max(1, len(paths) // 4)]
    found = judge({"js": "", "mjs": "module"}.get(kind, kind), [path.read_bytes().decode() for path in chosen])

    assert len(paths) > 10
    assert sum(verdict.accepted is True for verdict in found) >= len(found) - 1


def test_a_text_that_a_parser_does_not_survive_has_no_verdict() -> None:
    """A nesting that is too deep for a parser's stack has no verdict, and the next text has one."""
    verdicts = judge("script", ["[" * 100_000 + "]" * 100_000, "1"])

    assert [verdict.accepted for verdict in verdicts] == [None, True]
