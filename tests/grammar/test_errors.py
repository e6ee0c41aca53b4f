"""A grammar that is wrong is refused when it is loaded, in one sentence that names the place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import dovetail

if TYPE_CHECKING:
    from pathlib import Path

LAYOUT = "\nnewline = 'a'\nindent = 'I'\ndedent = 'D'"

WRONG = {
    "not lark": ("start: (", "", "Unclosed parenthesis"),
    "no start": ('other: "a"', "", "the start rule `start` is not defined"),
    "undefined": ("start: other", "", "Rule 'other' used but not defined"),
    "no text": ("start: a\na: b\nb: a", "", "derives no text"),
    "empty terminal": ("start: A\nA: /x*/", "", "matches the empty text"),
    "not regular": ("start: A\nA: /x(?=y)/", "", "only plain groups"),
    "hidden": ('start: A | "y"\nA: /y/', "", "`A` is never read"),
    "neighbours": ("start: A B\nA: /x+/\nB: /x+y/", "", "puts `A` before `B`"),
    "unknown version": ('start: "a" -> since_3_7', "", "names version 3.7"),
    "unknown version that is a word": (
        'start: "a" -> since_next_before_3_7',
        'versions = ["3.7"]',
        "names version next",
    ),
    "unknown key": ('start: "a"', "foo = 1", "unknown key `foo`"),
    "wrong type": ('start: "a"', "modes = 1", "a value has the wrong form"),
    "not toml": ('start: "a"', "modes = ", "cannot be read"),
    "unknown terminal": ('start: "a"', "errors = ['B']", "unknown terminal `B`"),
    "error in a rule": ('start: "a"', "errors = ['a']", "is an error and cannot be in a rule"),
    "undeclared": ('start: "a" I\n%declare I', "", "`I` has no pattern"),
    "mode twice": ('start: "a"', "[[modes]]\nname = 'm'\n[[modes]]\nname = 'm'", "mode `m` is defined twice"),
    "mode unknown": ('start: "a"', "[[modes]]\nname = 'm'\npush = {a = 'n'}", "leads to the unknown mode `n`"),
    "back to unknown": (
        'start: "a"',
        "[[modes]]\nname = 'm'\npush = {a = 'm'}\nback = {a = 'n'}",
        "leads to the unknown mode `n`",
    ),
    "back from nowhere": (
        'start: "a"',
        "[[modes]]\nname = 'm'\nback = {a = 'm'}",
        "`back` of mode `m` names `A`, which opens no mode there",
    ),
    "mode below": ('start: "a"', "[[modes]]\nname = 'm'\nlike = 'n'", "which is not above it"),
    "layout lacks": ('start: "a"', "[layout]\nmode = 'm'", "[layout] needs `newline`"),
    "layout elsewhere": ('start: "a"', "[[modes]]\nname = 'm'\n[layout]\nmode = 'n'" + LAYOUT, "is not the first mode"),
    "no tabs": ('start: "a"', "[[modes]]\nname = 'm'\n[layout]\nmode = 'm'\ntab = 0" + LAYOUT, "at least 1"),
    "first line in a layout": (
        'start: "a" N\nN: "n"\nF: /#/',
        "first_line = 'F'\n[[modes]]\nname = 'm'\n[layout]\nmode = 'm'\nnewline = 'N'\nindent = 'I'\ndedent = 'D'",
        "`first_line` is for a language without [layout]",
    ),
    "first line without comments": (
        'start: "a"\nF: /#[^\\n]*/\nB: /[ \\n]+/',
        "first_line = 'F'\n[[modes]]\nname = 'm'\nignore = ['B']",
        "`F` is a first line in whose place no comment can stand",
    ),
    "first line that ends elsewhere": (
        'start: "a"\nF: /#[^\\n]*/\nC: /-[^a]*/',
        "first_line = 'F'\n[[modes]]\nname = 'm'\nignore = ['C']",
        "`F` is a first line in whose place no comment can stand",
    ),
    "first line that holds more": (
        'start: "a"\nF: /#[^\\n]*/\nC: /-[^\\na]*/',
        "first_line = 'F'\n[[modes]]\nname = 'm'\nignore = ['C']",
        "`F` is a first line in whose place no comment can stand",
    ),
    "stuck in a mode": (
        'start: "(" inner ")"\ninner: "a" ":" "b"',
        "[[modes]]\nname = 'm'\npush = {'(' = 'n'}\n[[modes]]\nname = 'n'\nlike = 'm'\nwithout = [':']\npop = [')']",
        '":" cannot be read there',
    ),
    "open at the end": (
        'start: "a" inner?\ninner: "(" "a" ")" | "("',
        "[[modes]]\nname = 'm'\npush = {'(' = 'n'}\n[[modes]]\nname = 'n'\nlike = 'm'\npop = [')']",
        "`start` has texts that end in mode `n`",
    ),
    "half a bracket": (
        'start: "(" "a" ")" | "a" ")"',
        "brackets = { '(' = ')' }",
        "has `)` or what opens it without the other",
    ),
    "line or not": (
        'start: part\npart: N | "a"\nN: /\\n/\n%declare I D',
        "[[modes]]\nname = 'm'\n[layout]\nmode = 'm'\nnewline = 'N'\nindent = 'I'\ndedent = 'D'",
        "so that it is known whether a line begins after it",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_grammar_is_refused_with_its_place(name: str, tmp_path: Path) -> None:
    """The message names the file and says what is wrong."""
    grammar, description, message = WRONG[name]
    path = tmp_path / "wrong.lark"
    path.write_text(grammar + "\n", encoding="utf-8")
    if description:
        path.with_suffix(".toml").write_text(description + "\n", encoding="utf-8")

    with pytest.raises(dovetail.GrammarError) as raised:
        dovetail.load_language(path)

    assert message in str(raised.value)
    assert "wrong." in str(raised.value)


@pytest.mark.parametrize(("name", "target"), [("cobol", None), ("python", "2.7"), ("json", "1"), ("no.lark", None)])
def test_an_unknown_language_or_version_is_refused(name: str, target: str | None) -> None:
    """The names that there are instead are listed, if there are any."""
    with pytest.raises(dovetail.GrammarError, match=r"known are|cannot be read"):
        dovetail.load_language(name, target)


def test_a_repeated_terminal_that_runs_on_is_one(tmp_path: Path) -> None:
    """`A+` where A goes on into A is no fault: two of it are one."""
    path = tmp_path / "runs.lark"
    path.write_text("start: A+\nA: /a+/\n", encoding="utf-8")

    assert dovetail.load_language(path).accepts("aaa")
