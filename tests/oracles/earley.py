"""Earley recognition of a regular language with a context-free grammar.

Melcer, Fulton, Gouda and Qian, *Constrained Decoding for Fill-in-the-Middle Code Language Models* (2024),
section IV A: there is one chart for each state of the automaton, the scanner follows its arrows, and every
item remembers all the ways in which it came about.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from tests.oracles.productions import START

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tests.oracles.productions import Body, Grammar


@dataclass(frozen=True)
class Automaton:
    """A nondeterministic automaton over terminals; the initial state is 0."""

    arrows: Mapping[tuple[int, str], frozenset[int]]
    """(state, terminal) → states."""
    finals: frozenset[int]

    @staticmethod
    def of(text: Sequence[str]) -> Automaton:
        """Return the automaton that accepts exactly one text."""
        arrows = {(place, terminal): frozenset([place + 1]) for place, terminal in enumerate(text)}
        return Automaton(arrows, frozenset([len(text)]))


class Item(NamedTuple):
    """A production with a dot, and the state of the automaton where it began: [E → α • β (i)]."""

    head: str
    body: Body
    dot: int
    origin: int

    @property
    def following(self) -> str | None:
        """The symbol after the dot, or None at the end."""
        return self.body[self.dot] if self.dot < len(self.body) else None

    def advanced(self) -> Item:
        """Return the item with its dot after the next symbol."""
        return self._replace(dot=self.dot + 1)


Place = tuple[Item, int]
"""An item, and the state in whose chart it stands."""

Creation = tuple[Literal["scanned", "predicted", "completed"], Place] | None
"""The step that made an item, and the item that it was made from; None: it was there at the beginning."""


@dataclass
class Charts:
    """The result of the recognition."""

    creations: dict[Place, set[Creation]] = field(default_factory=dict)
    """Item in its chart → every way in which it came about."""

    def ends(self, head: str, finals: frozenset[int]) -> bool:
        """Return whether `head` derives a text that the automaton accepts."""
        return any(
            item.head == head and item.origin == 0 and item.following is None and state in finals
            for item, state in self.creations
        )


def recognise(grammar: Grammar, automaton: Automaton, start: str = START) -> Charts:
    """Return the charts of `grammar` over `automaton`, iterated until nothing new appears."""
    charts = Charts()
    worklist: list[Place] = []
    waiting: dict[tuple[str, int], list[Place]] = {}  # (nonterminal, state) → items there that need it
    completed: dict[tuple[str, int], set[int]] = {}  # (nonterminal, origin) → states where it ends

    def add(item: Item, state: int, creation: Creation) -> None:
        ways = charts.creations.get((item, state))
        if ways is None:
            charts.creations[item, state] = {creation}
            worklist.append((item, state))
        else:
            ways.add(creation)

    for body in grammar[start]:
        add(Item(start, body, 0, 0), 0, None)
    while worklist:
        item, state = place = worklist.pop()
        symbol = item.following
        if symbol is None:
            ends = completed.setdefault((item.head, item.origin), set())
            if state not in ends:
                ends.add(state)
                for other in waiting.get((item.head, item.origin), ()):
                    add(other[0].advanced(), state, ("completed", other))
        elif symbol in grammar:
            waiting.setdefault((symbol, state), []).append(place)
            for body in grammar[symbol]:
                add(Item(symbol, body, 0, state), state, ("predicted", place))
            # A nonterminal may have ended here before this item began to wait for it.
            for end in tuple(completed.get((symbol, state), ())):
                add(item.advanced(), end, ("completed", place))
        else:
            for following in automaton.arrows.get((state, symbol), ()):
                add(item.advanced(), following, ("scanned", place))
    return charts


def derives(grammar: Grammar, text: Sequence[str], start: str = START) -> bool:
    """Return whether the grammar derives the text."""
    automaton = Automaton.of(text)
    return recognise(grammar, automaton, start).ends(start, automaton.finals)
