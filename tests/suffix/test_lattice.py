"""The lattice has a position for everything that a right context may be, and nothing unknown is guessed."""

from __future__ import annotations

import pytest
from tests.suffix.small import ARITHMETIC, INDENTED

from dovetail.lexing.indentation import exactly
from dovetail.lexing.lexer import Line
from dovetail.suffix.lattice import ARRANGING, CONTENT, DEDENTING, TEXT_END, UNKNOWN, Lattice, Position

NAMES = INDENTED.compiled.productions.names


def names_along(lattice: Lattice, position: Position) -> list[str]:
    """Return the terminals from a position on where one follows the other in one way."""
    found = []
    while position.kind != TEXT_END:
        found.append(lattice.lexer.compiled.productions.names[position.terminal])
        (position,) = lattice.after_terminal(position)
    return found


def test_one_reading() -> None:
    """A text of one mode is read in one way, and blanks have no positions."""
    lattice = Lattice(ARITHMETIC.lexer, "12 + (3) ")
    (position,) = lattice.settle(0, ARITHMETIC.lexer.modes.anywhere(), None)

    assert names_along(lattice, position) == ["NUMBER", "PLUS", "LPAR", "NUMBER", "RPAR"]


def test_modes_are_told_apart_where_they_differ() -> None:
    """A line end is a terminal outside brackets and nothing inside; until then the two are one position."""
    lattice = Lattice(INDENTED.lexer, "a\na)\n")
    (first,) = lattice.settle(0, INDENTED.lexer.modes.anywhere(), None)
    after = lattice.after_terminal(first)

    assert len(INDENTED.lexer.modes.entries[first.stack][0]) == 2
    assert sorted(NAMES[position.terminal] for position in after) == ["A", "NEWLINE"]


@pytest.mark.parametrize(
    ("column", "kinds"), [(0, {CONTENT: 1, ARRANGING: 1}), (4, {CONTENT: 1, ARRANGING: 1})], ids=["at zero", "indented"]
)
def test_a_line_in_an_unknown_block(column: int, kinds: dict[int, int]) -> None:
    """A line may stand in the unknown block, or indent, or end any number of blocks."""
    text = " " * column + "a\n"
    lattice = Lattice(INDENTED.lexer, text)
    positions = lattice.settle(0, INDENTED.lexer.modes.bottom, Line())
    arranging = next(position for position in positions if position.kind == ARRANGING)
    moves = {NAMES[move.terminal]: move for move in lattice.moves(arranging)}

    assert {kind: sum(position.kind == kind for position in positions) for kind in kinds} == kinds
    assert next(position for position in positions if position.kind == CONTENT).around == exactly((column, column))
    assert set(moves) == ({"INDENT", "DEDENT"} if column else {"DEDENT"})
    assert [position.kind for position in moves["DEDENT"].targets] == [DEDENTING, CONTENT]
    assert moves["DEDENT"].block is not None
    assert moves["DEDENT"].block.low > (column, column)


def test_a_line_in_a_block_of_its_own() -> None:
    """In a block that the text has opened the column decides."""
    text = "a\n"
    lattice = Lattice(INDENTED.lexer, text)
    four = INDENTED.lexer.blocks.push((4, 4), UNKNOWN)
    bottom = INDENTED.lexer.modes.bottom

    (inside,) = lattice.settle(0, bottom, Line((4, 4)), four)
    (deeper,) = lattice.settle(0, bottom, Line((6, 6)), four)
    (less,) = lattice.settle(0, bottom, Line((2, 2)), four)
    (indent,) = lattice.moves(deeper)
    (dedent,) = lattice.moves(less)

    assert (inside.kind, inside.known) == (CONTENT, four)
    assert (NAMES[indent.terminal], INDENTED.lexer.blocks.entries[indent.targets[0].known]) == (
        "INDENT",
        ((6, 6), four),
    )
    assert (NAMES[dedent.terminal], [position.known for position in dedent.targets]) == ("DEDENT", [UNKNOWN] * 2)


def test_equal_positions_are_one() -> None:
    """Two lexings that come to the same place with the same unknowns go on as one."""
    lattice = Lattice(INDENTED.lexer, "a\n")
    bottom = INDENTED.lexer.modes.bottom

    assert lattice.settle(0, bottom, None) == lattice.settle(0, bottom, None)
