"""Stacks of which only the uppermost states are known, as far as a question needs them.

What terminals do to a stack is decided by the states that they reduce or lie over, a few at most, so it is asked of
an outline: the real stack down to a depth, and an unknown below. Outlines of many stacks are one and the same, in
whatever text they are, and what was found for one of them holds for all.

Outlines are numbered, and everything that is remembered of them is numbers: there are hundreds of thousands, and
the collector of garbage would have to look at each object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.parsing.stack import Node, Stacks

if TYPE_CHECKING:
    from dovetail.grammar.compiled import Compiled
    from dovetail.parsing.stack import Heads, UnitChains

NONE_TAKES, UNDECIDED = 0, -1
"""After a terminal that no stack takes; where what is unknown decides. Other outlines are numbered from 1 on."""
_MANY = 1_000_000  # bounds what is remembered; then all of it is let go


class StackPrefixes:
    """The outlines of a language's stacks, each made once, and what terminals do to them."""

    def __init__(self, compiled: Compiled, chains: UnitChains) -> None:
        self._compiled = compiled
        self._chains = chains
        self._terminal_count = compiled.productions.terminal_count
        self.clear()

    def clear(self) -> None:
        """Forget all outlines."""
        self._stacks = Stacks(self._compiled, self._chains)
        # It has no state, so reading its row of a table fails with IndexError; and it lies over itself, so however
        # much is taken off it is what comes to light.
        self._unknown = Node(len(self._compiled.tables.gotos), (), (0, 0), -1)
        self._unknown.below = (self._unknown,)
        self._heads: list[Heads] = [()]
        self._numbers: dict[Heads, int] = {(): NONE_TAKES}
        self._shallower: dict[int, int] = {}  # outline → outline
        self._shifted: dict[int, int] = {}  # outline × terminals + terminal → outline

    @property
    def full(self) -> bool:
        """Whether so much is remembered that it is time to forget."""
        return len(self._shifted) > _MANY or self._stacks.size > _MANY

    def _number(self, heads: Heads) -> int:
        number = self._numbers.get(heads)
        if number is None:
            number = self._numbers[heads] = len(self._heads)
            self._heads.append(heads)
        return number

    def of(self, heads: Heads, depth: int) -> tuple[int, tuple[Node, ...], bool]:
        """Return the outline of stacks down to a depth of at least one node.

        With it the nodes right below that depth, and whether the bottom lies above it on one of the stacks.
        """
        if len(heads) == 1:
            # One stack, nearly always.
            states: list[int] = []
            at: tuple[Node, ...] = heads
            while len(states) < depth and len(at) == 1:
                states.append(at[0].state)
                at = at[0].below
            if len(at) == 1 and len(states) == depth:
                top, make = self._unknown, self._stacks.node
                for state in reversed(states):
                    top = make(state, (top,))
                return self._number((top,)), at, False
        level: dict[Node, None] = dict.fromkeys(heads)
        levels = [level]
        for _ in range(depth):
            level = dict.fromkeys(under for node in level for under in node.below)
            levels.append(level)
        made: dict[Node, Node] = dict.fromkeys(level, self._unknown)
        bottom = False
        for level in reversed(levels[:-1]):
            over = made
            made = {}
            for node in level:
                if node is self._unknown:
                    made[node] = node
                elif node.below:
                    below = tuple(sorted({over[under] for under in node.below}, key=_order))
                    made[node] = self._stacks.node(node.state, below)
                else:
                    made[node] = self._stacks.bottom
                    bottom = True
        outline = tuple(sorted({made[head] for head in heads}, key=_order))
        return self._number(outline), tuple(levels[-1]), bottom

    def shallower(self, outline: int) -> int:
        """Return the outline with one level less known, or NONE_TAKES if but one is."""
        found = self._shallower.get(outline)
        if found is None:
            depth, level = 0, set(self._heads[outline]) - {self._unknown}
            while level:
                depth += 1
                level = {under for node in level for under in node.below} - {self._unknown}
            found = NONE_TAKES if depth <= 1 else self.of(self._heads[outline], depth - 1)[0]
            self._shallower[outline] = found
        return found

    def shift(self, outline: int, terminal: int) -> int:
        """Return the outline after a terminal, or NONE_TAKES, or UNDECIDED."""
        key = outline * self._terminal_count + terminal
        after = self._shifted.get(key)
        if after is None:
            try:
                after = self._number(self._stacks.shift(self._heads[outline], terminal))
            except IndexError:
                after = UNDECIDED
            self._shifted[key] = after
        return after


def _order(node: Node) -> int:
    return node.number
