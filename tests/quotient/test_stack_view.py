"""The parse stacks as a person sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.suffix.small import HERE

import dovetail
from dovetail.quotient.stack_view import view_stacks

if TYPE_CHECKING:
    from pathlib import Path

NESTED = dovetail.load_language(HERE / "nested.lark")


@pytest.fixture(name="ambiguous")
def _ambiguous(tmp_path: Path) -> dovetail.Language:
    """Return a language in which a text of `x` has as many parses as binary trees have leaves."""
    (tmp_path / "ambiguous.lark").write_text('start: start start | "x"\n')
    return dovetail.load_language(tmp_path / "ambiguous.lark")


def test_one_stack_with_its_items() -> None:
    """Each entry has its symbol, its LR state, and what is being read there."""
    view = view_stacks(NESTED.quotient("((x", "").start)

    assert [entry.symbol for entry in view.stacks[0]] == ["$", "`(`", "`(`"]
    assert view.stacks[0][1].items == ("start → `(` • start `)`",)
    assert [entry.items for entry in view.stacks[0][:1]] == [("the whole text → • start the end of the text",)]
    assert (view.hidden, view.count) == ((0,), 1)
    assert view.stacks[0][1].state == view.stacks[0][2].state != view.stacks[0][0].state
    assert view.stacks[0][1].node != view.stacks[0][2].node


def test_the_pending_lexeme_is_not_on_the_stack() -> None:
    """Only a lexeme that has ended is shifted."""
    symbols = [
        [entry.symbol for entry in view_stacks(NESTED.quotient(left, "").start).stacks[0]] for left in ("(", "(x")
    ]

    assert symbols == [["$"], ["$", "`(`"]]


def test_a_deep_stack_is_shown_from_its_top() -> None:
    """Of a deep stack the number of lowest entries that are left out is said."""
    view = view_stacks(NESTED.quotient("(" * 3_000 + "x", "").start, deepest=5)

    assert [entry.symbol for entry in view.stacks[0]] == ["`(`"] * 5
    assert view.hidden == (2_996,)


def test_the_number_of_stacks_is_exact(ambiguous: dovetail.Language) -> None:
    """All stacks that are alive are counted, each different, whether they are shown or not."""
    for length in range(2, 9):
        state = ambiguous.quotient("x" * length, "").start
        everything = view_stacks(state, most=1_000)
        few = view_stacks(state, most=2)

        assert len(set(everything.stacks)) == everything.count == len(everything.stacks)
        assert few.stacks == everything.stacks[:2]
        assert few.count == everything.count
    assert everything.count > 2


def test_no_stack() -> None:
    """Nothing is shown if no parse is alive."""
    view = view_stacks(NESTED.quotient(")x", "", tolerant=False).start)

    assert (view.stacks, view.count) == ((), 0)
