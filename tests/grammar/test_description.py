"""Lexical descriptions say much with few words: groups, helper terminals, blanks that modes share."""

from __future__ import annotations

import warnings
from itertools import product
from typing import TYPE_CHECKING

import pytest

import dovetail
from dovetail.grammar.description import resolve
from dovetail.grammar.errors import GrammarWarning
from dovetail.grammar.layers import read_header
from dovetail.grammar.reading import read_grammar

if TYPE_CHECKING:
    from pathlib import Path

    from dovetail.grammar.description import Description

STATEMENTS = """
start: (NAME "=" expression NEWLINE)*
expression: NAME | NAME "(" NAME ")"
NAME: /[a-c]/
NEWLINE: /\\n/
LINE_ENDS: /\\n/
BLANKS: / +/
"""
ENDED_OR_OPEN = """
[groups]
ending = ["NAME", ")"]

[[modes]]
name = "open"
without = ["NEWLINE"]
ignore = ["BLANKS", "LINE_ENDS"]
switch = { ending = "ended" }

[[modes]]
name = "ended"
without = ["LINE_ENDS"]
ignore = ["BLANKS"]
switch = { "=" = "open", "(" = "open", NEWLINE = "open" }
"""


def write(folder: Path, grammar: str, description: str) -> Path:
    """Return the path of a language in a folder."""
    path = folder / "small.lark"
    path.write_text(grammar + "\n", encoding="utf-8")
    path.with_suffix(".toml").write_text(description + "\n", encoding="utf-8")
    return path


def described(folder: Path, grammar: str, description: str) -> Description:
    """Return a description as it is resolved against its grammar."""
    path = write(folder, grammar, description)
    beside = path.with_suffix(".toml")
    return resolve(beside, read_header(beside), read_grammar(path, "start"))


def test_a_group_stands_for_its_terminals(tmp_path: Path) -> None:
    """A group may be named wherever terminals are listed, in another group too; a terminal of its own goes before."""
    [first, second] = described(
        tmp_path,
        'start: "a" "b" "c" "d"',
        """
        [groups]
        vowels = ["a"]
        all = ["vowels", "b", "c"]
        [[modes]]
        name = "one"
        terminals = ["all"]
        switch = { all = "two", b = "one" }
        [[modes]]
        name = "two"
        like = "one"
        without = ["vowels"]
        with = ["d"]
        pop = ["all"]
        """,
    ).modes

    assert first.terminals == {"A", "B", "C"}
    assert first.switch == {"A": "two", "B": "one", "C": "two"}
    assert second.terminals == {"B", "C", "D"}
    assert second.pop == {"A", "B", "C"}


def test_a_group_is_not_called_as_a_terminal(tmp_path: Path) -> None:
    """A name never stands for two things."""
    with pytest.raises(dovetail.GrammarError, match="group `a` has the name of a terminal"):
        described(tmp_path, 'start: "a"', '[groups]\na = ["a"]')


def test_parts_of_terminals_are_in_no_mode(tmp_path: Path) -> None:
    """A terminal that only other terminals use is known to a mode that names it, and to no other."""
    grammar = (
        'start: NUMBER | WORD | UNUSED\nNUMBER: DIGITS "." DIGITS\nDIGITS: /[0-9]+/\nWORD: LETTER+\nLETTER: /[a-z]/\n'
    )
    grammar += "UNUSED: /!/\nALONE: /@/\n"
    [first, second] = described(
        tmp_path, grammar, "[[modes]]\nname = 'one'\n[[modes]]\nname = 'two'\nwith = ['DIGITS']"
    ).modes

    assert first.terminals == {"NUMBER", "WORD", "UNUSED", "ALONE"}
    assert second.terminals == {*first.terminals, "DIGITS"}


@pytest.mark.parametrize("use", ["rule", "ignored", "error"])
def test_a_part_with_a_meaning_of_its_own_stays(tmp_path: Path, use: str) -> None:
    """A terminal that other terminals use is in every mode if a rule uses it, or if it is ignored or an error."""
    grammar = "start: NUMBER" + (" DIGITS?" if use == "rule" else "") + "\nNUMBER: DIGITS /x/\nDIGITS: /[0-9]/\n"
    grammar += "%ignore DIGITS\n" if use == "ignored" else ""
    [mode] = described(tmp_path, grammar, "errors = ['DIGITS']" if use == "error" else "").modes

    assert mode.terminals == {"NUMBER", "DIGITS"}


def test_modes_may_share_blanks(tmp_path: Path) -> None:
    """A blank that two modes ignore does not let a right context mistake one mode for the other, at any cut."""
    language = dovetail.load_language(write(tmp_path, STATEMENTS, ENDED_OR_OPEN))
    assert language.accepts("a = b \n c=\n a( b)\n")
    assert not language.accepts("a = b \n(c)\n")

    # Two blanks, so that a cut between them leaves one on each side.
    for letters in product("= \n(", repeat=4):
        text = f"a = c{''.join(letters)}b)\n"
        whole = language.accepts(text)
        cuts = [(text[:cut], text[cut:]) for cut in range(len(text) + 1)]
        found = [language.quotient(*cut, tolerant=False).start.accepting for cut in cuts]

        assert found == [whole] * len(found), text


def test_a_terminal_may_be_ignored_here_and_meant_there(tmp_path: Path) -> None:
    """A line end that a rule has in one mode is ignored in others."""
    grammar = 'start: "a" LINE "(" "b" ")"\nLINE: /\\n/\n%ignore " "'
    description = (
        "[[modes]]\nname = 'line'\npush = {'(' = 'inside'}\n"
        "[[modes]]\nname = 'inside'\nignore = ['LINE']\npop = [')']\n"
        "[[modes]]\nname = 'other'\nignore = ['LINE']\n"
    )
    language = dovetail.load_language(write(tmp_path, grammar, description))

    assert language.accepts("a \n(\n b \n)")
    assert not language.accepts("a(b)")


def test_the_version_of_a_blank_holds_for_each_mode(tmp_path: Path) -> None:
    """A blank that came with a version is there for every mode from that version on."""
    description = f"versions = ['1', '2']\n[since]\nBLANKS = '2'\n{ENDED_OR_OPEN}"
    path = write(tmp_path, STATEMENTS, description)

    assert [dovetail.load_language(path, target).accepts("a = b\n") for target in ("1", "2")] == [False, True]
    assert [dovetail.load_language(path, target).accepts("a=b\n") for target in ("1", "2")] == [True, True]


@pytest.mark.parametrize("pattern", [r'/\\"/', r'/x\\\\"y/', r'/[^\\"]/'])
def test_a_backslash_that_lark_loses_is_warned_of(tmp_path: Path, pattern: str) -> None:
    """The warning names the file, the line and another way to write it."""
    path = write(tmp_path, f"start: A\n\nA: {pattern}", "")
    with pytest.warns(GrammarWarning, match=r"small\.lark:3: `A`: .* is read as a bare quote") as caught:
        read_grammar(path, "start")

    assert len(caught) == 1
    assert r'write `\\["]`' in str(caught[0].message)


@pytest.mark.parametrize("pattern", [r'/\\["]/', r'/["\\]/', r"/\"/", r"/\\\"/", r"/\\'/", r'"\\\""'])
def test_what_lark_reads_as_it_stands_is_not_warned_of(tmp_path: Path, pattern: str) -> None:
    """Quotes that keep the backslashes before them, and strings, are left alone."""
    path = write(tmp_path, f"start: A\nA: {pattern}", "")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_grammar(path, "start")
