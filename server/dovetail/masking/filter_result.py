"""The result of filtering token classes by a prefix of the stack, and the place where they are filtered: values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Line
    from dovetail.masking.class_table import ClassTable, ModeExit
    from dovetail.masking.requirement import Requirement
    from dovetail.masking.token_classes import EndState

NO, ASK, DEEPER, YES = range(4)
"""Verdicts on a class: it does not fit; only the right context can tell; only more of the stack can tell; it fits.

They are ordered so that the verdict on a choice is the maximum of the verdicts on its parts.
"""


class Surroundings(NamedTuple):
    """The part of the lexer's state that texts are read in but that no start state holds."""

    stack: int
    """All modes."""
    indents: int
    line: Line | None


class PlacedTable:
    """A table of classes in its surroundings; equal ones are one object."""

    __slots__ = ("arranges", "number", "surroundings", "table")

    def __init__(self, number: int, table: ClassTable, surroundings: Surroundings, arranges: bool) -> None:
        self.number = number
        self.table = table
        self.surroundings = surroundings
        self.arranges = arranges
        """True if columns make a difference."""


class FilterResult:
    """The classes that were decided, and those that were not; it never changes once it is remembered."""

    __slots__ = ("asked", "deferred", "fitting")

    def __init__(self) -> None:
        self.fitting: list[FilterResult | list[int]] = []
        """The classes that fit. The results of shallower prefixes and of the nodes below are shared, not copied."""
        self.asked: tuple[int, ...] = ()
        """The classes that only the right context decides."""
        self.deferred: tuple[Deferred, ...] = ()
        """The classes and nodes that only a deeper prefix decides."""

    def add(self, below: FilterResult) -> None:
        """Add the result of a node below."""
        self.fitting.append(below)
        self.asked += below.asked
        self.deferred += below.deferred

    def classes(self) -> list[int]:
        """Return the classes that fit."""
        # A loop: results lie inside results, for each node of a path and each depth of the prefix.
        classes: list[int] = []
        work: list[FilterResult | list[int]] = [self]
        while work:
            found = work.pop()
            if isinstance(found, FilterResult):
                work += found.fitting
            else:
                classes += found
        return classes


class Deferred(NamedTuple):
    """A question at a node that a deeper prefix of the stack will decide."""

    node: int
    question: Requirement | EndState | ModeExit | None
    """None for the node itself: whether the stack takes its terminals is not known."""
    classes: list[int]
    suffixes: list[int]
    """The rest of the texts of each class, where the question is how they leave their mode."""
