"""The parse stacks: immutable nodes, shared by all parses.

Worked example, over `s: s s | "a"`: after `a a a` there are two parses, ((a a) a) and (a (a a)). Both are kept in one
graph: a node is an LR state over the nodes that it may lie on, so the parses share all that they have in common.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.oracles.cpython import TARGET

import dovetail

if TYPE_CHECKING:
    from pathlib import Path

    from dovetail.parsing.stack import Heads, Stacks
    from dovetail.quotient.machine import Machine

PYTHON = dovetail.load_language("python", target=TARGET).machine


@pytest.fixture(name="pairs")
def pairs_machine(tmp_path: Path) -> Machine:
    """Return the machine of a grammar with as many parses as there are binary trees."""
    path = tmp_path / "pairs.lark"
    path.write_text('start: s\ns: s s | "a"\n', encoding="utf-8")
    return dovetail.load_language(path).machine


def shifted(stacks: Stacks, machine: Machine, text: str) -> Heads:
    """Return the stacks after the terminals that a text completes."""
    read = machine.lexer.lex(machine.lexer.start, text)
    assert read is not None
    return stacks.shift_all((stacks.bottom,), read[1])


def test_all_parses_are_in_one_graph(pairs: Machine) -> None:
    """After three letters the top lies on one stack for each parse that is still open."""
    stacks = pairs.stacks()
    one, two, three = (shifted(stacks, pairs, "a" * count + "a") for count in (1, 2, 3))

    assert [len(heads) for heads in (one, two, three)] == [1, 1, 1]
    assert [len(heads[0].below) for heads in (one, two, three)] == [1, 1, 2]


def test_the_graph_grows_with_the_text_and_not_with_its_parses(pairs: Machine) -> None:
    """A hundred letters have more parses than could be counted, and a few nodes each."""
    sizes = []
    for count in (50, 100):
        stacks = pairs.stacks()
        shifted(stacks, pairs, "a" * count)
        sizes.append(stacks.size)

    assert sizes[1] <= 4 * sizes[0]


def test_equal_stacks_are_one_object() -> None:
    """The same text leads to the same nodes, whatever was read in between."""
    stacks = PYTHON.stacks()
    first = shifted(stacks, PYTHON, "f(x, [1, ")
    shifted(stacks, PYTHON, "while y:\n    z = ")

    assert first[0] is shifted(stacks, PYTHON, "f(x, [1, ")[0]


def test_nodes_never_change() -> None:
    """Reading on from a stack leaves it as it was, so a stack that is kept can be gone back to."""
    stacks = PYTHON.stacks()
    kept = shifted(stacks, PYTHON, "x = (1 + ")
    before = [(node.state, node.below, node.column) for node in kept]
    shifted(stacks, PYTHON, "x = (1 + 2) * 3\n")

    assert before == [(node.state, node.below, node.column) for node in kept]


def test_what_no_parse_takes_leaves_no_stack() -> None:
    """The empty tuple is the answer where no parse goes on, and it stays so."""
    stacks = PYTHON.stacks()

    assert shifted(stacks, PYTHON, "x = ) y ") == ()
    assert stacks.shift((), 0) == ()


def test_a_block_keeps_its_column() -> None:
    """Each node knows the column of the innermost open block: what a dedent to the right is compared with."""
    stacks = PYTHON.stacks()
    inside = shifted(stacks, PYTHON, "if x:\n    if y:\n        z = ")
    outside = shifted(stacks, PYTHON, "if x:\n    if y:\n        z = 1\nz = ")

    assert [inside[0].column, outside[0].column] == [(8, 8), (0, 0)]
