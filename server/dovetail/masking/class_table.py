"""The token classes from one start state, prepared for the parser node by node, when it first gets there."""

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
    from dovetail.masking.token_classes import EndState, StartState, TokenClasses

ModeExit = tuple[int, int, str | None]
"""The modes, the terminal that ends the lowest of them, and the characters that the line was made of."""


@dataclass(frozen=True, slots=True)
class NodeClasses:
    """The classes at one node of the tree of terminal sequences, by the question that decides them."""

    required: list[tuple[Requirement, list[int]]]
    """The requirements of pending lexemes on the stack, each with the classes that end in such a lexeme."""
    contextual: list[tuple[EndState, list[int]]]
    """Ends that depend on the modes around, or on a fallback, and their classes."""
    exits: list[tuple[ModeExit, list[int], list[int]]]
    """The ways in which texts leave the lowest mode, each with their classes and the suffixes that are left."""
    children: list[tuple[int, int]]
    """Symbols and nodes."""


class ClassTable:
    """The token classes from one start state."""

    def __init__(
        self, lexer: Lexer, requirements: Requirements, start: StartState, classes: TokenClasses, *, suffixes: bool
    ) -> None:
        """Make a table of the classes of tokens, or of the suffixes of tokens (`suffixes`)."""
        self.lexer = lexer
        self.requirements = requirements
        self.start = start
        self.classes = classes
        self.suffixes = suffixes
        self.class_count = len(classes.end_of)
        terminal_count = lexer.compiled.productions.terminal_count
        # The symbols after the terminals are layouts (`TokenClasses.symbols`).
        self.arranges = max(classes.symbols) >= terminal_count
        """True if the content of a line begins in one of the texts, so that columns decide."""
        self.contextual = any(self._requirement(end) is None for end in classes.ends)
        """True if the modes around decide anything."""
        # Made when the parser first gets to a node. A stack takes few terminals, so most nodes are never asked for.
        self._nodes: dict[int, NodeClasses] = {}

    def node(self, node: int) -> NodeClasses:
        """Return the classes at a node."""
        found = self._nodes.get(node)
        if found is None:
            found = self._nodes[node] = self._make(node)
        return found

    def at(self, node: int) -> range:
        """Return the classes whose texts complete exactly the terminals of a node."""
        return range(self.classes.first_class[node], self.classes.first_class[node + 1])

    def under(self, node: int) -> slice:
        """Return the classes whose texts complete the terminals of a node, and maybe more."""
        return slice(self.classes.first_class[node], self.classes.first_class[self.classes.next_outside[node]])

    def is_leaf(self, node: int) -> bool:
        """Return whether no text completes more than the terminals of a node."""
        return self.classes.next_outside[node] == node + 1

    def children(self, node: int) -> list[int]:
        """Return the nodes one symbol further."""
        next_outside = self.classes.next_outside
        found = []
        child = node + 1
        # Depth-first numbers: after all that is below one child comes the next child.
        while child < next_outside[node]:
            found.append(child)
            child = next_outside[child]
        return found

    def texts(self, classes: list[int]) -> NDArray[np.int64]:
        """Return the numbers of the texts in some classes."""
        # One look-up for each text, however many classes are chosen.
        chosen = np.zeros(self.class_count, bool)
        chosen[classes] = True
        return np.flatnonzero(chosen[self.classes.class_of])

    def _make(self, node: int) -> NodeClasses:
        required: dict[Requirement, list[int]] = {}
        contextual: list[tuple[EndState, list[int]]] = []
        exits: dict[ModeExit, tuple[list[int], list[int]]] = {}
        for number in self.at(node):
            end = self.classes.ends[self.classes.end_of[number]]
            if end.suffix != STAYED:
                classes, suffixes = exits.setdefault((end.stack, end.accepted, end.layout), ([], []))
                classes.append(number)
                suffixes.append(end.suffix)
                continue
            requirement = self._requirement(end)
            if requirement is None:
                contextual.append((end, [number]))
            else:
                required.setdefault(requirement, []).append(number)
        children = [(self.classes.symbols[child], child) for child in self.children(node)]
        return NodeClasses(
            list(required.items()), contextual, [(how, *lists) for how, lists in exits.items()], children
        )

    def _requirement(self, end: EndState) -> Requirement | None:
        """Return the requirement of the pending lexeme, or None if the modes around or a fallback decide too."""
        # A lexeme that falls back to a terminal is read again from there, and only the modes around tell how.
        if end.suffix != STAYED or (end.overrun and end.accepted >= 0):
            return None
        modes = self.lexer.modes
        tops, below = modes.entries[end.stack]
        if end.at != START and below == NOTHING and (pop := modes.modes[tops[0]].pop):
            # What may follow a terminal that ends the lowest mode depends on the mode under it.
            scanner = self.lexer.scanners[modes.scanner_of[end.stack]]
            if not pop.isdisjoint(scanner.becomes(end.at)):
                return None
        return self.requirements.of(end.stack, end.at, blank=end.layout is not None)
