"""The indentation of a block, character by character, with all that may stand in it, judged by the interpreter."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from tests.exhaustive.comparison import Comparison
from tests.exhaustive.test_python import REPORTED, reads
from tests.oracles.cpython import TARGET
from tests.oracles.cuts import Middles, strings

import dovetail

HEADER = "if x:\n"
ALPHABETS = {
    "spaces": "\\\n x",
    "tabs": "\\\n\tx",
    "tabs and spaces": "\n\t x",
    "form feeds": "\n\f x",
    "fixed columns": "\\\n \tx",
    "fixed and begun anew": "\\\n\f x",
}


def bodies(alphabet: str, length: int) -> list[str]:
    """Return what may follow the header, up to a length."""
    texts = (HEADER + body for body in strings(alphabet, length))
    return [text for text in texts if text.count("\\") == text.count("\\\n") and "x" in text[3:] and reads(text)]


def compared(alphabet: str, length: int) -> tuple[Comparison, list[str]]:
    """Return Python with brute force over bodies up to a length as its oracle, and those bodies."""
    texts = bodies(alphabet, length)
    language = dovetail.load_language("python", target=TARGET)
    return Comparison(language, Middles(texts), reads, alphabet, len(HEADER) + length), texts


@pytest.mark.parametrize("name", ALPHABETS)
def test_all_short_bodies_in_all_cuts(name: str) -> None:
    """With the header on the left, every left, middle and right of a few characters."""
    comparison, _ = compared(ALPHABETS[name], 7 if len(ALPHABETS[name]) == 4 else 6)
    length = 3
    sides = list(strings(comparison.alphabet, length))
    found = (
        report
        for left in sides
        for right in sides
        if len(left) + len(right) <= length
        for report in comparison.disagreements(HEADER + left, right, length - len(left) - len(right))
    )

    assert list(islice(found, REPORTED)) == []


@pytest.mark.parametrize("name", ALPHABETS)
@pytest.mark.parametrize("count", [3, pytest.param(60, marks=pytest.mark.long)])
def test_bodies_in_all_cuts(name: str, count: int) -> None:
    """Some longer bodies, with a hole of every size at every place, and what may be put into it."""
    comparison, texts = compared(ALPHABETS[name], 8 if len(ALPHABETS[name]) == 4 else 7)
    chosen = Random(name).sample([text for text in texts if len(text) > len(HEADER) + 4], count)

    found = (
        report
        for text in chosen
        for low in range(len(HEADER), len(text) + 1)
        for high in range(low, len(text) + 1)
        for report in comparison.disagreements(text[:low], text[high:], 2)
    )

    assert list(islice(found, REPORTED)) == []
