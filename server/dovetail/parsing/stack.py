"""The parse stacks of the left text: a graph of LR states that holds all parses at once (generalised LR).

The grammar has no empty productions, so every reduction pops at least one node. Within one step, then, no link leads
to a node that still grows. So nodes are made whole and never change, and equal nodes are one object: a parse state is
a tuple of nodes, and undo, branches and drafts share all that lies below them. (The graph is Tomita's graph-structured
stack of 1985. His adds links to nodes; this one never changes.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.grammar.compiled import Compiled
    from dovetail.lexing.indentation import Column
    from dovetail.lexing.lexer import Emission
    from dovetail.parsing.work_bound import WorkBound


class Node:
    """An LR state over all the stacks that it may lie on."""

    __slots__ = ("below", "column", "number", "state")

    def __init__(self, state: int, below: tuple[Node, ...], column: Column, number: int) -> None:
        self.state = state
        self.below = below
        self.column = column
        """The column of the innermost open block."""
        self.number = number
        """The number of the node in its `Stacks`, in the order of creation. It gives sets of nodes an order."""


Heads = tuple[Node, ...]
"""The tops of all stacks, one for each LR state; empty if no parse goes on."""


class UnitChains:
    """Chains of unit reductions, remembered by their ends.

    An expression in Python goes through about fifteen unit reductions. Only cells with a single action are part of a
    chain, so no parse is lost.
    """

    def __init__(self, compiled: Compiled) -> None:
        self.actions = compiled.tables.actions
        self.gotos = compiled.tables.gotos
        self.lefts = compiled.productions.lefts
        self.lengths = [len(right) for right in compiled.productions.rights]
        self.ends: dict[tuple[int, int, int], int] = {}
        """(state below, state on top, terminal) → the state at the end of the chain; filled by `end`."""

    def end(self, key: tuple[int, int, int]) -> int:
        """Return the state at the end of a chain of unit reductions; the first state if the chain is a circle."""
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
    """The nodes of one text. Stacks with the same content are the same object."""

    def __init__(self, compiled: Compiled, chains: UnitChains) -> None:
        tables = compiled.tables
        self.actions = tables.actions
        self.gotos = tables.gotos
        self.lefts = compiled.productions.lefts
        self.lengths = chains.lengths
        self.chains = chains
        self._nodes: dict[tuple[int, tuple[Node, ...], Column | None], Node] = {}
        self.bottom = Node(0, (), (0, 0), 0)
        self.bound: WorkBound | None = None
        """The bound on searches over these stacks, if there is one."""

    def node(self, state: int, below: tuple[Node, ...], column: Column | None = None) -> Node:
        """Return the node of a state over some nodes; `column` is given for an indent alone."""
        key = (state, below, column)
        found = self._nodes.get(key)
        if found is None:
            found = Node(state, below, below[0].column if column is None else column, len(self._nodes) + 1)
            self._nodes[key] = found
        return found

    @property
    def size(self) -> int:
        """The number of nodes made so far."""
        return len(self._nodes)

    def shift_all(self, heads: Heads, emissions: list[Emission]) -> Heads:
        """Return the heads after some terminals; empty if no stack takes them."""
        for terminal, column in emissions:
            heads = self.shift(heads, terminal, column)
            if not heads:
                break
        return heads

    def shift(self, heads: Heads, terminal: int, column: Column | None = None) -> Heads:
        """Return the heads after one terminal; empty if no stack takes it."""
        if len(heads) != 1:
            return self._shift_many(heads, terminal, column)
        # Nearly always there is one stack with one action at each step. Then no sets are needed, and no node is made
        # before the shift. Anything else falls through to the general step, which starts from the state reached here.
        node: Node | None = heads[0]
        state, below = heads[0].state, heads[0].below
        actions, gotos, lefts, lengths, chains = self.actions, self.gotos, self.lefts, self.lengths, self.chains.ends
        nodes = self._nodes
        while True:
            choices = actions[state].get(terminal)
            if choices is None:
                return ()
            if len(choices) != 1:
                break
            action = choices[0]
            if action >= 0:
                # `node` written out twice: this runs for each terminal of the left text.
                if node is None:
                    key = (state, below, None)
                    node = nodes.get(key)
                    if node is None:
                        node = nodes[key] = Node(state, below, below[0].column, len(nodes) + 1)
                place = (action, (node,), column)
                found = nodes.get(place)
                if found is None:
                    found = nodes[place] = Node(
                        action, (node,), node.column if column is None else column, len(nodes) + 1
                    )
                return (found,)
            length = lengths[~action]
            if length == 1:
                if len(below) != 1:
                    break
                chain = (below[0].state, state, terminal)
                target = chains[chain] if chain in chains else self.chains.end(chain)
                if target == state:
                    return ()  # A circle of unit reductions shifts nothing.
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
        """Return the heads after one step of generalised LR: all reductions to their end, then all shifts."""
        actions, gotos, chains, chain_end = self.actions, self.gotos, self.chains.ends, self.chains.end
        # Each link (a state over one node) is reduced once. A link that comes later is worked off on its own, so no
        # reduction has to be done again, as it would be with whole nodes.
        level: dict[int, dict[Node, None]] = {}  # state → the nodes under it
        work: list[tuple[int, Node]] = []  # (state, node under it) still to be reduced
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
                    # States inside a chain of unit reductions have nothing but the next one to do.
                    chain = (base.state, gotos[base.state][left], terminal)
                    target = chains[chain] if chain in chains else chain_end(chain)
                    if terminal not in actions[target]:
                        continue  # This stack would die at once.
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
        """Return the nodes that lie `count` levels below some nodes."""
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
