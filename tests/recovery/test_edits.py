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
TYPED = [
    "\r",
    "\r\n",
    "x",
    "(",
    ")",
    "'",
    '"""',
    "#",
    "\n",
    " ",
    "    ",
    ":",
    "if x:\n",
    "else:\n",
    "= ",
    "def f(",
    "]",
    "@",
    ",",
]


def test_what_is_left_out_after_the_cursor_is_found_anew(python: Language) -> None:
    """An edit before the cursor may move other lines to the places of those that were left out."""
    right = "\n    else: 1234\n    xy = = 123\n    except: 12\n"
    before, after = "def f():\n    if x: 1", "def f():\n    try: " + "x" * 17
    document = python.document(before + right)
    document.quotient(len(before))

    document.edit(0, len(before), after)

    edited, fresh = document.quotient(len(after)), python.quotient(after, right)
    assert edited.right.text == fresh.right.text
    assert edited.start.accepting
    assert fresh.start.accepting


@pytest.mark.parametrize("line", ["# c\n", "\n", "    \n", "  # c\r\n", "\\\n", "\f\n"])
@pytest.mark.parametrize("count", [1, 2, 30])
def test_blank_lines_after_the_cursor_leave_no_trace(python: Language, line: str, count: int) -> None:
    """However many lines without content come first, and whatever was asked before, a program is one."""
    left, right = "if x:\n    y\n", line * count + "    z\nw\n"
    quotient = python.quotient(left, right)

    for middle in ("", "\n", "    ", "    a\n", "b\n", "    a\n  ", "#", "if q:\n", "        a\n", "else:\n"):
        assert quotient.start.accepts(middle) == python.accepts(left + middle + right), middle


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


@pytest.mark.parametrize("line_end", ["\n", "\r"])
@pytest.mark.parametrize("seed", [*range(12), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(12, 40))])
def test_edits_leave_nothing_behind(python: Language, seed: int, line_end: str) -> None:
    """The same is left out, and the same fits, wherever the cursor goes between edits that break and mend."""
    random = Random(seed)
    document = python.document(PROGRAM.replace("\n", line_end))
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
    """Parts that were left out of texts that are gone do not count."""
    document = python.document("x = 1\ny = )\nz = \n")
    for _ in range(300):
        document.edit(10, 11, "]")
        document.quotient(len(document.text) - 1)
        document.edit(10, 11, ")")

        assert document.quotient(len(document.text) - 1).viable
