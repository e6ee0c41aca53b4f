"""Python over a few characters at a time: every text up to a length, every cut, judged by the interpreter."""

from __future__ import annotations

import sys
from itertools import islice
from random import Random

import pytest
from tests.exhaustive.comparison import Comparison, cuts_of, every_cut, some_cuts
from tests.oracles.cpython import TARGET, parses
from tests.oracles.cuts import Middles, accepted, strings

import dovetail

ALPHABETS = {
    "calls": "x(,)=*\n",
    "displays": "x[]{}:,",
    "strings": "'\"\\\nbx",
    "comments": "#x\\\n (",
    "blocks": "ifx:\n ",
    "columns": "ifx:\n\t ",
    "numbers": "01_.exj",
    "operators": "x+-=:!<",
    "soft keywords": "case:_\n ",
    "line ends": "x\r\n\f\\",
}
if sys.version_info >= (3, 12):
    ALPHABETS["replacement fields"] = "f'{x}!:"

LONGER = [
    "if x:\n  if x:\n   x\n  x\nx",
    "if x:\n\tx\n\n#x\n\tif(x\n):x\n",
    "x=f(x,*x,x=x,**x)[x:x]",
    "x={x:'',**x}\nx={x,*x}\n",
    "'''x\n''' \"x'\"\\\n '\\''",
    "lambda x=x,*x:x if x else x",
    "class x(x):\n x:x=x\n",
    "match x:\n case[x,*_]:x\n",
    "for x,in x:x\nelse:x\n",
    "@x\ndef x(x,/,*,x):return x\n",
    "try:x\nexcept x as x:x\nfinally:x\n",
    "with(x as x,x):x\n",
    "if x:\n  if x:x\n  else:#x\n   x\nif x:\n x\n",
    "from x import*\nif x:\n x\n",
]
"""Programs with every kind of layout and most statements."""


REPORTED = 5
"""The number of disagreements that a failing test shows."""


def reads(text: str) -> bool:
    """Return whether the interpreter parses the text."""
    return parses(text) is True


def compared(alphabet: str, bound: int) -> Comparison:
    """Return Python with brute force over an alphabet up to a length as its oracle."""
    language = dovetail.load_language("python", target=TARGET)
    return Comparison(language, Middles(accepted(reads, alphabet, bound)), reads, alphabet, bound)


@pytest.mark.parametrize("name", ALPHABETS)
def test_every_text_is_read_as_the_interpreter_reads_it(name: str) -> None:
    """All short texts are accepted or refused as the interpreter does."""
    language = dovetail.load_language("python", target=TARGET)
    texts = list(strings(ALPHABETS[name], 5))

    assert [text for text in texts if language.accepts(text) != reads(text)][:REPORTED] == []


@pytest.mark.parametrize("name", ALPHABETS)
def test_every_text_and_every_cut(name: str) -> None:
    """No middle is wrongly refused or let through, and closings parse, around all short texts."""
    assert list(islice(every_cut(compared(ALPHABETS[name], bound=5), 2), REPORTED)) == []


@pytest.mark.parametrize("name", ALPHABETS)
def test_some_longer_texts_and_cuts(name: str) -> None:
    """The same around some of the longer texts."""
    comparison = compared(ALPHABETS[name], bound=6)

    assert list(islice(some_cuts(comparison, Random(name), 5, 60, 1), REPORTED)) == []


@pytest.mark.long
@pytest.mark.parametrize("name", ALPHABETS)
def test_every_longer_text_and_every_cut(name: str) -> None:
    """The same around all texts of one character more, and many longer ones."""
    comparison = compared(ALPHABETS[name], bound=7)

    assert list(islice(every_cut(comparison, 3), REPORTED)) == []
    assert list(islice(some_cuts(comparison, Random(name), 6, 2000, 1), REPORTED)) == []


@pytest.mark.parametrize("share", [7, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("text", LONGER)
def test_cuts_of_longer_texts(text: str, share: int) -> None:
    """At the places of a program, with holes of all sizes, what is viable has a closing that parses."""
    language = dovetail.load_language("python", target=TARGET)
    # The one program gives a middle for each hole, which is no proof that there is no shorter one.
    comparison = Comparison(language, Middles([text]), reads, "x", bound=-1)

    assert reads(text)
    assert list(islice(cuts_of(comparison, [text], 1, share), REPORTED)) == []
