"""The facts about languages that people, editors and other programs go by."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from dovetail.grammar.errors import GrammarError
from dovetail.grammar.facts import Facts, NarrowerTexts, Notebook, Oracle, SignedTexts, read_facts
from dovetail.grammar.library import (
    facts_of,
    language_called,
    language_of,
    language_run,
    languages,
    running_language,
)
from dovetail.grammar.oracle import verdict

PATH = Path("tea.toml")


def test_a_description_without_facts() -> None:
    """The name of the files is the title and the editors' identifier; nothing else is known."""
    assert read_facts(PATH, {}) == Facts(name="tea", title="tea", identifiers=("tea",))


def test_all_facts() -> None:
    """Each key of a description becomes a field."""
    header = tomllib.loads("""
        title = "Tea"
        identifiers = ["tea", "tisane"]
        extensions = [".tea"]
        files = {"teapot" = "1", "kitchen/*.txt" = "2"}
        versions = ["1", "2"]
        interpreters = {pot = "", "pot*" = "2"}
        comment = "--"
        documentation = '"'
        imports = 'use (?P<names>\\w+)'
        declarations = 'let (?P<name>\\w+)'
        [oracle]
        call = "ast:parse"
        limits = ["too hot"]
        [notebook]
        command = '!'
        statement = "0-"
        cell = '%%(?P<name>\\w*)'
        transparent = ["time"]
        [sample]
        left = "a"
        right = "b"
        [also_reads]
        language = "leaves"
        signs = ["steam"]
        [narrower]
        language = "green"
        sign = "leaf"
        passed = "."
        rules = ["leaf"]
        hint = "l"
    """)

    assert read_facts(PATH, header) == Facts(
        name="tea",
        title="Tea",
        identifiers=("tea", "tisane"),
        extensions=(".tea",),
        files={"teapot": "1", "kitchen/*.txt": "2"},
        versions=("1", "2"),
        interpreters={"pot": "", "pot*": "2"},
        comment="--",
        documentation='"',
        imports=r"use (?P<names>\w+)",
        declarations=r"let (?P<name>\w+)",
        oracle=Oracle("ast:parse", ("too hot",)),
        notebook=Notebook("!", "0-", r"%%(?P<name>\w*)", frozenset({"time"})),
        sample=("a", "b"),
        also_reads=SignedTexts("leaves", ("steam",)),
        narrower=NarrowerTexts("green", "leaf", ".", ("leaf",), "l"),
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("oracle = { call = 'ast.parse' }", "[oracle] names the function 'ast.parse'; write it as `module:function`."),
        ("oracle = { cal = 'x' }", "a fact about the language has the wrong form"),
        ("sample = { left = 'a' }", "[sample] lacks `right`; add it."),
        ("notebook = { command = '(', statement = '', cell = '' }", "`command` is no regular expression"),
        ("documentation = '('", "`documentation` is no regular expression"),
        ("imports = '('", "`imports` is no regular expression"),
        ("imports = 'use'", "`imports` lacks a group `names`"),
        ("declarations = 'let'", "`declarations` lacks a group `name`"),
        ("oracle = { call = 'a:b', undecided = '(' }", "`undecided` is no regular expression"),
        ("versions = ['new']\nrequirement = { file = 'a', key = 'b' }", "`versions` have to be two numbers each"),
        ("versions = ['1']\ninterpreters = { pot = '3' }", "[interpreters] gives 'pot' the version '3'; name one of"),
        ("also_reads = { signs = ['a'] }", "a fact about the language has the wrong form"),
        ("narrower = { language = 'a' }", "a fact about the language has the wrong form"),
        ("narrower = { language = 'a', sign = '(', passed = '' }", "`sign` is no regular expression"),
        ("requirement = { fil = 'a' }", "a fact about the language has the wrong form"),
    ],
)
def test_a_wrong_fact_is_one_sentence(text: str, sentence: str) -> None:
    """The sentence names the file and the key."""
    with pytest.raises(GrammarError) as caught:
        read_facts(PATH, tomllib.loads(text))

    assert str(caught.value).startswith("tea.toml: ")
    assert sentence in str(caught.value)


def test_languages_that_nobody_asks_for_are_not_listed() -> None:
    """Narrower languages have facts of their own, and no name in an editor and no file leads to them."""
    narrower = {facts.narrower.language for facts in languages().values() if facts.narrower is not None}

    assert narrower == {"javascriptmodule", "javascriptreactmodule"}
    assert narrower.isdisjoint(languages())
    assert {facts_of(name).title for name in narrower} == {"JavaScript", "JavaScript JSX"}
    assert all(facts_of(name).versions == facts_of("javascript").versions for name in narrower)


