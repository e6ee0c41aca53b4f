"""Windows against an exact oracle: a window with its middle fits if and only if it is a factor of some program."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.exhaustive.comparison import Comparison, every_cut
from tests.oracles import arithmetic, indented, interchange, lexical, neighbours, statements, template
from tests.oracles.cuts import Middles, accepted, strings
from tests.oracles.earley import derives
from tests.oracles.extraction import Quotients
from tests.oracles.factors import factors

import dovetail

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.oracles.face import Quotient
    from tests.oracles.productions import Grammar

HERE = Path(__file__).parent
REPORTED = 5
"""The number of disagreements that a failing test shows."""


@dataclass(frozen=True)
class Windowed:
    """A language that is asked for windows."""

    language: dovetail.Language

    def accepts(self, text: str) -> bool:
        """Return whether a text is a program."""
        return self.language.accepts(text)

    def quotient(self, left: str, right: str, *, tolerant: bool = True) -> Quotient:
        """Return what fits into a window."""
        assert not tolerant
        return self.language.quotient(left, right, window=True)


# In `true` and `false` stand letters that the alphabet has, so they make factors that other words do not.
WORDS = [("t", "r", "u", "e", "blanks"), ("f", "a", "l", "s", "e", "blanks")]
GRAMMARS: dict[str, tuple[Grammar, str]] = {
    "arithmetic": (arithmetic.CHARACTERS, arithmetic.ALPHABET),
    "json": (
        {**interchange.CHARACTERS, "value": [*interchange.CHARACTERS["value"], *WORDS]},
        interchange.ALPHABET,
    ),
    "statements": (statements.CHARACTERS, statements.ALPHABET),
    "template": (template.CHARACTERS, template.ALPHABET),
}
"""Languages whose factors are a grammar of characters: the oracle sees all beginnings and ends."""


def compared(name: str) -> Comparison:
    """Return a language of `GRAMMARS` with the oracle of its windows."""
    grammar, alphabet = GRAMMARS[name]
    inside = factors(grammar)
    language = dovetail.load_language("json" if name == "json" else HERE / f"{name}.lark")
    return Comparison(Windowed(language), Quotients(inside), cache(lambda text: derives(inside, text)), alphabet)


@pytest.mark.parametrize(("name", "length"), [("arithmetic", 1), ("statements", 1)])
def test_every_window(name: str, length: int) -> None:
    """Viable, accepting and closing are exact for every window up to a length, cut in every way."""
    assert list(islice(every_cut(compared(name), length), REPORTED)) == []


@pytest.mark.long
@pytest.mark.parametrize(("name", "length"), [("arithmetic", 3), ("json", 2), ("statements", 2), ("template", 2)])
def test_every_longer_window(name: str, length: int) -> None:
    """The same for longer windows."""
    assert list(islice(every_cut(compared(name), length), REPORTED)) == []


@pytest.mark.parametrize(
    ("name", "reader", "alphabet", "length", "bound"),
    [
        ("lexical", lexical.accepts, lexical.ALPHABET, 2, 4),
        ("neighbours", neighbours.accepts, neighbours.ALPHABET, 3, 7),
    ],
)
def test_lexical_traps(name: str, reader: Callable[[str], bool], alphabet: str, length: int, bound: int) -> None:
    """Windows that begin and end inside lexemes are exact, as far as short programs show it."""
    texts = accepted(reader, alphabet, bound)
    parts = {text[low:high] for text in texts for low in range(len(text) + 1) for high in range(low, len(text) + 1)}
    language = Windowed(dovetail.load_language(HERE / f"{name}.lark"))
    comparison = Comparison(language, Middles(parts), parts.__contains__, alphabet, bound - 2)

    assert list(islice(every_cut(comparison, length), REPORTED)) == []


BLOCKS = ["", "b:\n ", "b:\n  ", "b:\n   ", "b:\n b:\n  ", "b:\n b:\n   ", "b:\n  b:\n   ", "b:\n  b:\n    "]
BEGINNINGS = ["".join((block, last)) for block in BLOCKS for last in ("", "#", "(", "((", "(#", "b", "b:\n", "b:\n ")]
ENDS = [
    "".join((line, last))
    for line in ("", ":", ")", "))", "a)", ":)")
    for last in ("", "a", "\n a", "\n  a", "\n   a", "\n    a", "\n)", "\n))", " a")
]
"""Texts that may stand before and after a window of the language of blocks: enough for windows of three characters."""


@pytest.mark.parametrize("length", [1, pytest.param(3, marks=pytest.mark.long)])
def test_blocks(length: int) -> None:
    """A window of a language with layout fits exactly if some beginning and some end make a program of it."""
    language = dovetail.load_language(HERE / "indented.lark")
    wrong = []
    for text in strings("ab: \n", length):
        fits = any(indented.accepts(begin + text + end) for begin in BEGINNINGS for end in ENDS)
        for low in range(len(text) + 1):
            for high in range(low, len(text) + 1):
                start = language.quotient(text[:low], text[high:], window=True).start
                state = start.advance(text[low:high])
                if (state is not None and state.accepting) != fits:
                    wrong.append((text[:low], text[low:high], text[high:], fits))

    assert wrong == []


@pytest.mark.parametrize("name", ["arithmetic", "statements"])
def test_factors(name: str) -> None:
    """The oracle's factors are the parts of programs: every part of a short program is one."""
    grammar, alphabet = GRAMMARS[name]
    inside = factors(grammar)
    texts = [text for text in strings(alphabet, 2) if derives(grammar, text)]
    parts = {text[low:high] for text in texts for low in range(len(text) + 1) for high in range(low, len(text) + 1)}

    assert texts
    assert all(derives(inside, part) for part in parts)
