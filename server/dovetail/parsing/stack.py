"""The left side's memory: a graph of LR states, all parses at once.

Without empty productions every reduction pops at least one node, so within one step nothing links to a node that
is still growing: nodes are made whole, never change, and equal ones are one object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.grammar.compiled import Compiled
    from dovetail.lexing.indentation import Column
    from dovetail.lexing.lexer import Emission


class Node:
    """An LR state on a stack, over all the stacks that it may lie on."""

    __slots__ = ("below", "column", "number", "state")

    def __init__(self, state: int, below: tuple[Node, ...], column: Column, number: int) -> None:
        self.state = state
        self.below = below
        self.column = column
        """The column of the innermost open block."""
        self.number = number
        """Nodes of one `Stacks` are numbered as they are made, which gives sets of them an order."""


Heads = tuple[Node, ...]
"""The tops of all stacks, each of another state; empty where no parse goes on."""


class UnitChains:
    """Chains of unit reductions, collapsed: an expression's are some fifteen long, and each is walked once.

    Only cells with a single action are walked, so no parse is lost.
    """

    def __init__(self, compiled: Compiled) -> None:
        self.actions = compiled.tables.actions
        self.gotos = compiled.tables.gotos
        self.lefts = compiled.productions.lefts
        self.lengths = [len(right) for right in compiled.productions.rights]
        self.ends: dict[tuple[int, int, int], int] = {}
        """(state below, state on top, terminal) → the state where the chain ends, as far as it was asked for."""

    def end(self, key: tuple[int, int, int]) -> int:
        """Return the state where a chain ends; where it runs in a circle, the first one."""
        found = self.ends.get(key)
        if found is None:
            found = self.ends[key] = self._walk(*key)
        return found

    def _walk(self, below: int, state: int, terminal: int) -> int:
        row = self.gotos[below]
        seen = {state}
        at = state
        while True:
            choices = self.actions[at].get(terminal, ())
            if len(choices) != 1 or choices[0] >= 0 or self.lengths[~choices[0]] != 1:
                return at
            at = row[self.lefts[~choices[0]]]
            if at in seen:
                return state
            seen.add(at)


class Stacks:
    """Makes nodes; every stack with the same content is the same object."""

    def __init__(self, compiled: Compiled, chains: UnitChains) -> None:
        tables = compiled.tables
        self.actions = tables.actions
        self.gotos = tables.gotos
        self.lefts = compiled.productions.lefts
        self.lengths = chains.lengths
        self.chains = chains
        self._nodes: dict[tuple[int, tuple[Node, ...], Column | None], Node] = {}
        self.bottom = Node(0, (), (0, 0), 0)

    def node(self, state: int, below: tuple[Node, ...], column: Column | None = None) -> Node:
        """Return the node of a state over these nodes; `column` is given for an indent."""
        key = (state, below, column)
        found = self._nodes.get(key)
        if found is None:
            found = Node(state, below, below[0].column if column is None else column, len(self._nodes) + 1)
            self._nodes[key] = found
        return found

    @property
    def size(self) -> int:
        """How many nodes were made."""
        return len(self._nodes)

    def shift_all(self, heads: Heads, emissions: list[Emission]) -> Heads:
        """Return the stacks after terminals; empty if none takes them."""
        for terminal, column in emissions:
            heads = self.shift(heads, terminal, column)
            if not heads:
                break
        return heads

    def shift(self, heads: Heads, terminal: int, column: Column | None = None) -> Heads:
        """Return the stacks after one terminal; empty if none takes it."""
        if len(heads) != 1:
            return self._shift_many(heads, terminal, column)
        # One stack and one action at each step, nearly always: no sets, and no nodes until the shift.
        node: Node | None = heads[0]
        state, below = heads[0].state, heads[0].below
        actions, gotos, lefts, lengths, chains = self.actions, self.gotos, self.lefts, self.lengths, self.chains.ends
        while True:
            choices = actions[state].get(terminal)
            if choices is None:
                return ()
            if len(choices) != 1:
                break
            action = choices[0]
            if action >= 0:
                return (self.node(action, (node or self.node(state, below),), column),)
            length = lengths[~action]
            if length == 1:
                if len(below) != 1:
                    break
                key = (below[0].state, state, terminal)
                target = chains.get(key)
                if target is None:
                    target = self.chains.end(key)
                if target == state:
                    return ()  # a cycle of unit reductions that leads nowhere
                state, node = target, None
                continue
            base = below
            for _ in range(length - 1):
                if len(base) != 1:
                    break
                base = base[0].below
            else:
                if len(base) == 1:
                    state = gotos[base[0].state][lefts[~action]]
                    below, node = base, None
                    continue
            break
        return self._shift_many((node or self.node(state, below),), terminal, column)

    def _shift_many(self, heads: Heads, terminal: int, column: Column | None) -> Heads:
        """One step of generalised LR: all reductions to their end, then all shifts."""
        actions, gotos = self.actions, self.gotos
        level: dict[int, dict[Node, None]] = {}  # state → the nodes under it
        work: list[tuple[int, Node]] = []
        for head in heads:
            level[head.state] = dict.fromkeys(head.below)
            work += [(head.state, base) for base in head.below]
        while work:
            state, link = work.pop()
            for action in actions[state].get(terminal, ()):
                if action >= 0:
                    continue
                left = self.lefts[~action]
                for base in self.popped((link,), self.lengths[~action] - 1):
                    target = gotos[base.state][left]
                    if terminal not in actions[target]:
                        continue
                    links = level.setdefault(target, {})
                    if base not in links:
                        links[base] = None
                        work.append((target, base))
        shifted: dict[int, list[Node]] = {}
        unchanged = {head.state: head for head in heads if len(level[head.state]) == len(head.below)}
        for state, links in level.items():
            for action in actions[state].get(terminal, ()):
                if action >= 0:
                    top = unchanged.get(state) or self.node(state, _ordered(links))
                    shifted.setdefault(action, []).append(top)
        made = [self.node(state, _ordered(tops), column) for state, tops in shifted.items()]
        return tuple(sorted(made, key=_number)) if len(made) > 1 else tuple(made)

    @staticmethod
    def popped(nodes: tuple[Node, ...], count: int) -> tuple[Node, ...]:
        """Return the nodes that lie `count` below these."""
        for _ in range(count):
            if len(nodes) == 1:
                nodes = nodes[0].below
            else:
                nodes = tuple(dict.fromkeys(under for node in nodes for under in node.below))
        return nodes


def _number(node: Node) -> int:
    return node.number


def _ordered(nodes: dict[Node, None] | list[Node]) -> tuple[Node, ...]:
    return tuple(sorted(nodes, key=_number)) if len(nodes) > 1 else tuple(nodes)
