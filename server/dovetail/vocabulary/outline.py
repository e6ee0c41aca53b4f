"""Stacks of which only the uppermost states are known, as far as a question needs them.

What terminals do to a stack is decided by the states that they reduce or lie over, a few at most, so it is asked of
an outline: the real stack down to a depth, and an unknown below. Outlines of many stacks are one and the same, in
whatever text they are, and what was found for one of them holds for all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.parsing.stack import Node, Stacks

if TYPE_CHECKING:
    from dovetail.grammar.compiled import Compiled
    from dovetail.parsing.stack import Heads, UnitChains

_MANY = 1_000_000     # bounds what is remembered; then all of it is let go


class Outlines:
    """The outlines of a language's stacks, each made once, and what terminals do to them."""

    def __init__(self, language: Compiled, chains: UnitChains) -> None:
        self._language = language
        self._chains = chains
        self.clear()

    def clear(self) -> None:
        """Forget all outlines."""
        self._stacks = Stacks(self._language, self._chains)
        # It has no state, so reading its row of a table fails with IndexError; and it lies over itself, so however
        # much is taken off it is what comes to light.
        self._unknown = Node(len(self._language.tables.gotos), (), (0, 0), -1)
        self._unknown.below = (self._unknown,)
        self._shifted: dict[tuple[Heads, int], Heads | None] = {}

    @property
    def full(self) -> bool:
        """Whether so much is remembered that it is time to forget."""
        return len(self._shifted) > _MANY or self._stacks.size > _MANY

    def of(self, heads: Heads, depth: int) -> tuple[Heads, tuple[Node, ...], bool]:
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
                return (top,), at, False
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
                if node.below:
                    below = tuple(sorted({over[under] for under in node.below}, key=_number))
                    made[node] = self._stacks.node(node.state, below)
                else:
                    made[node] = self._stacks.bottom
                    bottom = True
        return tuple(sorted({made[head] for head in heads}, key=_number)), tuple(levels[-1]), bottom

    def shift(self, heads: Heads, terminal: int) -> Heads | None:
        """Return the outlines after a terminal; empty if none takes it, None if what is unknown decides."""
        key = (heads, terminal)
        try:
            return self._shifted[key]
        except KeyError:
            pass
        found: Heads | None
        try:
            found = self._stacks.shift(heads, terminal)
        except IndexError:
            found = None
        self._shifted[key] = found
        return found


def _number(node: Node) -> int:
    return node.number
