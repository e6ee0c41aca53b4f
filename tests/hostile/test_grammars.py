"""Grammars that users may write: a language whose work has a bound, or one sentence that says what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.hostile.counting import growth, lines_executed

import dovetail

if TYPE_CHECKING:
    from pathlib import Path

    from dovetail import Language
    from dovetail.parsing.stack import Heads

ODD = {
    "cyclic": ('start: s\ns: t | "a" s\nt: s | "a"\n', "a", 2.6),
    "right-recursive": ('start: s\ns: "a" s | "a"\n', "a", 2.6),
    "left-recursive": ('start: s\ns: s "a" | "a"\n', "a", 2.6),
    "with an empty rule": ('start: s\ns: e s "a" | "a"\ne: \n', "a", 2.6),
    "of one terminal for everything": ("start: A\nA: /[\\s\\S]+/\n", "a", 2.6),
    "of one terminal for any character": ("start: A+\nA: /[\\s\\S]/\n", "a", 2.6),
    "ambiguous in its operators": ('start: s\ns: s "+" s | "a"\n', "a+", 8.5),
    "ambiguous everywhere": ('start: s\ns: s s | "a"\n', "a", 8.5),
    "ambiguous and long": ('start: s\ns: s s s | s s | "a"\n', "a", 8.5),
}
"""A grammar, what texts are made of, and the growth of work: 2 for as the text, 4 for its square, 8 for its cube."""

REFUSED = {
    "empty": ("", "the start rule `start` is not defined"),
    "a terminal that matches nothing": ("start: A\nA: /[^\\s\\S]/\n", "`A` is never read"),
    "a terminal hidden by one for everything": ("start: (A | B)+\nA: /[\\s\\S]+/\nB: /x/\n", "`"),
    "a repetition without end": ("start: A\nA: /a{1000000}/\n", "`A`: its repetitions, written out, have more than"),
    "an automaton without end": ("start: A\nA: /(a|b)*a(a|b){25}/\n", "`A`: the automaton needs more than"),
    "a pattern of groups": (f"start: A\nA: /{'(' * 5_000}a{')' * 5_000}/\n", "groups inside each other"),
    "a rule of groups": (f'start: {"(" * 5_000}"a"{")" * 5_000}\n', "nested too deeply"),
    "a rule of options": ("start: " + " ".join(f'"a{n}"?' for n in range(40)) + "\n", "more than 10,000 alternatives"),
    "a rule of repetitions": ("start: " + " ".join(f'"{n}."~0..9' for n in range(9)) + "\n", "more than 10,000"),
    "rules that may be empty": (
        f"start: {' '.join(f'r{n}' for n in range(40))}\n" + "".join(f'r{n}: "{n}." |\n' for n in range(40)),
        "may be empty side by side",
    ),
    "words without end": ("start: " + " | ".join(f'"word{n}"' for n in range(3_000)) + "\n", "3,000 terminals"),
}
"""A grammar, and what is said of it."""


def loaded(folder: Path, grammar: str) -> Language:
    """Return the language of a grammar."""
    path = folder / "hostile.lark"
    path.write_text(grammar, encoding="utf-8")
    return dovetail.load_language(path)


@pytest.mark.parametrize("name", ODD)
def test_work_has_a_bound(name: str, tmp_path: Path) -> None:
    """It grows as the text where a grammar is deterministic, and never faster than its cube."""
    grammar, piece, most = ODD[name]
    language = loaded(tmp_path, grammar)

    def answered(size: int) -> None:
        quotient = language.quotient(piece * size, piece * size + "a", tolerant=False)

        assert quotient.viable
        assert quotient.start.closing() is not None

    assert growth(answered, 12) < most


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_bounded_is_refused(name: str, tmp_path: Path) -> None:
    """The sentence says what there is too much of, and where."""
    grammar, said = REFUSED[name]

    with pytest.raises(dovetail.GrammarError) as raised:
        loaded(tmp_path, grammar)

    assert said in str(raised.value)
    assert "hostile.lark" in str(raised.value)


def test_a_lexeme_makes_no_more_nodes_than_there_are_states(tmp_path: Path) -> None:
    """However many parses a text has: they share their stacks, so a lexeme adds a node for each state at most twice."""
    language = loaded(tmp_path, 'start: s\ns: s s s | s s | "(" s ")" | "a"\n')
    stacks, lexer = language.machine.stacks(), language.machine.lexer
    heads: Heads = (stacks.bottom,)
    state = lexer.start
    states = len(language.machine.compiled.tables.kernels)
    for character in "a(a(aaa)a)aaaaa(aa)aaaaaaaaaaa":
        before = stacks.size
        read = lexer.lex(state, character)

        assert read is not None

        state, heads = read[0], stacks.shift_all(heads, read[1])

        assert heads
        assert len(heads) <= states
        assert stacks.size - before <= 2 * states


def test_an_enormous_grammar_is_as_much_work_as_it_is_long(tmp_path: Path) -> None:
    """Rules by the hundreds, of a few terminals, are read in proportion."""

    def read(count: int) -> None:
        rules = "".join(f'r{n}: "a" "b" r{n + 1} | "c"\n' for n in range(count))
        loaded(tmp_path, f'start: r0\n{rules}r{count}: "b"\n')

    assert growth(read, 20) < 2.8
    assert lines_executed(lambda: read(5)) > 0
