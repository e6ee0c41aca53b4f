"""Broken documents of a language without statements: what is kept, and that the true middle fits."""

from __future__ import annotations

import re

import pytest
from tests.fuzz.broken import kept
from tests.languages import shared_language

CURSOR = "‸"

CASES = {
    "a comma lost above": (
        '{\n  "a": 1\n  "b": ‸2,\n  "c": 3\n}\n',
        '{\n  "a": 1\n,  "b": ‸2,\n  "c": 3\n}\n',
    ),
    "a comma lost below": (
        '{\n  "a": ‸1,\n  "b": 2\n  "c": 3\n}\n',
        '{\n  "a": ‸1,\n  "b": 2\n,  "c": 3\n}\n',
    ),
    "a comma too many below": ('{\n  "a": ‸1,\n  "b": 2,\n}\n', '{\n  "a": ‸1,\n  "b": 2\n}\n'),
    "a comma too many above": (
        '{\n  "a": [\n    1,\n  ],\n  "b": ‸2\n}\n',
        '{\n  "a": [\n    1\n  ],\n  "b": ‸2\n}\n',
    ),
    "a line that fits nothing": ('{\n  a: 1,\n  "b": ‸2\n}\n', '{\n  "b": ‸2\n}\n'),
    "the last line fits nothing": ('{\n  "a": ‸1,\n  "b": tru\n}\n', '{\n  "a": ‸1,\n"":0}\n'),
    "a bracket that nothing closes, above": (
        '{\n  "a": [\n    1,\n    2\n  "b": ‸2\n}\n',
        '{\n  "a": [\n    1,\n    2\n],  "b": ‸2\n}\n',
    ),
    "a bracket that nothing closes, below": (
        '{\n  "a": ‸1,\n  "b": {\n    "c": 2\n}\n',
        '{\n  "a": ‸1,\n  "b": {\n    "c": 2\n}\n}',
    ),
    "a merge conflict": (
        '{\n<<<<<<< a\n  "a": ‸1,\n=======\n  "a": 2,\n>>>>>>> b\n  "c": 3\n}\n',
        '{\n  "a": ‸1,\n  "c": 3\n}\n',
    ),
    "the cursor's line lacks a value and a comma": (
        '{\n  "a": ‸1,\n  "b": 2 3,\n  "c": 3\n}\n',
        '{\n  "a": ‸1,\n  "c": 3\n}\n',
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_value_fits(name: str) -> None:
    """The value at the cursor makes a program of what is kept, in which lines are left out or missing signs put in."""
    document, wanted = (re.sub(f"{CURSOR}[0-9]", CURSOR, text) for text in CASES[name])
    value = CASES[name][0].partition(CURSOR)[2][0]
    language = shared_language("json")
    left, right = document.split(CURSOR)
    quotient = language.quotient(left, right)
    before, after = kept(quotient, left, right)

    assert before + CURSOR + after == wanted
    assert quotient.start.accepts(value)
    assert language.accepts(before + value + after)
    assert not language.quotient(left, right, tolerant=False).viable


@pytest.mark.parametrize("name", CASES)
def test_a_document_under_edit_is_repaired_alike(name: str) -> None:
    """Written key by key, a document has the answer of its text."""
    left, right = re.sub(f"{CURSOR}[0-9]", CURSOR, CASES[name][0]).split(CURSOR)
    language = shared_language("json")
    document = language.document("")
    for end in range(len(left)):
        document.edit(end, end, left[end])
    document.edit(len(left), len(left), right)
    written, whole = document.quotient(len(left)), language.quotient(left, right)

    assert written.ignored == whole.ignored
    assert written.start.closing() == whole.start.closing()


def test_a_text_of_prose_is_none() -> None:
    """Nothing is made of a text that is no JSON at all."""
    assert not shared_language("json").quotient("Once upon a time,\n" * 500, "there were two texts.\n").viable
