"""What fits between a left and a right text."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from dovetail.quotient.state import State

if TYPE_CHECKING:
    from dovetail.parsing.configuration import Configuration
    from dovetail.quotient.expectations import Expectation, Expecting
    from dovetail.quotient.omission import Omission
    from dovetail.quotient.recognizer import Recognizer
    from dovetail.quotient.right_side import RightSide


class Quotient:
    """The language divided by a left and a right text: which middles make a program of the three."""

    def __init__(self, right: RightSide, configuration: Configuration, ignored: tuple[Omission, ...] = ()) -> None:
        """Meet a right context with the stacks and the lexer of a left one."""
        self.right = right
        self.machine = right.machine
        self.lexer = right.lexer
        self.stacks = right.stacks
        self.start = State(right, configuration)
        """The empty middle."""
        self.viable: bool = self.recognizer.viable(configuration)
        """Whether any middle makes a program."""
        self.ignored = ignored
        """The parts left out, since they fit nothing or are not read yet, by offsets in left + right."""

    @property
    def comment(self) -> str | None:
        """The sign that begins a comment in the language, or None."""
        return self.machine.compiled.comment

    @property
    def tab(self) -> int:
        """The columns of a tab; 8 in a language without layout, where columns mean nothing."""
        layout = self.machine.compiled.layout
        return 8 if layout is None else layout.tab

    @property
    def recognizer(self) -> Recognizer:
        """What answers for the right context."""
        return self.right.recognizer

    @property
    def expecting(self) -> Expecting:
        """What finds the terminals that may come at this quotient's states."""
        return self.right.expecting

    @cached_property
    def keeping_rest_of_line(self) -> Quotient:
        """The same place, for middles that leave what the line has to the right of the cursor out of their comments.

        `total = sum(x) #` before `for x in xs)` is a program too; here it is none. Itself where no middle could do
        that, where every middle has to, or where the cursor stands in such a comment, or long string, already.
        """
        right = self.right.keeping_rest_of_line
        if right is self.right or right.recognizer.is_inside(self.start._configuration.lexer):
            return self
        other = Quotient(right, self.start._configuration, self.ignored)
        return other if other.viable else self

    def expectations(self) -> tuple[Expectation, ...]:
        """Return what may come at the cursor, each with a text that brings it."""
        return self.expecting.expectations(self.start._configuration)
