"""The parse stacks of a state as plain values, for a person to look at."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from dovetail.quotient.symbols import Symbols

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail.parsing.stack import Heads, Node
    from dovetail.quotient.machine import Machine
    from dovetail.quotient.state import State


@dataclass(frozen=True, slots=True)
class StackEntry:
    """One LR state on a stack."""

    node: int
    """The number of its node; an entry that several stacks share has one number."""
    state: int
    symbol: str
    """The symbol by which the state was entered; `$` at the bottom."""
    items: tuple[str, ...]
    """The productions that are being read there, with a dot at the place reached."""
    column: int
    """The column of the innermost block, with tab stops."""


@dataclass(frozen=True, slots=True)
class StackView:
    """Some of the parse stacks that are alive. The pending lexeme is not on them yet."""

    stacks: tuple[tuple[StackEntry, ...], ...]
    """Each from the bottom to the top, or without its lowest entries if it is deep."""
    hidden: tuple[int, ...]
    """For each stack, the number of its lowest entries that are left out."""
    count: int
    """The number of all stacks that are alive."""


def view_stacks(state: State, most: int = 6, deepest: int = 40) -> StackView:
    """Return at most `most` stacks of a state, of each at most its `deepest` entries nearest to the top.

    >>> from dovetail import load_language
    >>> view = view_stacks(load_language("json").quotient("[1, ", "]").start)
    >>> [entry.symbol for entry in view.stacks[0]]
    ['$', '`[`', 'values', '`,`']
    """
    right, (heads, _), _ = state.parts()
    shown = list(islice(_stacks(heads), most))
    return StackView(
        stacks=tuple(view_entries(right.machine, stack[:deepest]) for stack in shown),
        hidden=tuple(max(len(stack) - deepest, 0) for stack in shown),
        count=_count(heads),
    )


def view_entries(machine: Machine, stack: Sequence[Node]) -> tuple[StackEntry, ...]:
    """Return the entries of one stack; `stack` has its nodes from the top downwards."""
    symbols = Symbols(machine)
    entering = machine.compiled.tables.entering
    return tuple(
        StackEntry(
            node=node.number,
            state=node.state,
            symbol=symbols.name(entering[node.state]),
            items=symbols.items(node.state),
            column=node.column[0],
        )
        for node in reversed(stack)
    )


def _stacks(heads: Heads) -> Iterator[list[Node]]:
    """Yield each stack from its top to its bottom."""
    # One stack at a time with the choices that are left: a stack may be deeper than Python's own.
    path: list[Node] = []
    choices = [list(reversed(heads))]
    while choices:
        if not choices[-1]:
            choices.pop()
            if path:
                path.pop()
            continue
        node = choices[-1].pop()
        path.append(node)
        choices.append(list(reversed(node.below)))
        if not node.below:
            yield list(path)


def _count(heads: Heads) -> int:
    """Return the number of stacks under some heads."""
    found: dict[Node, int] = {}
    work = list(heads)
    while work:
        node = work[-1]
        waiting = [below for below in node.below if below not in found]
        if waiting:
            work += waiting
            continue
        work.pop()
        found[node] = sum(found[below] for below in node.below) if node.below else 1
    return sum(found[head] for head in heads)
