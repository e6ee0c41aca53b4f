"""Whole lines are read inside their block, and no line that is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.cpython import TARGET

import dovetail
from dovetail.suffix.known_lines import KnownLines
from dovetail.suffix.lattice import UNKNOWN, Lattice
from dovetail.suffix.single_path import SinglePath

LANGUAGE = dovetail.load_language("python", target=TARGET)
PYTHON = LANGUAGE.machine
COLUMNS = st.integers(0, 20).map(lambda width: (width, width))


def lines_of(text: str) -> KnownLines:
    """Return a reader of a text."""
    return KnownLines(Lattice(PYTHON.lexer, text))


@given(COLUMNS, st.lists(st.integers(1, 5), max_size=5))
def test_blocks_there_and_back(column: tuple[int, int], widths: list[int]) -> None:
    """Blocks opened in the text are the same after they were put inside a block and taken out again."""
    known, width = UNKNOWN, column[0]
    for further in widths:
        width += further
        known = PYTHON.lexer.blocks.push((width, width), known)
    lines = lines_of("")

    assert lines.known(lines.blocks(known, column), inside=True) == known
    assert lines.known(lines.blocks(known, None), inside=False) == known


@pytest.mark.parametrize(
    ("text", "end", "names"),
    [
        ("x = 1\n    y\n", 6, "NAME EQUAL REAL NEWLINE"),
        ("if x:\n        y\n", 6, "IF NAME COLON NEWLINE"),
        ("f(\n1,\n)\n    y\n", 8, "NAME LPAR REAL COMMA RPAR NEWLINE"),
        ("'''\n'''\n    y\n", 8, "STRING NEWLINE"),
        ("x \\\n  + 1\n    y\n", 10, "NAME PLUS REAL NEWLINE"),
        ("x # y\n", 6, "NAME NEWLINE"),
        ("x\r\ny", 3, "NAME NEWLINE"),
    ],
)
def test_the_line_of_the_cursor(text: str, end: int, names: str) -> None:
    """A line that has content before it is read to where the next one begins."""
    lines = lines_of(text)
    block = lines.blocks(UNKNOWN, (4, 4))
    read = lines.read(0, block, begins=False)

    assert read is not None
    assert read[:2] == (end, block)
    assert " ".join(PYTHON.compiled.productions.names[terminal] for terminal, _ in read[2]) == names


@pytest.mark.parametrize(
    "text", ["  x\n", "x\n", "\tx\n", "      \fx\n", "    x", "    x = '\n", "", "    (\n", "    x \\\n"]
)
def test_lines_that_are_left_alone(text: str) -> None:
    """No line is read that is outside the block, that the text ends in, or that has no lexemes."""
    lines = lines_of(text)

    assert lines.read(0, lines.blocks(UNKNOWN, (5 if text[:1] == "\t" else 4, 4)), begins=True) is None


def test_a_class_right_at_the_cursor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of a block are read whole in each branch of a text, so their terminals are not read one by one."""
    steps: list[int] = []
    plain = SinglePath.after
    monkeypatch.setattr(SinglePath, "after", lambda self, *place: steps.append(0) or plain(self, *place))
    counts = []
    for number in (10, 100):
        methods = "".join(
            f"    def m{index}(self, x):\n        return self.y + f(x, 'a')\n\n" for index in range(number)
        )
        steps.clear()
        assert LANGUAGE.quotient("x = 1\n", f"class A:\n{methods}z = 1\n", tolerant=False).viable
        counts.append(len(steps))

    assert counts[0] == counts[1]
