"""JSON with comments, case by case and over short texts, each also against VS Code's own parser where it is at hand."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from tests.grammars.cases import Case, read_cases
from tests.languages import shared_language
from tests.oracles.javascript.parsers import FILES, find_worker

import dovetail
from dovetail.comparison.oracle_process import OracleProcess
from dovetail.grammar.library import languages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.engine.language import Language

VERSIONS = languages()["jsonc"].versions
CASES = read_cases("jsonc")
PIECES = ["[", "]", "{", "}", ",", ":", '""', "1", "//", "/*", "*/", "/", "\n"]
"""Pieces of short texts: the brackets, what stands between them, and the signs of comments."""


def language(version: str) -> Language:
    return shared_language("jsonc", version)


def parser(version: str, texts: Sequence[str]) -> list[bool | None]:
    """Return VS Code's verdicts; skip the test where its parser is not at hand."""
    command = find_worker({"comments": "jsonc strict", "trailing": "jsonc"}[version])
    if command is None:
        pytest.skip("no jsonc-parser at hand; `make javascript-parsers` fetches it")
    judge = OracleProcess(command)
    verdicts = judge.judge(texts)
    judge.close()
    return [verdict.accepted for verdict in verdicts]


@pytest.mark.parametrize("version", VERSIONS)
def test_cases_are_true(version: str) -> None:
    """The cases say what VS Code's parser says."""
    cases = [case for case in CASES if version in case.among(VERSIONS)]

    assert parser(version, [case.text for case in cases]) == [case.valid for case in cases]


@pytest.mark.parametrize("case", read_cases("json"), ids=lambda case: case.name)
@pytest.mark.parametrize("version", VERSIONS)
def test_json_is_json_with_comments(case: Case, version: str) -> None:
    """A text of JSON is one of JSON with comments; another text is none, but for its comments and trailing commas."""
    added = {"invalid-comment": True, "invalid-trailing_comma_in_array": None, "invalid-trailing_comma_in_object": None}
    expected = added.get(case.name, case.valid)

    assert language(version).accepts(case.text) == (version == "trailing" if expected is None else expected)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("count", [3, pytest.param(4, marks=pytest.mark.long)])
def test_every_short_text(version: str, count: int) -> None:
    """All texts of a few pieces are read as VS Code's parser reads them, alone and in an array."""
    insides = ["".join(pieces) for length in range(count + 1) for pieces in product(PIECES, repeat=length)]
    texts = [*insides, *(f"[{inside}\n]" for inside in insides)]
    verdicts = parser(version, texts)

    assert {text: verdict for text, verdict in zip(texts, verdicts, strict=True) if verdict is None} == {}
    assert [
        text for text, verdict in zip(texts, verdicts, strict=True) if language(version).accepts(text) != verdict
    ] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_is_what_it_is_wherever_it_is_cut(case: Case) -> None:
    """Nothing inserted, a valid text is accepted and an invalid one is not, in the newest version that it is for."""
    chosen, text = language(case.among(VERSIONS)[-1]), case.text
    cuts = [chosen.quotient(text[:at], text[at:], tolerant=False) for at in range(0, len(text) + 1, 2)]

    assert [quotient.start.accepting for quotient in cuts] == [case.valid] * len(cuts)
    assert all(quotient.viable for quotient in cuts) or not case.valid


@pytest.mark.parametrize("case", [case for case in CASES if case.valid], ids=lambda case: case.name)
def test_the_beginning_of_a_text_is_closed(case: Case) -> None:
    """Every beginning of a valid text has a closing, and with it is a text of the language."""
    chosen, text = language(case.among(VERSIONS)[-1]), case.text
    for at in range(0, len(text), 3):
        closing = chosen.quotient(text[:at], "", tolerant=False).start.closing()

        assert closing is not None
        assert chosen.accepts(text[:at] + closing)


def test_a_comma_trails_only_where_it_may() -> None:
    """Before a closing bracket a comma is offered in the version `trailing`, and in no other version nor in JSON."""
    offered = {
        name: chosen.quotient("[1", "]").start.advance(",")
        for name, chosen in {version: language(version) for version in VERSIONS}.items()
    } | {"json": dovetail.load_language("json").quotient("[1", "]").start.advance(",")}

    assert {name: state is not None and state.accepting for name, state in offered.items()} == {
        "comments": False,
        "trailing": True,
        "json": False,
    }


def test_a_comment_begins_only_where_it_may() -> None:
    """A comment may begin between two lexemes in both versions, and nowhere in JSON."""
    begun = {version: language(version).quotient("[1, ", "\n2]").start.advance("//") for version in VERSIONS}

    assert all(state is not None and state.accepting for state in begun.values())
    assert dovetail.load_language("json").quotient("[1, ", "\n2]").start.advance("/") is None
    assert language("trailing").quotient('["a', '"]').start.advance("//") is not None
    swallowing = language("trailing").quotient("[1, ", "2]").start.advance("//")
    assert swallowing is not None
    assert not swallowing.accepting


def test_files_of_packages_are_read() -> None:
    """The configurations that packages ship are accepted, whole and cut."""
    paths = sorted(path for path in (FILES / "jsonc").rglob("*") if path.is_file())
    if not paths:
        pytest.skip("no files of packages at hand; `make javascript-parsers` fetches them")
    texts = [path.read_bytes().decode() for path in paths]

    assert [path for path, text in zip(paths, texts, strict=True) if not language("trailing").accepts(text)] == []
    assert all(language("trailing").quotient(text[: len(text) // 2], text[len(text) // 2 :]).viable for text in texts)
