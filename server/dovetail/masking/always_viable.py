"""Stack nodes over which every stack is viable.

A node is *open* if each construct that is begun at it can be completed so that the right context fits. Anything that
is pushed on an open node can be completed too, construct by construct, until one of those is complete. So the stacks
over it need not be asked one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from dovetail.grammar.compiled import Compiled
    from dovetail.parsing.stack import Node
    from dovetail.suffix.intersection import Intersection


class AlwaysViable:
    """Answers whether all stacks over some nodes are viable, remembered for each right context."""

    def __init__(self, compiled: Compiled) -> None:
        # An answer holds as long as its right context: nodes never change, and with the context its answers go.
        self._known: WeakKeyDictionary[Intersection, dict[Node, bool]] = WeakKeyDictionary()
        self.first = _first_constructs(compiled)
        """The constructs that a text may begin with, the whole text first (`_first_constructs`)."""

    def holds(self, intersection: Intersection, nodes: tuple[Node, ...], bottom: bool) -> bool:
        """Return whether all stacks over these nodes are viable, and over the bottom too if it is among them."""
        known = self._known.get(intersection)
        if known is None:
            known = self._known[intersection] = {}
        for node in (*nodes, intersection.stacks.bottom) if bottom else nodes:
            answer = known.get(node)
            if answer is None:
                answer = known[node] = (
                    _is_open(intersection, node) if node.below else self._is_bottom_open(intersection)
                )
            if not answer:
                return False
        return True

    def _is_bottom_open(self, intersection: Intersection) -> bool:
        """Return whether all stacks over the bottom are viable.

        A construct with which another one begins can be completed to that one, so few have to be asked. The whole
        text is left out: once it is complete nothing can follow, but anything pushed is completed before it.
        """
        row, stacks = intersection.grammar.gotos[intersection.stacks.bottom.state], intersection.stacks
        goes_on: set[int] = set()
        for symbol, above, needed in self.first:
            if not goes_on.isdisjoint(above) or intersection.viable((stacks.node(row[symbol], (stacks.bottom,)),)):
                goes_on.add(symbol)
            elif needed:
                return False
        return True


def _is_open(intersection: Intersection, node: Node) -> bool:
    grammar, stacks = intersection.grammar, intersection.stacks
    for production, dot in grammar.kernels[node.state]:
        left = grammar.lefts[production]
        if dot == len(grammar.rights[production]) or left == grammar.lefts[0]:
            continue  # nothing can be pushed inside it, or only the end of the text
        completed = [stacks.node(grammar.gotos[base.state][left], (base,)) for base in stacks.popped((node,), dot)]
        # A node over several bases stands for several stacks at once. One that goes on is enough.
        if not any(intersection.viable((after,)) for after in completed):
            return False
    return True


def _first_constructs(compiled: Compiled) -> list[tuple[int, frozenset[int], bool]]:
    """Return (nonterminal, the nonterminals that begin with it, needed), in the order of a walk from the top.

    A nonterminal is needed if something is pushed inside it: a terminal, or more after its first part.
    """
    productions = compiled.productions
    above: dict[int, set[int]] = {productions.rights[0][0]: set()}
    needed = set()
    order = list(above)
    # `order` grows while it is walked: each symbol once, those nearest to the whole text first.
    for symbol in order:
        for left, right in zip(productions.lefts, productions.rights, strict=True):
            if left == symbol:
                if right[0] < productions.terminal_count or len(right) > 1:
                    needed.add(symbol)
                if right[0] >= productions.terminal_count:
                    if right[0] not in above:
                        above[right[0]] = set()
                        order.append(right[0])
                    above[right[0]].add(symbol)
    return [(symbol, frozenset(above[symbol]), symbol in needed) for symbol in order]
