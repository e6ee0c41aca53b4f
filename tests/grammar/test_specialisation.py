"""Modes that could be taken for one another at a cursor are told apart by their terminals, or refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest

import dovetail
from dovetail.grammar.likeness import behaviours, confusable, groups

EXHAUSTIVE = Path(__file__).parents[1] / "exhaustive"
ENDED = """
[[modes]]
name = "open"
terminals = ["x", "("]
ignore = ["LINE"]
push = { "(" = "open" }
back = { "(" = "ended" }
switch = { x = "ended" }
%s
[[modes]]
name = "ended"
terminals = ["LINE", "("%s]
switch = { LINE = "open" }
%s
"""
CALLS = 'pop = [")"]\npush = { "(" = "open" }'


def loaded(folder: Path, grammar: str, *parts: str) -> dovetail.Language:
    """Return a language whose modes are those of ENDED, with something added at three places."""
    path = folder / "small.lark"
    path.write_text(f"{grammar}\nLINE: /\\n/\n", encoding="utf-8")
    path.with_suffix(".toml").write_text(ENDED % parts, encoding="utf-8")
    return dovetail.load_language(path)


def names(language: dovetail.Language, pairs: set[tuple[int, int]]) -> set[tuple[str, str]]:
    """Return pairs of modes by their names, each once."""
    modes = language.machine.compiled.modes
    return {(modes[one].name, modes[other].name) for one, other in pairs if one < other}


def test_which_modes_could_be_taken_for_one_another() -> None:
    """Modes at one depth that read unlike are confusable; modes at another depth are not."""
    language = dovetail.load_language(EXHAUSTIVE / "statements.lark")
    template = dovetail.load_language(EXHAUSTIVE / "template.lark")

    assert names(language, confusable(language.machine.compiled.modes, -1)) == {
        ("operand", "operator"),
        ("inner_operand", "inner_operator"),
    }
    assert names(template, confusable(template.machine.compiled.modes, -1)) == {
        ("field_SINGLE", "format_SINGLE"),
        ("field_DOUBLE", "format_DOUBLE"),
    }


def test_terminals_name_their_modes() -> None:
    """A bracket that opens an operand and one that calls are two terminals with one name and one text."""
    compiled = dovetail.load_language(EXHAUSTIVE / "statements.lark").machine.compiled
    brackets = [terminal for terminal, text in enumerate(compiled.literals) if text == "("]

    assert len(brackets) == 2
    assert len({compiled.productions.names[terminal] for terminal in brackets}) == 1
    for mode in compiled.modes:
        assert len(mode.push.keys() & set(brackets)) == 1


def test_modes_that_need_not_be_told_apart_share_their_terminals() -> None:
    """Languages whose modes are told apart by brackets or layout are left as they are: no terminal is there twice."""
    for name in ("json", "python"):
        productions = dovetail.load_language(name).machine.compiled.productions
        terminals = productions.names[: productions.terminal_count]

        assert len(set(terminals)) == len(terminals)


def test_modes_that_differ_only_in_the_modes_around_them_behave_alike() -> None:
    """Two modes with equal terminals that lead to modes alike have one number, and one automaton."""
    modes = dovetail.load_language(EXHAUSTIVE / "template.lark").machine.compiled.modes
    kinds = {mode.name: kind for mode, kind in zip(modes, behaviours(modes, -1), strict=True)}
    parts = {mode.name: group for mode, group in zip(modes, groups(modes, -1), strict=True)}

    assert len(set(kinds.values())) == len(kinds)
    assert parts["field_SINGLE"] == parts["field_DOUBLE"]
    assert parts["items"] == parts["bracket"]


def test_the_language_stays_the_same(tmp_path: Path) -> None:
    """Names of terminals change no text: calls and groups of the language are read as before."""
    language = loaded(
        tmp_path, 'start: call (LINE call)*\ncall: "x" | "(" call ")" | call "(" call ")"', "", ', ")"', CALLS
    )

    assert [text for text in ("x", "(x)", "x(x)", "\n(\nx)(\n(x))\nx", "x\n(x)") if not language.accepts(text)] == []
    assert [text for text in ("x)", "(x\n)", "x\n\n", "()") if language.accepts(text)] == []


@pytest.mark.parametrize(
    ("grammar", "parts", "message"),
    [
        (
            'start: opened call ")"\nopened: "("\ncall: "x" | call "(" call ")"',
            ("", ', ")"', CALLS),
            "`opened` opens a mode and leaves it open, so modes `open` and `ended` could be taken",
        ),
        (
            'start: "x" "(" | "(" "x" ")"',
            ("", ', ")"', 'pop = [")"]'),
            '"(" opens or closes a mode in `open` or in `ended` and not in the other',
        ),
    ],
)
def test_modes_that_cannot_be_told_apart_are_refused(
    grammar: str, parts: tuple[str, str, str], message: str, tmp_path: Path
) -> None:
    """The message names both modes, and what to write instead."""
    with pytest.raises(dovetail.GrammarError) as raised:
        loaded(tmp_path, grammar, *parts)

    assert message in str(raised.value).replace("`ended` or in `open`", "`open` or in `ended`")


def test_an_author_may_vouch_for_modes(tmp_path: Path) -> None:
    """Modes that are named in `apart` are taken as the grammar tells them apart."""
    language = loaded(
        tmp_path,
        'start: opened call ")"\nopened: "("\ncall: "x" | call "(" call ")"',
        'apart = ["ended"]',
        ', ")"',
        CALLS,
    )

    assert language.accepts("(\nx(x))")
