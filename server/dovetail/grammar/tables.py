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
    direct: dict[tuple[int, int], set[int]] = {}  # (p, A) → terminals right after it
    includes: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)  # (p, A) → (p', B), B ending in A
    looks: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)  # (q, production) → (p, A) below it
    for state, row in enumerate(gotos):
        for nonterminal in closures[state]:
            after = row[nonterminal]
            direct[state, nonterminal] = {symbol for symbol in gotos[after] if symbol < terminal_count}
            for number in by_left[nonterminal]:
                at = state
                right = grammar.rights[number]
                for symbol in right[:-1]:
                    at = gotos[at][symbol]
                if right[-1] >= terminal_count:
                    includes[at, right[-1]].append((state, nonterminal))
                looks[gotos[at][right[-1]], number].append((state, nonterminal))
    follow = _follow(direct, includes)
    actions: list[dict[int, list[int]]] = [
        {symbol: [target] for symbol, target in row.items() if symbol < terminal_count} for row in gotos
    ]
    for (state, number), places in looks.items():
        for terminal in set().union(*(follow[place] for place in places)):
            actions[state].setdefault(terminal, []).append(~number)
    # No action reduces the whole text: the parser accepts in the state after END.
    return [{terminal: tuple(choices) for terminal, choices in sorted(row.items())} for row in actions]


def _follow(
    direct: dict[tuple[int, int], set[int]], includes: dict[tuple[int, int], list[tuple[int, int]]]
) -> dict[tuple[int, int], set[int]]:
    """Return the least solution of follow(x) = direct(x) ∪ follow(y) for x includes y (Tarjan's components)."""
    follow: dict[tuple[int, int], set[int]] = {}
    index: dict[tuple[int, int], int] = {}
    low: dict[tuple[int, int], int] = {}
    path: list[tuple[int, int]] = []
    for root in direct:
        if root in index:
            continue
        work = [(root, iter(includes.get(root, ())))]
        index[root] = low[root] = len(index)
        path.append(root)
        follow[root] = set(direct[root])
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    path.append(other)
                    follow[other] = set(direct[other])
                    work.append((other, iter(includes.get(other, ()))))
                    break
                if other in low:
                    low[node] = min(low[node], index[other])
                follow[node] |= follow[other]
            else:
                work.pop()
                if low[node] == index[node]:
                    member = None
                    while member != node:
                        member = path.pop()
                        del low[member]
                        follow[member] = follow[node]
                if work:
                    parent = work[-1][0]
                    follow[parent] |= follow[node]
                    if node in low:
                        low[parent] = min(low[parent], low[node])
    return follow
