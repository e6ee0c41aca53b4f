"""The construction of the paper, itself compared with brute force over all texts of small grammars."""

from __future__ import annotations

from itertools import product

import pytest
from tests.oracles.earley import Automaton, derives, recognise
from tests.oracles.extraction import Quotients, left_quotient, right_quotient
from tests.oracles.productions import START, Grammar, reduced, shortest_yields, terminals, texts

GRAMMARS: dict[str, Grammar] = {
    "the paper's calls": {
        "start": [("i",), ("call",)],
        "call": [("start", "(", "arguments", ")")],
        "arguments": [(), ("start", "more")],
        "more": [(), (",", "start", "more")],
    },
    "palindromes": {"start": [(), ("a",), ("b",), ("a", "start", "a"), ("b", "start", "b")]},
    "nullable and left recursive": {"start": [("start", "rest", "a"), ()], "rest": [(), ("b", "rest")]},
    "mutually recursive, ambiguous": {
        "start": [("left", "right"), ("left",)],
        "left": [("right", "a"), ("a",), ("start",)],
        "right": [("left", "b"), ("b",), ()],
    },
    "one text only": {"start": [("a", "b")]},
    "unproductive part": {"start": [("a", "start"), ("b",), ("never",)], "never": [("never", "a")]},
}


@pytest.mark.parametrize("name", GRAMMARS)
def test_recognition_is_membership(name: str) -> None:
    """A text is recognised exactly when enumeration finds it."""
    grammar = reduced(GRAMMARS[name])
    alphabet = terminals(grammar)
    enumerated = texts(grammar, 5)

    recognised = {text for length in range(6) for text in product(alphabet, repeat=length) if derives(grammar, text)}

    assert enumerated == recognised


@pytest.mark.parametrize("name", GRAMMARS)
@pytest.mark.parametrize("side", ["left", "right"])
def test_quotient_is_what_remains(name: str, side: str) -> None:
    """The extracted grammar derives exactly what remains of the texts that begin or end with the context."""
    grammar = reduced(GRAMMARS[name])
    alphabet = terminals(grammar)
    enumerated = texts(grammar, 7)
    for length in range(4):
        for context in product(alphabet, repeat=length):
            if side == "left":
                expected = {text[length:] for text in enumerated if text[:length] == context}
                quotient = left_quotient(grammar, Automaton.of(context))
            else:
                cuts = ((text[: len(text) - length], text[len(text) - length :]) for text in enumerated)
                expected = {rest for rest, end in cuts if end == context}
                quotient = right_quotient(grammar, context)

            assert expected == texts(quotient, 7 - length)


@pytest.mark.parametrize("name", GRAMMARS)
def test_shortest_missing_text(name: str) -> None:
    """The shortest text between two contexts is as long as enumeration says, where enumeration reaches."""
    grammar = reduced(GRAMMARS[name])
    quotients = Quotients(grammar)
    shortest: dict[tuple[str, str], int] = {}
    for text in texts(grammar, 8):
        joined = "".join(text)
        for low in range(len(joined) + 1):
            for high in range(low, len(joined) + 1):
                key = joined[:low], joined[high:]
                shortest[key] = min(shortest.get(key, high), high - low)
    for (left, right), length in shortest.items():
        if len(left) + len(right) <= 4:
            assert quotients.missing(left, right) == length


def test_quotient_by_nothing_that_fits_is_empty() -> None:
    """A context that no text has leaves a grammar without any text."""
    assert shortest_yields(right_quotient(GRAMMARS["one text only"], "a")) == {}


def test_automaton_with_several_texts() -> None:
    """A regular language of contexts is divided as a whole, loops included."""
    loop = Automaton({(0, "i"): frozenset([0, 1]), (1, "("): frozenset([0, 2])}, frozenset([1, 2]))
    grammar = GRAMMARS["the paper's calls"]

    quotient = left_quotient(grammar, loop)

    assert recognise(grammar, loop).ends(START, loop.finals)
    assert derives(quotient, "(i)")
    assert derives(quotient, ")")
    assert not derives(quotient, "i")
