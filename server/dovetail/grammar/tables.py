"""From productions to LALR(1) tables in which every conflicting action is kept.

Lookaheads by DeRemer and Pennello, "Efficient computation of LALR(1) look-ahead sets" (1982); without empty
productions their `reads` relation is empty and `includes` has only the last symbol of a production.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.grammar.stored_rows import rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.grammar.productions import Productions
    from dovetail.grammar.stored_rows import StoredRows

Item = tuple[int, int]
"""A production and how many of its symbols lie to the left of the dot."""


@dataclass(frozen=True, slots=True)
class Tables:
    """An LR automaton; state 0 is the bottom of every stack."""

    actions: StoredRows[dict[int, tuple[int, ...]]]
    """State → terminal → actions: `q` shifts to state q, `~p` reduces by production p."""
    gotos: StoredRows[dict[int, int]]
    """State → symbol (terminals too) → state."""
    sources: StoredRows[list[int]]
    """State → the states from which one symbol leads to it, in order."""
    kernels: StoredRows[tuple[Item, ...]]
    """State → its items with the dot past the first symbol, and production 0's first."""
    entering: list[int]
    """State → the symbol by which it is entered; -1 for state 0."""


NO_TABLES = Tables(rows_of(()), rows_of(()), rows_of(()), rows_of(()), [])
"""The tables of a language whose grammar is not yet what it will be; see `grammar.specialisation`."""


def build_tables(grammar: Productions) -> Tables:
    """Return the tables of a grammar."""
    by_left: dict[int, list[int]] = defaultdict(list)
    for number, left in enumerate(grammar.lefts):
        by_left[left].append(number)
    kernels, gotos, closures = _states(grammar, by_left)
    actions = _actions(grammar, by_left, gotos, closures)
    entering = [-1] * len(kernels)
    sources: list[list[int]] = [[] for _ in kernels]
    for source, row in enumerate(gotos):
        for symbol, state in row.items():
            entering[state] = symbol
            sources[state].append(source)
    ordered = [tuple(sorted(kernel)) for kernel in kernels]
    return Tables(rows_of(actions), rows_of(gotos), rows_of(sources), rows_of(ordered), entering)


def _states(
    grammar: Productions, by_left: dict[int, list[int]]
) -> tuple[list[frozenset[Item]], list[dict[int, int]], list[set[int]]]:
    """Return the kernels of the states, their transitions, and the nonterminals that each one's closure adds."""
    rights = grammar.rights
    first_closure: dict[int, frozenset[int]] = {}

    def begun_by(nonterminal: int) -> frozenset[int]:
        if nonterminal not in first_closure:
            seen = {nonterminal}
            work = [nonterminal]
            while work:
                for number in by_left[work.pop()]:
                    symbol = rights[number][0]
                    if symbol >= grammar.terminal_count and symbol not in seen:
                        seen.add(symbol)
                        work.append(symbol)
            first_closure[nonterminal] = frozenset(seen)
        return first_closure[nonterminal]

    whole = grammar.lefts[0]
    first = frozenset((number, 0) for number in by_left[whole])
    numbers = {first: 0}
    kernels = [first]
    gotos: list[dict[int, int]] = []
    closures: list[set[int]] = []
    for kernel in kernels:
        moves: dict[int, set[Item]] = defaultdict(set)
        added: set[int] = set()
        for number, dot in kernel:
            if dot < len(rights[number]):
                symbol = rights[number][dot]
                moves[symbol].add((number, dot + 1))
                if symbol >= grammar.terminal_count:
                    added |= begun_by(symbol)
        for nonterminal in added:
            for number in by_left[nonterminal]:
                moves[rights[number][0]].add((number, 1))
        row: dict[int, int] = {}
        for symbol in sorted(moves):
            target = frozenset(moves[symbol])
            if target not in numbers:
                numbers[target] = len(kernels)
                kernels.append(target)
            row[symbol] = numbers[target]
        gotos.append(row)
        closures.append(added)
    return kernels, gotos, closures


def _actions(
    grammar: Productions, by_left: dict[int, list[int]], gotos: list[dict[int, int]], closures: list[set[int]]
) -> list[dict[int, tuple[int, ...]]]:
    terminal_count = grammar.terminal_count
    places: dict[tuple[int, int], int] = {}  # (p, A) → its number
    for state, added in enumerate(closures):
        for nonterminal in added:
            places[state, nonterminal] = len(places)
    # Sets of terminals are the bits of numbers: a union of two of them is one step.
    read = [sum(1 << symbol for symbol in row if symbol < terminal_count) for row in gotos]
    follow = [read[gotos[state][nonterminal]] for state, nonterminal in places]
    includes: list[list[int]] = [[] for _ in places]  # (p, A) → (p', B), B ending in A
    looks: dict[tuple[int, int], list[int]] = {}  # (q, production) → (p, A) below it
    productions = [
        [(number, grammar.rights[number][:-1], grammar.rights[number][-1]) for number in by_left.get(symbol, ())]
        for symbol in range(max(by_left) + 1)
    ]
    for (state, nonterminal), place in places.items():
        for number, beginning, last in productions[nonterminal]:
            at = state
            for symbol in beginning:
                at = gotos[at][symbol]
            if last >= terminal_count:
                includes[places[at, last]].append(place)
            key = gotos[at][last], number
            if key in looks:
                looks[key].append(place)
            else:
                looks[key] = [place]
    _follow(follow, includes)
    actions: list[dict[int, list[int]]] = [
        {symbol: [target] for symbol, target in row.items() if symbol < terminal_count} for row in gotos
    ]
    for (state, number), below in looks.items():
        terminals = 0
        for place in below:
            terminals |= follow[place]
        row = actions[state]
        for terminal in _bits(terminals):
            row.setdefault(terminal, []).append(~number)
    # No action reduces the whole text: the parser accepts in the state after END.
    return [{terminal: tuple(choices) for terminal, choices in sorted(row.items())} for row in actions]


def _bits(number: int) -> Iterator[int]:
    """Yield the positions of the bits of a number that are 1, the lowest first."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


def _follow(follow: list[int], includes: list[list[int]]) -> None:
    """Extend the sets to the least ones that hold the sets of what their places include (Tarjan's components)."""
    index = [-1] * len(follow)
    low = [0] * len(follow)
    met = 0
    on_path = [False] * len(follow)
    path: list[int] = []
    for root in range(len(follow)):
        if index[root] >= 0:
            continue
        work = [(root, iter(includes[root]))]
        index[root] = low[root] = met
        met += 1
        on_path[root] = True
        path.append(root)
        while work:
            node, rest = work[-1]
            for other in rest:
                if index[other] < 0:
                    index[other] = low[other] = met
                    met += 1
                    on_path[other] = True
                    path.append(other)
                    work.append((other, iter(includes[other])))
                    break
                if on_path[other] and index[other] < low[node]:
                    low[node] = index[other]
                follow[node] |= follow[other]
            else:
                work.pop()
                if low[node] == index[node]:
                    member = -1
                    while member != node:
                        member = path.pop()
                        on_path[member] = False
                        follow[member] = follow[node]
                if work:
                    parent = work[-1][0]
                    follow[parent] |= follow[node]
                    if on_path[node] and low[node] < low[parent]:
                        low[parent] = low[node]
