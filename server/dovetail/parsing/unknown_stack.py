"""The unknown stack: all parse stacks that some text leads to, as one graph of nodes.

A text whose beginning is unknown is read from all stacks at once. These are the paths of the LR automaton: every path
from its first state spells a viable prefix, all symbols are productive, so some text leads to exactly that stack. One
node for each LR state, over the nodes of all states that lead to it, therefore stands for all of them. The graph has
circles, as there are stacks of any depth. Nodes that a text adds lie above it and have none.

In a language with layout the innermost block of a stack has one of a set of columns, and the blocks around it have
lesser ones. So there is one such graph for each set, and one without blocks. A line of the text whose column is known
chooses among them (`pinned`). Nodes are made when they are first met.

This mirrors the right context, whose automaton also begins at an unknown stack (`suffix.automaton`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from dovetail.lexing import indentation as columns
from dovetail.lexing.beginnings import PIN
from dovetail.lexing.indentation import ANY, FAR, MARGIN, ColumnSet, exactly
from dovetail.parsing.stack import Node, Stacks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from dovetail.grammar.compiled import Compiled
    from dovetail.lexing.indentation import Column
    from dovetail.lexing.lexer import Emission
    from dovetail.parsing.stack import Heads, UnitChains

_INSIDE = ColumnSet((1, 1))
"""The columns that a block may have."""
Graph = tuple[ColumnSet, ColumnSet | None] | None
"""The columns of the innermost block, and those around it where a line tells them; None for the stacks without one."""


class UnknownNode(Node):
    """An LR state over all stacks of one graph that it may lie on."""

    __slots__ = ("_below", "_sources", "columns")

    def __init__(
        self, state: int, column: Column, number: int, graph: Graph, sources: Callable[[int, Graph], tuple[Node, ...]]
    ) -> None:
        self.state = state
        self.column = column
        self.number = number
        self.columns = graph
        self._sources = sources
        self._below: tuple[Node, ...] | None = None

    @property
    def below(self) -> tuple[Node, ...]:  # type: ignore[override]
        """The nodes below, made when they are first asked for: the graph goes on without end."""
        if self._below is None:
            self._below = self._sources(self.state, self.columns)
        return self._below


class UnknownStack:
    """The nodes of the unknown stack of one language."""

    def __init__(self, compiled: Compiled, ends_line: list[bool]) -> None:
        tables, layout = compiled.tables, compiled.layout
        self.entering = tables.entering
        self.gotos = tables.gotos
        self.tab = layout.tab if layout else 8
        self.indent = layout.indent if layout else -1
        self.dedent = layout.dedent if layout else -1
        self._terminals = compiled.productions.terminal_count
        self._sources = tables.sources
        self._outside = self._reached([0])
        self._inside = self._reached(self._entered(self.indent)) if layout else frozenset()
        self._begins = frozenset(
            state for state, symbol in enumerate(tables.entering) if symbol < 0 or ends_line[symbol]
        )
        self._nodes: dict[tuple[int, Graph], UnknownNode] = {}
        self._heads: dict[tuple[str, ColumnSet], Heads] = {}
        self._under: dict[tuple[Node, int], tuple[Node, ...]] = {}
        self._closed: dict[int, tuple[str, ColumnSet]] = {}
        self.bottom = self.node(0, None)

    def _entered(self, symbol: int) -> list[int]:
        return [state for state, entering in enumerate(self.entering) if entering == symbol]

    def _reached(self, work: list[int]) -> frozenset[int]:
        """Return the states reached from some without an indent, or a dedent whose block would have to be below."""
        seen = set(work)
        while work:
            for symbol, target in self.gotos[work.pop()].items():
                if symbol not in (self.indent, self.dedent) and target not in seen:
                    seen.add(target)
                    work.append(target)
        return frozenset(seen)

    def node(self, state: int, graph: Graph) -> UnknownNode:
        """Return the node of a state in a graph."""
        found = self._nodes.get((state, graph))
        if found is None:
            column = MARGIN if graph is None else columns.least(graph[0], self.tab) or MARGIN
            # Numbered downwards, so that these come before all nodes of a text, in the order of their creation.
            found = self._nodes[state, graph] = UnknownNode(state, column, -1 - len(self._nodes), graph, self._below)
        return found

    def _below(self, state: int, graph: Graph) -> tuple[Node, ...]:
        sources = self._sources[state]
        if graph is None:
            return tuple(self.node(source, None) for source in sources if source in self._outside)
        if self.entering[state] != self.indent:
            return tuple(self.node(source, graph) for source in sources if source in self._inside)
        block, around = graph
        return tuple(self._of(sources, around if around is not None else self._around(block)))

    def _around(self, block: ColumnSet) -> ColumnSet | None:
        """Return the columns that the block around one may have."""
        return ANY if block.high[0] >= FAR else columns.below(ANY, block.high, self.tab)

    def _of(self, states: Iterable[int], around: ColumnSet | None) -> list[UnknownNode]:
        """Return the nodes of some states over stacks whose innermost block has one of some columns."""
        found: list[UnknownNode] = []
        states = list(states)
        if around is not None:
            inside = self.inside(around)
            if inside is not None:
                found += [self.node(state, (inside, None)) for state in states if state in self._inside]
            if columns.contains(around, MARGIN, self.tab):
                found += [self.node(state, None) for state in states if state in self._outside]
        return found

    def inside(self, around: ColumnSet) -> ColumnSet | None:
        """Return the columns of a set that are those of a block; None if there are none."""
        low = max(around.low[0], 1), max(around.low[1], 1)
        return columns.checked(around._replace(low=low), self.tab)

    def anything(self, *, line: bool = True) -> Heads:
        """Return the stacks after any text, the empty one included; `line`: also those at which a line begins."""
        return self._heads_of("any" if line else "content", ANY)

    def at_line(self, around: ColumnSet) -> Heads:
        """Return the stacks before a line whose block has one of some columns, its indent and dedents passed."""
        return self._heads_of("line", around)

    def _heads_of(self, kind: str, around: ColumnSet) -> Heads:
        found = self._heads.get((kind, around))
        if found is None:
            every: Iterable[int] = range(len(self.entering))
            # Of what reductions make of the last terminal all is there, so no step has to reduce here.
            if kind == "line":
                every = [state for state in every if state in self._begins]
            elif kind == "content":
                every = [state for state in every if state not in self._begins]
            found = self._heads[kind, around] = tuple(sorted(self._of(every, around), key=_number))
            self._closed[id(found)] = (kind, around)
        return found

    def under(self, nodes: tuple[Node, ...], count: int) -> Iterable[Node]:
        """Return the nodes that lie `count` levels below some nodes; those below unknown ones are remembered."""
        if not count:
            return nodes
        found: dict[Node, None] = {}
        for node in nodes:
            if isinstance(node, UnknownNode):
                levels = self._under.get((node, count))
                if levels is None:
                    levels = self._under[node, count] = Stacks.popped((node,), count)
                found.update(dict.fromkeys(levels))
            else:
                found.update(dict.fromkeys(Stacks.popped((node,), count)))
        return found

    def closed(self, heads: Heads) -> tuple[str, ColumnSet] | None:
        """Return the kind and the columns of heads that hold all that reductions make of them."""
        return self._closed.get(id(heads))


class UnknownBeginStacks(Stacks):
    """The stacks of a text whose beginning is unknown."""

    def __init__(self, compiled: Compiled, chains: UnitChains, unknown: UnknownStack) -> None:
        super().__init__(compiled, chains)
        self.unknown = unknown
        self.bottom = unknown.bottom

    def shift_all(self, heads: Heads, emissions: list[Emission]) -> Heads:
        """Return the heads after some terminals, and after what a line tells of the unknown blocks."""
        for terminal, column in emissions:
            if terminal == PIN:
                heads = self.pinned(heads, column)
            elif terminal == self.unknown.dedent and column is not None:
                heads = self._dedented(heads, column)
            else:
                heads = self.shift(heads, terminal, column)
            if not heads:
                break
        return heads

    def shift(self, heads: Heads, terminal: int, column: Column | None = None) -> Heads:
        """Return the heads after one terminal; over any stack at all these are known without a reduction."""
        if self.unknown.closed(heads) is None:
            return super().shift(heads, terminal, column)
        entered: dict[int, list[Node]] = {}
        for head in heads:
            target = self.gotos[head.state].get(terminal)
            if target is not None:
                entered.setdefault(target, []).append(head)
        return tuple(self.node(state, tuple(nodes), column) for state, nodes in sorted(entered.items()))

    def _shift_many(self, heads: Heads, terminal: int, column: Column | None) -> Heads:
        """Return the heads after one step of generalised LR, as `Stacks` makes it.

        A reduction into the unknown stack may lie over hundreds of nodes. So chains of unit reductions are taken at
        once, and so are links of one state together.
        """
        actions, gotos, lefts, lengths = self.actions, self.gotos, self.lefts, self.lengths
        ends, end, under = self.chains.ends, self.chains.end, self.unknown.under
        level: dict[int, dict[Node, None]] = {head.state: dict.fromkeys(head.below) for head in heads}
        work: list[tuple[int, tuple[Node, ...]]] = [(head.state, head.below) for head in heads]
        while work:
            state, links = work.pop()
            for action in actions[state].get(terminal, ()):
                if action >= 0:
                    continue
                left = lefts[~action]
                fresh: dict[int, list[Node]] = {}
                for base in under(links, lengths[~action] - 1):
                    chain = (base.state, gotos[base.state][left], terminal)
                    target = ends[chain] if chain in ends else end(chain)
                    if terminal in actions[target]:
                        below = level.setdefault(target, {})
                        if base not in below:
                            below[base] = None
                            fresh.setdefault(target, []).append(base)
                work += [(target, tuple(bases)) for target, bases in fresh.items()]
        shifted: dict[int, list[Node]] = {}
        unchanged = {head.state: head for head in heads if len(level[head.state]) == len(head.below)}
        for state, below in level.items():
            for action in actions[state].get(terminal, ()):
                if action >= 0:
                    top = unchanged.get(state) or self.node(state, tuple(sorted(below, key=_number)))
                    shifted.setdefault(action, []).append(top)
        return tuple(self.node(state, tuple(tops), column) for state, tops in sorted(shifted.items()))

    def pinned(self, heads: Heads, column: Column | ColumnSet | None) -> Heads:
        """Return the stacks whose innermost unknown block has a column, or one of a set."""
        around = column if isinstance(column, ColumnSet) else exactly(cast("Column", column))
        closed = self.unknown.closed(heads)
        if closed is not None and closed[0] == "line":
            return self.unknown.at_line(around)
        known: dict[tuple[Node, int], Node | None] = {}
        found = [self._pinned(head, around, 0, known) for head in heads]
        return tuple(node for node in found if node is not None)

    def _pinned(
        self, node: Node, around: ColumnSet, ended: int, known: dict[tuple[Node, int], Node | None]
    ) -> Node | None:
        """Return a node over blocks of some columns, or None; `ended`: the blocks that dedents above it ended."""
        key = node, ended
        if key in known:
            return known[key]
        unknown = self.unknown
        symbol = unknown.entering[node.state]
        found: Node | None
        if isinstance(node, UnknownNode):
            graph = node.columns
            if graph is None:
                found = node if not ended and columns.contains(around, MARGIN, unknown.tab) else None
            elif ended:
                found = unknown.node(node.state, (graph[0], around)) if ended == 1 else None
            else:
                met = columns.common(graph[0], around, unknown.tab)
                inside = None if met is None else unknown.inside(met)
                found = None if inside is None else unknown.node(node.state, (inside, graph[1]))
        elif symbol == unknown.indent and not ended:
            found = node
        else:
            ended += (symbol == unknown.dedent) - (symbol == unknown.indent)
            below = tuple(
                kept for under in node.below if (kept := self._pinned(under, around, ended, known)) is not None
            )
            column = node.column if symbol == unknown.indent else None
            found = self.node(node.state, below, column) if below else None
        known[key] = found
        return found

    def _dedented(self, heads: Heads, column: Column) -> Heads:
        """Return the heads after dedents of one or more unknown blocks that a line of a column ends."""
        dedent = self.unknown.dedent
        found: Heads = ()
        seen: set[Heads] = set()
        while True:
            heads = self.shift(heads, dedent)
            if not heads or heads in seen:
                return found
            seen.add(heads)
            found = self.united(found, self.pinned(heads, column))

    def united(self, heads: Heads, others: Heads) -> Heads:
        """Return the heads of two readings that have come to the same place."""
        if heads == others or not others:
            return heads
        if not heads:
            return others
        indent = self.unknown.indent
        below: dict[tuple[int, Column | None], dict[Node, None]] = {}
        unknown: dict[Node, None] = {}
        for head in (*heads, *others):
            # What begins at the unknown stack stays as it is: it is one node for each state already.
            if isinstance(head, UnknownNode):
                unknown[head] = None
                continue
            column = head.column if self.unknown.entering[head.state] == indent else None
            below.setdefault((head.state, column), {}).update(dict.fromkeys(head.below))
        found = [
            self.node(state, tuple(sorted(nodes, key=_number)), column) for (state, column), nodes in below.items()
        ]
        return tuple(sorted([*unknown, *found], key=_number))


def _number(node: Node) -> int:
    return node.number
