"""Hypothesis strategies for grammars, texts, cuts and pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st
from tests.oracles.productions import START, Grammar, reduced, texts

if TYPE_CHECKING:
    from collections.abc import Iterator

TERMINALS = "abc"
NONTERMINALS = [START, "one", "two", "three"]


def small_grammars() -> st.SearchStrategy[Grammar]:
    """Productive grammars over single characters; ambiguous, nullable and recursive in every way."""
    bodies = st.lists(
        st.lists(st.sampled_from([*NONTERMINALS, *TERMINALS, *TERMINALS]), max_size=3).map(tuple),
        min_size=1,
        max_size=3,
        unique=True,
    )
    grammars = st.tuples(*[bodies for _ in NONTERMINALS]).map(
        lambda rules: reduced(dict(zip(NONTERMINALS, rules, strict=True)))
    )
    # A grammar of the empty text only has no terminal to make a lexer from.
    return grammars.filter(lambda grammar: any(texts(grammar, 3)))


def pieces(text: bytes) -> st.SearchStrategy[list[bytes]]:
    """Cut a text into pieces in any way, also inside a character; pieces may be empty."""
    places = st.lists(st.integers(0, len(text)), max_size=8).map(sorted)
    return places.map(lambda chosen: list(_parts(text, chosen)))


def _parts(text: bytes, places: list[int]) -> Iterator[bytes]:
    for low, high in zip([0, *places], [*places, len(text)], strict=True):
        yield text[low:high]


AWKWARD = [
    *("\0", "\ud800", "\udfff", "\r", "\n", "\r\n", "\f", "\u2028", "\ufeff", "\\"),
    *('"""', "'", "f'{", "(", "}", "é", "𝒳", "\xa0"),
]
ORDINARY = ["x", " = ", "1", "def f():", "\n    ", "return ", "if x:", "[", "]", "#", ":", ",", "\t"]


def unruly_texts() -> st.SearchStrategy[str]:
    """Texts with everything that an editor may hold: null bytes, lone surrogates, all line ends, brackets."""
    parts = st.sampled_from(AWKWARD) | st.sampled_from(ORDINARY) | st.characters()
    return st.lists(parts, max_size=12).map("".join)
