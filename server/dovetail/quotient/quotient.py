"""The quotient: the middles that fit between a left and a right text."""

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
    """A language divided by a left and a right text: the middles for which left + middle + right is a program."""

    def __init__(self, right: RightSide, configuration: Configuration, ignored: tuple[Omission, ...] = ()) -> None:
        """Make the quotient of a right side by the configuration after a left text."""
        self.right = right
        self.machine = right.machine
        self.lexer = right.lexer
        self.stacks = right.stacks
        self.start = State(right, configuration)
        """The state of the empty middle."""
        self.viable: bool = self.recognizer.viable(configuration)
        """Whether some middle makes a program."""
        self.ignored = ignored
        """The parts of left + right that were left out, because they do not fit or have not been read yet."""

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
        """The recognizer of the right context over the stacks of the left text."""
        return self.right.recognizer

    @property
    def expecting(self) -> Expecting:
        """The search for the terminals that may come next."""
        return self.right.expecting

    @cached_property
    def keeping_rest_of_line(self) -> Quotient:
        """The quotient without the middles that swallow the rest of the cursor's line in a comment or a long string.

        `total = sum(x) #` before `for x in xs)` makes a program, but not one that a user wants.
        It is this quotient itself in three cases: no middle can swallow the rest, every middle has to, or the cursor
        already stands in such a comment or string.
        """
        right = self.right.keeping_rest_of_line
        if right is self.right or right.recognizer.is_inside(self.start._configuration.lexer):
            return self
        # Leaving entries out can leave nothing viable. Then a middle has to swallow the rest, and may.
        other = Quotient(right, self.start._configuration, self.ignored)
        return other if other.viable else self

    def expectations(self) -> tuple[Expectation, ...]:
        """Return the terminals that may come at the cursor, each with a text that shows it."""
        return self.expecting.expectations(self.start._configuration)
