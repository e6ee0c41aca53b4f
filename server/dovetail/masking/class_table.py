"""The groups of a vocabulary from one beginning, arranged for the parser: along the terminals that they complete."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dovetail.automata.dfa import START
from dovetail.lexing.modes import NOTHING
from dovetail.masking.token_classes import STAYED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dovetail.lexing.lexer import Lexer
    from dovetail.masking.requirement import Requirement, Requirements
    from dovetail.masking.token_classes import Beginning, End, TokenClasses

Leaving = tuple[int, int, str | None]
"""The modes, the terminal that ends the lowest of them, and what the line was made of."""


@dataclass(frozen=True, slots=True)
class Place:
    """What there is at one node of the tree of sequences."""

    fitting: list[tuple[Requirement, list[int]]]
    """What lexemes need that are pending here, and the groups that end in them."""
    open: list[tuple[End, list[int]]]
    """The ends that the modes around decide, or that something falls back from, and their groups."""
    left: list[tuple[Leaving, list[int], list[int]]]
    """How tokens end their mode here, their groups, and the suffix that is left in each."""
    children: list[tuple[int, int]]
    """Symbols and nodes."""


class ClassTable:
    """One beginning's groups by the nodes of the tree of sequences; a node is made ready when the parser gets there."""

    def __init__(
        self, lexer: Lexer, endings: Requirements, beginning: Beginning, groups: TokenClasses, *, suffixes: bool
    ) -> None:
        self.lexer = lexer
        self.endings = endings
        self.beginning = beginning
        self.groups = groups
        self.suffixes = suffixes
        """Whether these are the suffixes of tokens, not the tokens."""
        self.group_count = len(groups.ends)
        terminal_count = lexer.compiled.productions.terminal_count
        self.arranges = max(groups.symbols) >= terminal_count
        """Whether content begins a line in one of the tokens, so that columns decide."""
        self.around = any(self._ending(end) is None for end in groups.states)
        """Whether the modes around decide anything."""
        self._places: dict[int, Place] = {}

    def place(self, node: int) -> Place:
        """Return what there is at a node."""
        found = self._places.get(node)
        if found is None:
            found = self._places[node] = self._make(node)
        return found

    def at(self, node: int) -> range:
        """Return the groups whose tokens complete exactly the sequence of a node."""
        return range(self.groups.first_group[node], self.groups.first_group[node + 1])

    def under(self, node: int) -> slice:
        """Return the groups whose tokens complete the sequence of a node, and maybe more."""
        return slice(self.groups.first_group[node], self.groups.first_group[self.groups.after[node]])

    def is_leaf(self, node: int) -> bool:
        """Return whether no token goes on from a node."""
        return self.groups.after[node] == node + 1

    def children(self, node: int) -> list[int]:
        """Return the nodes one symbol further."""
        after = self.groups.after
        found = []
        child = node + 1
        while child < after[node]:
            found.append(child)
            child = after[child]
        return found

    def spellings(self, groups: list[int]) -> NDArray[np.int64]:
        """Return the spellings of some groups."""
        chosen = np.zeros(self.group_count, bool)
        chosen[groups] = True
        return np.flatnonzero(chosen[self.groups.of])

    def _make(self, node: int) -> Place:
        fitting: dict[Requirement, list[int]] = {}
        undecided: list[tuple[End, list[int]]] = []
        left: dict[Leaving, tuple[list[int], list[int]]] = {}
        for group in self.at(node):
            end = self.groups.states[self.groups.ends[group]]
            if end.suffix != STAYED:
                groups, suffixes = left.setdefault((end.stack, end.accepted, end.layout), ([], []))
                groups.append(group)
                suffixes.append(end.suffix)
                continue
            ending = self._ending(end)
            if ending is None:
                undecided.append((end, [group]))
            else:
                fitting.setdefault(ending, []).append(group)
        children = [(self.groups.symbols[child], child) for child in self.children(node)]
        leaving = [(how, *lists) for how, lists in left.items()]
        return Place(list(fitting.items()), undecided, leaving, children)

    def _ending(self, end: End) -> Requirement | None:
        """Return what a pending lexeme needs if the modes around and what it falls back to make no difference."""
        if end.suffix != STAYED or (end.rest and end.accepted >= 0):
            return None
        modes = self.lexer.modes
        tops, below = modes.entries[end.stack]
        if end.at != START and below == NOTHING and (pop := modes.modes[tops[0]].pop):
            scanner = self.lexer.scanners[modes.scanner_of[end.stack]]
            if not pop.isdisjoint(scanner.becomes(end.at)):
                return None
        return self.endings.of(end.stack, end.at, blank=end.layout is not None)
