"""Modules of JavaScript, without and with JSX: what the narrower grammars read, and which texts they are chosen for."""

from __future__ import annotations

import re

import pytest
from tests.grammars.cases import Case, read_cases
from tests.languages import shared_language
from tests.oracles.javascript.parsers import CONFORMANCE, FILES, verdicts

from dovetail.grammar.library import narrower_reading, reading_of

CASES = read_cases("javascriptmodule")
OTHERS = [
    *((case, "javascriptmodule", "next module") for case in read_cases("javascript")),
    *((case, "javascriptreactmodule", "next module jsx") for case in read_cases("javascriptreact")),
]
"""The cases of the wider languages, with the narrower one and what its parsers are asked for."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Case) -> None:
    """A case is accepted, or refused, as its folder says, with JSX and without."""
    for name in ("javascriptmodule", "javascriptreactmodule"):
        assert shared_language(name).accepts(case.text) == case.valid


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_is_read_as_a_module(case: Case) -> None:
    """The signs of a module are found in each."""
    assert reading_of("javascript", case.text) == "javascriptmodule"
    assert reading_of("javascriptreact", case.text) == "javascriptreactmodule"


def test_cases_are_true() -> None:
    """The cases say what the parsers say of a module, where `make javascript-parsers` has fetched them."""
    judged = list(zip(CASES, verdicts("next module", [case.text for case in CASES]), strict=True))

    # One of the parsers takes this for a comment of HTML.
    assert {case.name for case, verdict in judged if verdict.accepted is None} == {"valid-less_not_minus_minus"}
    assert [case.name for case, verdict in judged if verdict.accepted not in (None, case.valid)] == []


@pytest.mark.parametrize(("name", "words"), sorted({(name, words) for _, name, words in OTHERS}))
def test_the_cases_of_the_wider_language_are_read_as_the_parsers_read_modules(name: str, words: str) -> None:
    """But for early errors, of which no grammar knows, and for texts about which the parsers disagree."""
    cases = [case for case, narrower, _ in OTHERS if narrower == name]
    language = shared_language(name)
    wrong = [
        case.name
        for case, verdict in zip(cases, verdicts(words, [case.text for case in cases]), strict=True)
        if verdict.accepted is not None
        and not verdict.error.startswith("early ")
        and language.accepts(case.text) != verdict.accepted
    ]

    assert cases
    assert wrong == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_is_what_it_is_wherever_it_is_cut(case: Case) -> None:
    """Nothing inserted, a valid text is accepted and an invalid one is not."""
    chosen, text = shared_language("javascriptmodule"), case.text
    cuts = [chosen.quotient(text[:at], text[at:], tolerant=False) for at in range(0, len(text) + 1, 5)]

    assert [quotient.start.accepting for quotient in cuts] == [case.valid] * len(cuts)
    assert all(quotient.viable for quotient in cuts) or not case.valid


def test_modules_of_the_conformance_suite() -> None:
    """Each is accepted, but for those that need `yield` as a name."""
    paths = sorted((CONFORMANCE / "pass").glob("*.module.js"))
    if not paths:
        pytest.skip("no conformance suite at hand; `make javascript-parsers` fetches it")
    language = shared_language("javascriptmodule")
    texts = [path.read_bytes().decode() for path in paths]

    assert [text for text in texts if not language.accepts(text) and not re.search(r"\byield\b", text)] == []


@pytest.mark.long
@pytest.mark.parametrize(("folder", "name"), [("js", "javascript"), ("mjs", "javascript"), ("jsx", "javascriptreact")])
def test_no_file_is_taken_for_a_module_that_is_none(folder: str, name: str) -> None:
    """A file of the packages that the wider language accepts is accepted in the reading that is chosen for it."""
    files = [path for path in sorted((FILES / folder).rglob("*")) if path.is_file()]
    if not files:
        pytest.skip("no files of packages at hand; `make javascript-parsers` fetches them")
    wrong, modules = [], 0
    for path in files:
        text = path.read_bytes().decode(errors="replace")
        narrower = narrower_reading(name, text)
        modules += narrower != name
        if narrower != name and not shared_language(narrower).accepts(text):
            wrong += [path.name] * shared_language(name).accepts(text)

    assert modules > len(files) / 4
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        "const text = `\nimport a from 'b'\n`;\nreturn text;",  # in a template
        "/*\nexport default 1;\n*/\nreturn;",  # in a comment
        "const page = `${text}\nexport default 1;\n`;\nreturn;",
        "const page = `${list('a')}\nexport default 1;\n`;\nreturn;",  # from such a field on nothing is told
        "import('a');\nreturn;",
        "import.meta;\nreturn;",
        "exports.a = 1;\nreturn;",
        "f(\n  imported,\n  exportdefault\n);\nreturn;",
    ],
)
def test_a_text_without_a_sign_is_read_as_either(text: str) -> None:
    """A sign that is no code is none, and where that cannot be told, the wider language reads the text."""
    assert reading_of("javascript", text) == "javascript"
    assert shared_language("javascript").accepts(text)
