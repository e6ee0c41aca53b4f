"""Prefixes of stacks: the uppermost states, as many as a question needs, over an unknown rest.

The effect of a terminal on a stack depends on the states that are reduced away and the one below them, a few at most.
So the parser is asked about a prefix: the real stack down to a depth, and an unknown node under it. Stacks of many
texts have the same prefix, and an answer for it holds for all of them.

Prefixes are numbered, and everything that is remembered of them is numbers: there are hundreds of thousands, and
Python's garbage collector would have to look at each object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.parsing.stack import Node, Stacks

if TYPE_CHECKING:
    from dovetail.grammar.compiled import Compiled
    from dovetail.parsing.stack import Heads, UnitChains

NONE_TAKES, UNDECIDED = 0, -1
"""No stack with the prefix takes the terminal; the unknown part decides. Prefixes are numbered from 1 on."""
_MANY = 1_000_000  # With more entries than this all of them are forgotten.


class StackPrefixes:
    """The prefixes of a language's stacks, each made once, and the effect of terminals on them."""

    def __init__(self, compiled: Compiled, chains: UnitChains) -> None:
        self._compiled = compiled
        self._chains = chains
        self._terminal_count = compiled.productions.terminal_count
        self.clear()

    def clear(self) -> None:
        """Forget all prefixes."""
        self._stacks = Stacks(self._compiled, self._chains)
        # The unknown node has a state outside the tables, so a question that depends on it ends in an IndexError.
        # It lies over itself, so however many nodes are reduced away, it is the one that they lay on.
        self._unknown = Node(len(self._compiled.tables.gotos), (), (0, 0), -1)
        self._unknown.below = (self._unknown,)
        self._heads: list[Heads] = [()]
        self._numbers: dict[Heads, int] = {(): NONE_TAKES}
        self._shallower: dict[int, int] = {}  # prefix → prefix
        self._shifted: dict[int, int] = {}  # prefix × terminals + terminal → prefix

    @property
    def full(self) -> bool:
        """True if so much is remembered that it is time to forget."""
        return len(self._shifted) > _MANY or self._stacks.size > _MANY

    def _number(self, heads: Heads) -> int:
        number = self._numbers.get(heads)
        if number is None:
            number = self._numbers[heads] = len(self._heads)
            self._heads.append(heads)
        return number

    def of(self, heads: Heads, depth: int) -> tuple[int, tuple[Node, ...], bool]:
        """Return the prefix of stacks down to a depth of at least one node.

        Also the nodes right below that depth, and whether the bottom of one of the stacks lies above it.
        """
        if len(heads) == 1:
            # Nearly always there is one stack; it needs no levels.
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
        tops = tuple(sorted({made[head] for head in heads}, key=_order))
        return self._number(tops), tuple(levels[-1]), bottom

    def shallower(self, prefix: int) -> int:
        """Return the prefix that is one node less deep, or NONE_TAKES for a prefix of one node."""
        found = self._shallower.get(prefix)
        if found is None:
            depth, level = 0, set(self._heads[prefix]) - {self._unknown}
            while level:
                depth += 1
                level = {under for node in level for under in node.below} - {self._unknown}
            # A prefix of one node has nothing shallower to ask.
            found = NONE_TAKES if depth <= 1 else self.of(self._heads[prefix], depth - 1)[0]
            self._shallower[prefix] = found
        return found

    def shift(self, prefix: int, terminal: int) -> int:
        """Return the prefix after a terminal, or NONE_TAKES, or UNDECIDED."""
        key = prefix * self._terminal_count + terminal
        after = self._shifted.get(key)
        if after is None:
            try:
                after = self._number(self._stacks.shift(self._heads[prefix], terminal))
            except IndexError:
                after = UNDECIDED
            self._shifted[key] = after
        return after


def _order(node: Node) -> int:
    return node.number
