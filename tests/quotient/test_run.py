"""The run of an automaton over a stack exists exactly for accepted texts, and takes what lies on the stack."""

from __future__ import annotations

import re
from random import Random

import pytest
from tests.suffix.contexts import JSON, PYTHON, contexts
from tests.suffix.small import HERE

import dovetail
from dovetail.quotient.automaton_view import view_automaton
from dovetail.quotient.run import find_run, stack_under
from dovetail.quotient.symbols import Symbols

NESTED = dovetail.load_language(HERE / "nested.lark")


def _is_blank_after(left: str, right: str) -> bool:
    """Return whether a text has nothing but blanks and comments; one may begin on the last line of `left`."""
    in_comment = "#" in left.rpartition("\n")[2]
    return not re.sub(r"#[^\n]*|[\s\\]", "", right.partition("\n")[2] if in_comment else right)


def test_the_worked_example() -> None:
    """The example of ARCHITECTURE: the first step takes `start` and `(`, the second one `(`, and the bottom is left."""
    state = NESTED.quotient("((", "))").start.advance("x")
    assert state is not None

    run = find_run(state)

    symbols = Symbols(NESTED.machine)
    entering = NESTED.machine.compiled.tables.entering
    assert [symbols.name(entering[node.state]) for node in stack_under(run)] == ["start", "`(`", "`(`", "$"]
    assert [0 if step.reduction is None else step.reduction.count for step in run] == [2, 1, 0]
    assert [step.exposure.final for step in run] == [False, False, True]


@pytest.mark.parametrize("left", ["((", "(((x", "x", ")"])
def test_no_run_without_acceptance(left: str) -> None:
    """A text that is not accepted has no run."""
    state = NESTED.quotient(left, "))", tolerant=False).start

    assert not state.accepting
    assert find_run(state) == ()
    assert stack_under(()) == []


@pytest.mark.parametrize("name", ["python", "json"])
def test_runs_take_what_lies_on_the_stack(name: str) -> None:
    """In random contexts a run exists exactly if the text is accepted; its steps take the stack's symbols in order.

    Where nothing with content follows, the parser itself may end the text.
    """
    language = dovetail.load_language(name)
    found = 0
    for left, _, right in contexts(PYTHON if name == "python" else JSON, Random(f"runs {name}"), 400):
        quotient = language.quotient(left, right)
        closing = quotient.start.closing()
        if closing is None:
            continue
        for middle in dict.fromkeys(("", closing)):
            state = quotient.start.advance(middle)
            assert state is not None
            if _is_blank_after(left + middle, quotient.right.text):
                continue
            view = view_automaton([state])

            assert bool(view.run) == state.accepting
            stack = [entry.symbol for entry in view.run_stack]
            taken = [symbol for edge in view.run_edges for symbol in edge.taken]
            assert taken == stack[:0:-1]
            found += bool(view.run)
    assert found > 20
