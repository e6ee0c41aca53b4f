"""A document under edit answers as its text does afresh, whatever was read and broken before."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from dovetail import Language

PROGRAM = '''"""Prices."""

import os


class Shop:
    """Sells things."""

    def __init__(self, prices, rate=0.2):
        self.prices = {
            name: price
            for name, price in prices.items()
        }
        self.rate = rate

    @property
    def total(self):
        """Return what all of it costs."""
        try:
            return sum(self.prices.values(), 0) * (1 + self.rate)
        except TypeError as error:
            raise ValueError("no price") from error
        finally:
            os.sync()

    def cheapest(self, count):
        while count > 0:
            for name, price in sorted(self.prices.items(), key=lambda pair: pair[1]):
                if price < count:
                    yield name
                else:
                    break
            count -= 1


print(Shop({"a": 1}).total)
'''
TYPED = ["x", "(", ")", "'", '"""', "#", "\n", " ", "    ", ":", "if x:\n", "else:\n", "= ", "def f(", "]", "@", ","]


def edit(random: Random, text: str) -> tuple[int, int, str]:
    """Return an edit: something is typed, erased, or a line is lost or comes twice."""
    at = random.randrange(len(text) + 1)
    kind = random.random()
    if kind < 0.5:
        return at, at, random.choice(TYPED)
    if kind < 0.75:
        return at, min(len(text), at + random.randint(1, 8)), ""
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at) + 1 or len(text)
    return start, end, random.choice(["", 2 * text[start:end]])


@pytest.mark.parametrize("seed", range(40))
def test_edits_leave_nothing_behind(python: Language, seed: int) -> None:
    """The same is left out, and the same fits, wherever the cursor goes between edits that break and mend."""
    random = Random(seed)
    document = python.document(PROGRAM)
    for _ in range(10):
        if random.random() < 0.7:
            document.edit(*edit(random, document.text))
        offset = random.randrange(len(document.text) + 1)
        quotient = document.quotient(offset)
        fresh = python.quotient(document.text[:offset], document.text[offset:])

        assert quotient.ignored == fresh.ignored
        assert quotient.viable == fresh.viable
        assert not fresh.viable or quotient.start.closing() == fresh.start.closing()


def test_many_broken_edits_do_not_use_up_patience(python: Language) -> None:
    """What was left out of texts that are gone does not count."""
    document = python.document("x = 1\ny = )\nz = \n")
    for _ in range(300):
        document.edit(10, 11, "]")
        document.quotient(len(document.text) - 1)
        document.edit(10, 11, ")")

        assert document.quotient(len(document.text) - 1).viable
