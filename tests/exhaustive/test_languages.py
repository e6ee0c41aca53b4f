"""The engine against exact oracles and brute force on arithmetic, JSON, indentation and lexical traps."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random

import pytest
from tests.exhaustive.comparison import Comparison, cuts_of, every_cut
from tests.oracles import arithmetic, beginning, indented, interchange, lexical, neighbours, statements, sums, template
from tests.oracles.cuts import Middles, accepted, strings
from tests.oracles.extraction import Quotients

import dovetail

HERE = Path(__file__).parent
REPORTED = 5
"""The number of disagreements that a failing test shows."""


def compared(name: str, bound: int) -> Comparison:
    """Return a language with its oracle; `bound` is how far brute force looks where that is the oracle."""
    if name == "json":
        return Comparison(
            dovetail.load_language("json"),
            Quotients(interchange.CHARACTERS),
            interchange.accepts,
            interchange.ALPHABET,
        )
    if name == "arithmetic":
        return Comparison(
            dovetail.load_language(HERE / "arithmetic.lark"),
            Quotients(arithmetic.CHARACTERS),
            arithmetic.accepts,
            arithmetic.ALPHABET,
        )
    if name == "template":
        return Comparison(
            dovetail.load_language(HERE / "template.lark"),
            Quotients(template.CHARACTERS),
            template.accepts,
            template.ALPHABET,
        )
    if name == "statements":
        return Comparison(
            dovetail.load_language(HERE / "statements.lark"),
            Quotients(statements.CHARACTERS),
            statements.accepts,
            statements.ALPHABET,
        )
    if name == "sums":
        return Comparison(
            dovetail.load_language(HERE / "sums.lark"), Quotients(sums.CHARACTERS), sums.accepts, sums.ALPHABET
        )
    if name == "indented":
        # Deeper columns than this cannot be needed: the texts are shorter, and one column more opens a block.
        return Comparison(
            dovetail.load_language(HERE / "indented.lark"),
            Quotients(indented.characters(7), "\n"),
            indented.accepts,
            indented.ALPHABET,
        )
    reader, alphabet = {
        "tabs and comments": (indented.accepts, indented.FULL_ALPHABET),
        "lexical": (lexical.accepts, lexical.ALPHABET),
        "neighbours": (neighbours.accepts, neighbours.ALPHABET),
        "beginning": (beginning.accepts, beginning.ALPHABET),
    }[name]
    grammar = "indented" if name == "tabs and comments" else name
    return Comparison(
        dovetail.load_language(HERE / f"{grammar}.lark"),
        Middles(accepted(reader, alphabet, bound)),
        reader,
        alphabet,
        bound,
    )


@pytest.mark.parametrize(
    ("name", "length"),
    [
        ("arithmetic", 5),
        ("json", 3),
        ("statements", 5),
        ("sums", 5),
        ("template", 5),
        ("indented", 5),
        ("tabs and comments", 4),
        ("lexical", 5),
        ("neighbours", 6),
        ("beginning", 5),
    ],
)
def test_every_text_is_read_as_the_reference_reads_it(name: str, length: int) -> None:
    """All short texts are accepted or refused as by the reference reader."""
    comparison = compared(name, bound=0)
    texts = strings(comparison.alphabet, length)
    wrong = (text for text in texts if comparison.language.accepts(text) != comparison.accepts(text))

    assert list(islice(wrong, REPORTED)) == []


@pytest.mark.parametrize(
    ("name", "length"),
    [
        ("arithmetic", 3),
        ("json", 2),
        ("statements", 3),
        ("sums", 3),
        ("template", 3),
        ("indented", 3),
        ("tabs and comments", 3),
        ("lexical", 3),
        ("neighbours", 4),
        ("beginning", 3),
    ],
)
def test_every_text_and_every_cut(name: str, length: int) -> None:
    """Viable, accepting and closing are exact for every text up to a length, cut in every way."""
    comparison = compared(name, bound=length + 2)

    assert list(islice(every_cut(comparison, length), REPORTED)) == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "length"),
    [
        ("arithmetic", 5),
        ("json", 3),
        ("statements", 4),
        ("sums", 4),
        ("template", 4),
        ("indented", 5),
        ("tabs and comments", 4),
        ("lexical", 4),
        ("neighbours", 6),
        ("beginning", 4),
    ],
)
def test_every_longer_text_and_every_cut(name: str, length: int) -> None:
    """The same for longer texts."""
    comparison = compared(name, bound=length + 2)

    assert list(islice(every_cut(comparison, length), REPORTED)) == []


LONGER = {
    "arithmetic": ["(1+0)*(0 )", "1*((1)+0)", "10 + 1*0 "],
    "json": ['{"u":[0,null]}', '["\\u0001", -1.0e+1]', '[{"":{}},\n[]]', '"\\\\\\""'],
    "template": ["'{x:{x}}'", "[\"x:'{x 'x'}\" x]", "'{\"{[x]: ' }\"}'"],
    "statements": ["x / (/x(/\n/ x) \n\n/x/", "x((x)\n(x))/(x) (\nx)\nx\n", "/x/ / /(/\n/x/(\nx )"],
    "indented": [
        "b:\n a\n b:\n  a\na",
        "b :\n  (\na )\n  a\n\na",
        "b:\n b:\n  b:\n   a\n a\n",
        "(a(\n)a)\na",
    ],
    "tabs and comments": ["b:#\n\ta\n#a\n\ta", "b:\n \tb:\n \t a\n \ta\n", "b:\n a#(\n\n #\n a"],
    "lexical": ["a 1e ae '#'e", "++1e1+ +e#a\n1", "'a'a'ae'ae 11e1e"],
    "neighbours": ["-ab-bac-", "bbaba--b-ac"],
    "beginning": ["#!a(\n(a -(!#\n #a)", " -#!(\n#a(a)", "#! \n#a-)"],
}
"""Texts with every construction of each language."""


@pytest.mark.parametrize("name", LONGER)
def test_cuts_of_longer_texts(name: str) -> None:
    """The answers are exact at many places of longer texts, with holes and one character in them."""
    comparison = compared(name, bound=5)

    assert all(comparison.accepts(text) for text in LONGER[name])
    assert list(islice(cuts_of(comparison, LONGER[name], 1, share=3), REPORTED)) == []


@pytest.mark.long
@pytest.mark.parametrize("name", LONGER)
def test_every_cut_of_longer_texts(name: str) -> None:
    """The same at every place."""
    comparison = compared(name, bound=5)

    assert list(islice(cuts_of(comparison, LONGER[name], 1), REPORTED)) == []


@pytest.mark.parametrize("name", LONGER)
def test_spoiled_texts(name: str) -> None:
    """The answers are exact also around texts in which one character was lost, doubled or replaced."""
    comparison = compared(name, bound=5)
    random = Random(name)
    texts = []
    for text in LONGER[name]:
        for _ in range(2):
            place = random.randrange(len(text))
            texts.append(text[:place] + random.choice(["", *comparison.alphabet]) + text[place + 1 :])

    assert list(islice(cuts_of(comparison, texts, 0, share=3), REPORTED)) == []


@pytest.mark.parametrize("text", ["\n(x)", "x \n\n(x)", "x\n \n/x", "x(x \n\n(x))"])
def test_a_line_end_that_is_a_blank_in_another_mode(text: str) -> None:
    """A terminal that one mode ignores and another reads is read at every cursor as in the mode that is open there."""
    assert list(islice(cuts_of(compared("statements", bound=5), [text], 1), REPORTED)) == []
