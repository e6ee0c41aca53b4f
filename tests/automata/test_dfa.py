"""Automata match what Python's own regular expressions match."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.automata import characters
from dovetail.automata.dfa import START, Automaton, build_automaton
from dovetail.automata.patterns import parse_pattern
from dovetail.lexing.scanner import Scanner


def _combined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(parts, parts).map("".join),
        st.tuples(parts, parts).map("|".join).map("(?:{})".format),
        st.tuples(parts, st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{,2}", "{2,}"])).map(
            lambda pair: f"(?:{pair[0]}){pair[1]}"
        ),
        parts.map("(?i:{})".format),
    )


PATTERNS = st.recursive(
    st.sampled_from(["a", "b", "ab", "[ab]", "[^a]", ".", r"\d", r"\w", "é", r"\n", "[a-cX]", r"[^\W\d]"]),
    _combined,
    max_leaves=6,
)
TEXTS = st.text(alphabet="abAX1é\n_", max_size=6)


def accepted(automaton: Automaton, text: str) -> int:
    """Return the terminal that a whole text is, or -1."""
    state = START
    for character in text:
        state = automaton.rows[state][automaton.class_of(character)]
        if state < 0:
            return -1
    return automaton.accepts[state]


@settings(max_examples=300, deadline=None)
@given(PATTERNS, TEXTS)
def test_one_pattern_matches_as_re_does(pattern: str, text: str) -> None:
    """The automaton accepts a text if and only if `re` matches all of it."""
    automaton = build_automaton({0: parse_pattern(pattern)})

    # ASCII classes are the dialect's; `(?a)` makes those of `re` the same.
    assert (accepted(automaton, text) == 0) == (re.fullmatch(f"(?a:{pattern})", text) is not None)


@settings(max_examples=200, deadline=None)
@given(st.lists(PATTERNS, min_size=2, max_size=3), TEXTS)
def test_the_longest_match_wins_and_then_the_rank(patterns: list[str], text: str) -> None:
    """A scanner finds the longest text that any terminal matches, and of those terminals the first."""
    scanner = Scanner(build_automaton({number: parse_pattern(pattern) for number, pattern in enumerate(patterns)}))
    expected = (-1, 0)
    for end in range(len(text), 0, -1):
        fits = [number for number, pattern in enumerate(patterns) if re.fullmatch(f"(?a:{pattern})", text[:end])]
        if fits:
            expected = (fits[0], end)
            break

    assert scanner.longest(text, 0) == expected


def test_characters_outside_the_alphabet_end_every_lexeme() -> None:
    """No terminal matches what the alphabet lacks, not even one that matches everything."""
    alphabet = characters.complement(characters.literal("\0"))
    scanner = Scanner(build_automaton({0: parse_pattern("(?s:.+)")}, alphabet))

    assert scanner.longest("ab\0c", 0) == (0, 2)
    assert scanner.longest("a\ud800", 0) == (0, 1)
    assert scanner.longest("\0", 0) == (-1, 0)


def test_what_a_state_may_become_is_what_some_text_makes_of_it() -> None:
    """After `1` a number may go on to any of the numbers, after `1.` no more to an integer."""
    scanner = Scanner(build_automaton({0: parse_pattern("[0-9]+"), 1: parse_pattern(r"[0-9]+\.[0-9]*")}))
    one = scanner.steps[START]["1"]
    point = scanner.steps[one]["."]

    assert scanner.becomes(one) == {0, 1}
    assert scanner.becomes(point) == {1}
