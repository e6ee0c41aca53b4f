"""The editor of the simulated user: it closes pairs, indents, and always arrives at the text of the file."""

from __future__ import annotations

import pytest
from tests.evaluation.replay.typing_of import marked, paths, states
from tests.fuzz.sources import LIBRARY

from dovetail.evaluation.replay.editor import Cursor, Editor
from dovetail.evaluation.replay.stretch import StretchKind

BLOCK = "def f(a):|\n    if a:\n        return (1)\n    pass|\n"


def test_an_opener_is_closed_and_the_closer_is_stepped_over() -> None:
    """After `(` stands `)`, which its own key does not write again."""
    text, stretch = marked("|f(x)|\n")

    assert states(text, stretch) == [
        ("", "\n", 0),
        ("f", "\n", 1),
        ("f(", ")\n", 2),
        ("f(x", ")\n", 3),
        ("f(x)", "\n", 4),
    ]


def test_quotes_are_closed_and_three_of_them_are_not() -> None:
    """A string of one line has its closing quote at once; a docstring is typed as it is."""
    text, stretch = marked("|x = f'{a}'|\n")
    rights = {left: right for left, right, _ in states(text, stretch)}

    assert rights["x = f'"] == "'\n"
    assert rights["x = f'{"] == "}'\n"
    assert rights["x = f'{a}"] == "'\n"

    text, stretch = marked('|"""a"""|\n')
    assert [right for _, right, _ in states(text, stretch)] == ["\n"] * 8


def test_nothing_is_closed_before_a_word() -> None:
    """An opener before a name stays alone, as in editors."""
    text, stretch = marked("x = |(y).|z\n", StretchKind.EDIT)

    assert states(text, stretch)[1] == ("x = (", "z\n", 1)


def test_enter_indents_and_a_block_is_left_by_one_key() -> None:
    """After a colon the line is indented, after `return` it is not, and both cost no key."""
    text, stretch = marked(BLOCK)
    found = states(text, stretch)

    assert ("def f(a):\n    ", "\n", 1) in found
    assert ("def f(a):\n    if a:\n        ", "\n", 7) in found
    assert ("def f(a):\n    if a:\n        return (1)\n    ", "\n", 18) in found
    assert found[-1] == ("def f(a):\n    if a:\n        return (1)\n    pass", "\n", 22)


def test_backspace_takes_an_indentation_back() -> None:
    """One key for each level does if the file leaves a block that the editor does not leave."""
    text, stretch = marked("|if a:\n    if b:\n        c()\nd|\n")
    lefts = [left for left, _, _ in states(text, stretch)]
    place = lefts.index("if a:\n    if b:\n        c()\n        ")

    assert lefts[place + 1] == "if a:\n    if b:\n        c()\n"
    keys = [keys for _, _, keys in states(text, stretch)]
    assert keys[place + 1] - keys[place] == 2


def test_tab_inserts_what_is_missing() -> None:
    """A line that is indented further than the editor thinks is led there by Tab."""
    text, stretch = marked("|x = (1 +\n    2)|\n")
    found = states(text, stretch)
    place = [left for left, _, _ in found].index("x = (1 +\n")

    assert found[place + 1][0] == "x = (1 +\n    "
    assert found[place + 1][2] - found[place][2] == 1


def test_blank_lines_keep_no_blanks() -> None:
    """Enter on an indented blank line leaves it empty, and goes on with the indentation."""
    text, stretch = marked("|def f():\n    a()\n\n    b()|\n")
    found = [left for left, _, _ in states(text, stretch)]

    assert "def f():\n    a()\n    " in found
    assert "def f():\n    a()\n\n    " in found


def test_enter_puts_a_closer_on_its_own_line() -> None:
    """Between brackets Enter opens a block where the file has one, and one key leads after it."""
    text, stretch = marked("|f(\n    a,\n)|\n")
    found = states(text, stretch)

    assert ("f(\n    ", "\n)\n", 3) in found
    assert found[-2] == ("f(\n    a,", "\n)\n", 5)
    assert found[-1] == ("f(\n    a,\n)", "\n", 6)


def test_to_come_ends_before_what_is_there() -> None:
    """Up to an inserted closer, or to the end of the stretch; an appended stretch goes on with the file."""
    text, stretch = marked("|f(abc)|.d\n")
    editor = Editor(text, stretch)
    inside = editor.act(editor.act(Cursor()).cursor).cursor

    assert editor.to_come(Cursor(), 99) == "f(abc)"
    assert editor.to_come(inside, 99) == "abc"
    assert editor.to_come(inside, 2) == "ab"
    text, stretch = marked("|f(abc)|.d\n", StretchKind.APPEND)
    assert Editor(text, stretch).to_come(Cursor(), 7) == "f(abc)."


@pytest.mark.parametrize("name", ["argparse.py", "dataclasses.py", "json/decoder.py", "textwrap.py", "sched.py"])
def test_every_path_arrives_at_the_file(name: str) -> None:
    """Typed and inserted characters sum to the stretch, and the document is the file in the end."""
    text = (LIBRARY / name).read_text(encoding="utf-8")
    for seed in range(12):
        for stretch in paths(text, seed):
            editor, cursor, written = Editor(text, stretch), Cursor(), 0
            while not editor.finished(cursor):
                left, _ = editor.document(cursor)
                assert left == text[: stretch.begin + cursor.done] + cursor.extra
                cursor, _, typed, inserted = editor.act(cursor)
                written += typed + inserted
            behind = "" if stretch.kind is StretchKind.APPEND else text[stretch.end :]
            assert written == stretch.end - stretch.begin
            assert editor.document(cursor) == (text[: stretch.end], behind)
