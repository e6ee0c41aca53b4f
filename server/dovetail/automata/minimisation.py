"""Minimisation of a deterministic automaton whose missing transitions mean refusal.

Hopcroft, "An n log n algorithm for minimizing states in a finite automaton" (1971), in the form for partial
automata of Valmari and Lehtinen, "Efficient minimization of DFAs with partial transition functions" (2008). No state
is added for refusal: the work follows the transitions that there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

DEAD = -1
START = 0


def minimise(rows: Sequence[Sequence[int]], accepts: Sequence[int]) -> tuple[list[list[int]], list[int]]:
    """Return the smallest automaton that reads the same: its rows and the terminal that each state accepts.

    `rows`: state → class → next state, or DEAD. `accepts`: state → terminal, or -1. No state may lead only to
    refusal. The start stays a state of its own even where another reads alike, since only there no lexeme is pending.

    States are numbered as a walk from the start meets them, class by class, so equal languages give equal results.

    >>> minimise([[1, 2], [3, DEAD], [3, DEAD], [DEAD, DEAD]], [-1, -1, -1, 7])
    ([[1, 1], [2, -1], [-1, -1]], [-1, -1, 7])
    """
    block_of = _blocks(rows, accepts)
    numbers = {block_of[START]: START}
    order = [START]
    merged: list[list[int]] = []
    for state in order:
        row = []
        for target in rows[state]:
            if target == DEAD:
                row.append(DEAD)
                continue
            block = block_of[target]
            if block not in numbers:
                numbers[block] = len(order)
                order.append(target)
            row.append(numbers[block])
        merged.append(row)
    return merged, [accepts[state] for state in order]


def _blocks(rows: Sequence[Sequence[int]], accepts: Sequence[int]) -> list[int]:
    """Return for each state the block of the coarsest partition that no text tells apart."""
    sources: list[dict[int, list[int]]] = [{} for _ in rows]  # state → class → the states that it leads here from
    for state, row in enumerate(rows):
        for number, target in enumerate(row):
            if target != DEAD:
                sources[target].setdefault(number, []).append(state)
    blocks: list[set[int]] = []
    block_of = [0] * len(rows)
    first: dict[tuple[bool, int], int] = {}
    for state, accept in enumerate(accepts):
        key = (state == START, accept)
        if key not in first:
            first[key] = len(blocks)
            blocks.append(set())
        block_of[state] = first[key]
        blocks[block_of[state]].add(state)
    # In a complete automaton one block may be left out here. In a partial one it may not: a state without a
    # transition into it has to be told apart from a state that has one.
    waiting = set(range(len(blocks)))
    while waiting:
        leading: dict[int, list[int]] = {}  # class → the states that it leads into the block from
        splitter = blocks[waiting.pop()]
        if len(splitter) == 1:
            [state] = splitter
            leading = sources[state]
        else:
            for state in splitter:
                for number, befores in sources[state].items():
                    if number in leading:
                        leading[number] += befores
                    else:
                        leading[number] = [*befores]
        for states in leading.values():
            touched: dict[int, list[int]] = {}
            for state in states:
                touched.setdefault(block_of[state], []).append(state)
            for block, inside in touched.items():
                if len(inside) == len(blocks[block]):
                    continue
                _split(blocks, block_of, waiting, block, inside)
    return block_of


def _split(blocks: list[set[int]], block_of: list[int], waiting: set[int], block: int, inside: list[int]) -> None:
    """Give some states of a block a block of their own."""
    fresh = len(blocks)
    blocks[block].difference_update(inside)
    blocks.append(set(inside))
    for state in inside:
        block_of[state] = fresh
    # Every block is stable under the whole that was split, if that does not wait. Classes lead to one state each, so
    # what is stable under the whole and under one part is stable under the other part: the smaller one is enough,
    # and no state is in more than log n blocks that are looked at.
    waiting.add(fresh if block in waiting or len(inside) <= len(blocks[block]) else block)
