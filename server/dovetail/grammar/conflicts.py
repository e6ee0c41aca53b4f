"""Conflicts of a grammar: the places where its tables keep several actions, with the items that want them.

A conflict is no mistake: the parser follows every action. Each costs time, and one that was not meant may be an
ambiguity of the grammar.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.grammar.compiled import Compiled
    from dovetail.grammar.tables import Item


@dataclass(frozen=True, slots=True)
class Conflict:
    """The terminals for which one state has the same several actions."""

    state: int
    terminals: tuple[int, ...]
    items: tuple[Item, ...]
    """The items that want the actions: complete ones are reduced, the others shift the terminals."""
    symbols: tuple[int, ...]
    """The symbols on the shortest stack of the state: an example of what was read before."""


def find_conflicts(compiled: Compiled, costs: Sequence[int]) -> list[Conflict]:
    """Return the conflicts of a language, state by state; `costs` has the length of each symbol's shortest text."""
    tables, productions = compiled.tables, compiled.productions
    stacks = _shortest_stacks(compiled, costs)
    found = []
    for state, row in enumerate(tables.actions.every()):
        terminals: dict[tuple[Item, ...], list[int]] = {}
        for terminal, actions in row.items():
            if len(actions) < 2:
                continue
            items: dict[Item, None] = {}
            for action in actions:
                if action < 0:
                    items[~action, len(productions.rights[~action])] = None
                else:
                    items.update(((number, dot - 1), None) for number, dot in tables.kernels[action])
            terminals.setdefault(tuple(items), []).append(terminal)
        found += [Conflict(state, tuple(group), items, stacks[state]) for items, group in terminals.items()]
    return found


def show_item(compiled: Compiled, item: Item) -> str:
    """Return an item in readable form, with a dot where the parser stands.

    >>> from dovetail import load_language
    >>> show_item(load_language("json").machine.compiled, (0, 1))
    '$whole: file · $END'
    """
    number, dot = item
    productions = compiled.productions
    names = [show_symbol(compiled, symbol) for symbol in productions.rights[number]]
    return f"{productions.names[productions.lefts[number]]}: {' '.join([*names[:dot], '·', *names[dot:]])}"


def show_symbol(compiled: Compiled, symbol: int) -> str:
    """Return a symbol in readable form: the text of a terminal that has only one, else a name."""
    literal = compiled.literals[symbol] if symbol < len(compiled.literals) else None
    return compiled.productions.names[symbol] if literal is None else f'"{literal}"'


def _shortest_stacks(compiled: Compiled, costs: Sequence[int]) -> list[tuple[int, ...]]:
    """Return state → the symbols on the stack that takes the shortest text to get there."""
    gotos = compiled.tables.gotos
    found: list[tuple[int, ...]] = [()] * len(gotos)
    done: set[int] = set()
    agenda: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, ())]
    while agenda:
        cost, state, symbols = heapq.heappop(agenda)
        if state in done:
            continue
        done.add(state)
        found[state] = symbols
        for symbol, target in gotos[state].items():
            if target not in done:
                heapq.heappush(agenda, (cost + 1 + costs[symbol], target, (*symbols, symbol)))
    return found