def test_the_default_target_is_the_version_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only for the language that runs Dovetail, and only for a version that the grammar knows."""
    monkeypatch.setattr("dovetail.grammar.facts.sys", _Interpreter("teapot", 9, 2))
    facts = Facts("tea", "Tea", versions=("9.1", "9.2"), implementations=("teapot",))

    assert facts.default_target == "9.2"
    assert Facts("tea", "Tea", versions=("9.1",), implementations=("teapot",)).default_target is None
    assert Facts("tea", "Tea", versions=("9.2",), implementations=("kettle",)).default_target is None


class _Interpreter:
    """As much of `sys` as facts look at."""

    def __init__(self, name: str, major: int, minor: int) -> None:
        self.implementation = type("implementation", (), {"name": name})
        self.version_info = type("version_info", (), {"major": major, "minor": minor})


def test_languages_are_found_by_what_files_and_editors_call_them() -> None:
    """Every extension and every identifier leads back to its language, and none to two."""
    extensions = [extension for facts in languages().values() for extension in facts.extensions]
    identifiers = [identifier for facts in languages().values() for identifier in facts.identifiers]

    assert len(extensions) == len(set(extensions))
    assert len(identifiers) == len(set(identifiers))
    for name, facts in languages().items():
        assert {language_of(f"a/b{extension}") for extension in facts.extensions} == {name}
        assert {language_called(identifier) for identifier in facts.identifiers} == {name}
    assert language_called("no language") is None


@pytest.mark.parametrize(
    ("path", "name", "version"),
    [
        ("a/tsconfig.json", "jsonc", "trailing"),
        ("TSCONFIG.Build.json", "jsonc", "trailing"),
        ("a/.vscode/launch.json", "jsonc", "trailing"),
        ("a/.eslintrc", "jsonc", "comments"),
        ("file:///a/.eslintrc.json", "jsonc", "comments"),
        ("a/launch.json", "json", None),
        ("a/mytsconfig.json", "json", None),
        ("a/tsconfig.json/b.json", "json", None),
        ("a/b.jsonc", "jsonc", None),
    ],
)
def test_a_whole_name_goes_before_an_ending(path: str, name: str, version: str | None) -> None:
    """A file whose name a description tells belongs to that language, in that version, whatever its ending."""
    assert language_of(path) == name
    assert languages()[name].version_of(path) == version


def test_the_versions_of_file_names_are_known() -> None:
    """A name with a version that the language does not have is refused."""
    with pytest.raises(GrammarError, match=r"gives 'a\.json' the version '2'; name one of `versions`"):
        read_facts(PATH, {"versions": ["1"], "files": {"a.json": "2"}})


def test_the_interpreter_has_a_language() -> None:
    """The tests run under an interpreter of a language that Dovetail knows."""
    assert running_language().is_running


def test_an_oracle_that_warns_accepts() -> None:
    """A text that only warns is a program."""
    assert verdict(Oracle("ast:parse"), "1 is 1").accepted is True


def test_an_oracle_that_gives_up_says_nothing() -> None:
    """A message about the parser's own limits, or a text about which it is wrong, is no verdict."""
    assert verdict(Oracle("ast:parse", limits=("invalid syntax",)), "x x").accepted is None
    assert verdict(Oracle("ast:parse", undecided="z"), "z").accepted is None
    assert verdict(Oracle("ast:parse"), "x x") == (False, "line 1: invalid syntax")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("#!/usr/bin/env python3", ("python", None)),
        ("#! /usr/bin/python3.9 -I", ("python", "3.9")),
        ("#!/opt/python3.99", ("python", None)),
        ("#!/usr/bin/env -S PYTHONPATH=a node --test", ("javascript", None)),
        ("#!/usr/bin/luajit", ("lua", "luajit")),
        ("#!/usr/bin/lua5.1", ("lua", "5.1")),
        ("#!/usr/bin/env tsx", ("typescript", None)),
        ("#!/usr/bin/python2", None),
        ("#!/bin/sh", None),
        ("#!/usr/bin/env", None),
        ("#!", None),
        ("# /usr/bin/python3", None),
        ("/usr/bin/python3", None),
        ("", None),
    ],
)
def test_the_first_line_of_a_script_tells_its_language(line: str, found: tuple[str, str | None] | None) -> None:
    """The program that it names, by itself or through `env`, and the program's name alone may tell the version."""
    assert language_run(line) == found


def test_no_program_runs_two_languages() -> None:
    """A first line has one meaning, whatever the order of the languages."""
    programs = [program for facts in languages().values() for program in facts.interpreters]

    assert len(programs) == len(set(programs))
