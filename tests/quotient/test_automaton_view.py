"""The automaton of a right context as a person sees it."""

from __future__ import annotations

import pytest
from tests.suffix.small import HERE

import dovetail
from dovetail.quotient.automaton_view import DrawnEdge, DrawnState, view_automaton

NESTED = dovetail.load_language(HERE / "nested.lark")
FIRST = DrawnEdge(0, 1, "start → `(` start `)`", ("start", "`(`"))
SECOND = DrawnEdge(1, 2, "start → `(` start `)`", ("`(`",))


def test_the_worked_example() -> None:
    """The three states of ARCHITECTURE's example, in the columns of the text where they are reached, and its run."""
    closed = NESTED.quotient("((", "))").start.advance("x")
    assert closed is not None

    view = view_automaton([closed])

    gotos = NESTED.machine.compiled.tables.gotos
    names = NESTED.machine.compiled.productions.names
    start, opener, closer = names.index("start"), names.index("LPAR"), names.index("RPAR")
    inside = gotos[0][opener]
    assert view.states == (
        DrawnState(0, "`)`", gotos[gotos[inside][start]][closer], 0, 1, 0, "`)`", entry=True, final=False),
        DrawnState(1, "start", gotos[inside][start], 1, 2, 1, "`)`", entry=False, final=False),
        DrawnState(2, "start", gotos[0][start], 2, 2, 2, "the end of the text", entry=False, final=True),
    )
    assert view.edges == (FIRST, SECOND)
    assert view.run_edges == (FIRST, SECOND)
    assert [state for state, _ in view.run] == [0, 1, 2]
    assert [entry.symbol for entry in view.run_stack] == ["$", "`(`", "`(`", "start"]
    assert (view.reached, view.total, view.run_length) == (3, 3, 3)


def test_a_large_automaton_is_cut() -> None:
    """Of a large automaton the nearest states are shown, of a long run its beginning, and the number of all is said."""
    right = ")" * 50
    closed = NESTED.quotient("(" * 50, right).start.advance("x")
    assert closed is not None

    whole = view_automaton([closed], most=100)
    cut = view_automaton([NESTED.quotient("(" * 50, right).start], most=10)
    with_run = view_automaton([closed], most=10)

    assert (len(whole.states), whole.total) == (51, 51)
    assert (len(cut.states), cut.total, cut.run) == (10, 51, ())
    assert [state.offset for state in cut.states] == list(range(10))
    assert all(edge.target < 10 for edge in cut.edges)
    assert (len(with_run.states), with_run.total) == (10, 51)
    assert ([state for state, _ in with_run.run], with_run.run_length) == (list(range(10)), 51)
    assert len(with_run.run_edges) == 9
    assert [entry.symbol for entry in with_run.run_stack] == ["`(`"] * 10 + ["start"]
    assert (len(whole.run), whole.run_length) == (51, 51)


@pytest.mark.parametrize("everywhere", [False, True])
def test_entries_are_those_that_count_here(everywhere: bool) -> None:
    """After a digit the number goes on into the right text; `everywhere` also enters it before a number of its own."""
    state = dovetail.load_language("json").quotient("[1", "2]").start

    view = view_automaton([state], everywhere=everywhere)

    entries = [each for each in view.states if each.entry]
    assert [(each.symbol, each.offset, each.end) for each in entries] == [("number", 0, 1)] * (1 + everywhere)
    assert len({each.column for each in entries}) == 1 + everywhere


def test_nothing_is_entered() -> None:
    """The whole automaton is shown, and no run, if the text to the left goes with nothing on the right."""
    view = view_automaton([NESTED.quotient("x(", "))", tolerant=False).start])

    assert (len(view.states), view.reached, view.total, view.run) == (3, 3, 3, ())
    assert [state.entry for state in view.states] == [True, False, False]
