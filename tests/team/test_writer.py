"""The writer: windows are completed with what fits."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer

from dovetail import load_language
from dovetail.decoding.cancellation import Never
from dovetail.parsing.work_bound import WorkBound
from dovetail.team.doors.window_request import BodyError, Form, WindowRequest
from dovetail.team.writer import _MOST_STEPS, WindowWriter, open_window

if TYPE_CHECKING:
    from dovetail import Language


def following(text: bytes) -> ScriptedProposer:
    """Return a model that writes one text, whatever it is asked."""

    def rank(proposer: ScriptedProposer, written: bytes) -> list[int]:
        end = proposer.vocabulary.specials["<|endoftext|>"]
        return [text[len(written)] if len(written) < len(text) else end, end]

    return ScriptedProposer(rank=rank)


def test_window_inside_a_block() -> None:
    """A window that begins and ends inside a function is completed so that a program can hold it."""
    asked = WindowRequest(Form.TEXT, "    total = sum(", "\n    return total\n")
    (text,) = WindowWriter(following(b"values)")).write(asked, Never()).texts

    ast.parse(f"def f(values):\n{asked.left}{text}{asked.right}")


def test_what_does_not_fit() -> None:
    """Text of a model that no program holds is not offered."""
    asked = WindowRequest(Form.TEXT, "    total = sum(", "\n    return total\n")
    for text in WindowWriter(following(b"]]")).write(asked, Never()).texts:
        ast.parse(f"def f(values):\n{asked.left}{text}{asked.right}")


def test_reading_ahead() -> None:
    """A request for no tokens writes nothing."""
    assert WindowWriter(following(b"x")).write(WindowRequest(Form.CONTENT, "", "", most_tokens=0), Never()).texts == ()


def test_elements_in_javascript() -> None:
    """A window of JavaScript that names what makes elements is read as JSX."""
    asked = WindowRequest(Form.TEXT, "import React from 'react';\nconst a = <b>{x}", "\n", language="javascript")

    assert WindowWriter(following(b"</b>;")).write(asked, Never()).texts == ("</b>;",)


def test_unknown_language() -> None:
    """A language that is not known is refused with those that are."""
    with pytest.raises(BodyError, match=r"`cobol` is not known; send one of .*python"):
        WindowWriter(following(b"x")).write(WindowRequest(Form.TEXT, "", "", language="cobol"), Never())


@pytest.mark.parametrize(
    ("left", "right", "middle", "fits"),
    [
        ("def f():\n    return ", "\n\nprint(f())\n", "(", False),  # the bracket has to be closed in the window
        ("def f():\n    return ", "\n\nprint(f())\n", "(1)", True),
        ("def f():\n    return (", "\n\nprint(f())\n", "1,", False),  # nor is one left open that its line opens
        ("def f():\n    return (", "\n\nprint(f())\n", "1, 2)", True),
        ("x = [\n    f(1", "\n    g(2),\n", ")", False),  # a comma is missing, whichever bracket is closed
        ("x = [\n    f(1", "\n    g(2),\n", "),", True),  # the window ends inside of the bracket of another line
        ("f(", "\n    x,\n    y,\n", "", True),  # ends inside of a bracket
        ("        if x:\n            return ", "\n        return 3\n    def g(self):\n", "1", True),
        ("    a = [", "\n    ]\n", "1", True),
    ],
)
def test_a_window_that_can_be_a_whole_program_is_one(
    left: str, right: str, middle: str, fits: bool, python: Language
) -> None:
    """A bracket that a middle opens is closed in the window, unless the window itself ends inside of something."""
    assert open_window(python, left, right).start.accepts(middle) is fits


@pytest.mark.parametrize("line", ["x = [1, 2]\n", "x = [1, 2] # "])
def test_a_long_window_is_read_around_the_cursor(line: str, python: Language) -> None:
    """Text far from the cursor takes no time, whether it has lines or none: what is wrong there is not seen."""
    far = line * 10_000
    quotient = open_window(python, f")]}}\n{far}\ny = (", f"\n{far}\n)]}}")

    assert quotient.start.accepts("1)")
    assert not quotient.start.accepts("1]")


@pytest.mark.parametrize(
    ("language", "head", "left", "right"),
    [
        ("json", "", '{"a": ', "}"),
        ("json", "", "[", "]"),
        ("lua", "", "do ", " end"),
        ("go", "package a\nfunc f()", "{", "}"),
    ],
    ids=["objects", "arrays", "lua", "go"],
)
def test_a_window_that_nests_without_end(language: str, head: str, left: str, right: str) -> None:
    """A window that would take too many steps is refused with the remedy; the next one is answered as ever."""
    writer = WindowWriter(following(b"1"), most_seconds=600, most_steps=2_000)
    deep = WindowRequest(Form.CONTENT, head + left * 300, right * 280, language=language)
    with pytest.raises(BodyError, match="send fewer lines around it"):
        writer.write(deep, Never())
    shallow = WindowRequest(Form.CONTENT, "[", "]", language="json")
    assert writer.write(shallow, Never()).texts == ("1",)


def test_windows_of_people_are_not_refused() -> None:
    """Windows of real files take a small part of the steps that a request may take."""
    steps = []
    for path in sorted(Path(ast.__file__).parent.glob("*.py"))[:40:4]:
        lines = path.read_text("utf-8", errors="replace").splitlines(keepends=True)
        middle = len(lines) // 2
        left, right = "".join(lines[max(0, middle - 60) : middle]), "".join(lines[middle : middle + 20])
        bound = WorkBound(_MOST_STEPS)
        quotient = open_window(load_language("python"), left, right, bound)
        quotient.start.closing()
        steps.append(_MOST_STEPS - bound.left)
    assert max(steps) < _MOST_STEPS / 4
    assert max(steps) > 0
