"""The quotient: the middles that fit between a left and a right text."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from dovetail.quotient.element_names import find_element_names
from dovetail.quotient.function_words import find_allowed_words
from dovetail.quotient.omission import OmittedHeader
from dovetail.quotient.state import State

if TYPE_CHECKING:
    from dovetail.grammar.habits import Habits
    from dovetail.parsing.configuration import Configuration
    from dovetail.quotient.element_names import ElementNames
    from dovetail.quotient.expectations import Expectation, Expecting
    from dovetail.quotient.function_words import AllowedWords
    from dovetail.quotient.omission import Omission
    from dovetail.quotient.recognizer import Recognizer
    from dovetail.quotient.right_side import RightSide


class Quotient:
    """A language divided by a left and a right text: the middles for which left + middle + right is a program.

    >>> from dovetail import load_language
    >>> quotient = load_language("json").quotient('{"a": [1, ', "}")
    >>> quotient
    <Quotient of json: viable>
    >>> quotient.start.advance("2]").accepting
    True
    """

    def __init__(
        self, right: RightSide, configuration: Configuration, ignored: tuple[Omission, ...] = (), *, blank: bool = False
    ) -> None:
        """Make the quotient of a right side by the configuration after a left text.

        `blank`: whether only blanks stand before the cursor on its line.
        """
        self.right = right
        self.machine = right.machine
        self.lexer = right.lexer
        self.stacks = right.stacks
        self.start = State(right, configuration, blank=blank)
        """The state of the empty middle."""
        self.viable: bool = right.recognizer.viable(configuration)
        """True if some middle makes a program."""
        self.ignored = ignored
        """The parts of left + right that were left out, because they do not fit or have not been read yet."""

    def __repr__(self) -> str:
        left_out = f", {len(self.ignored)} left out" if self.ignored else ""
        return f"<Quotient of {self.machine.name}: {'viable' if self.viable else 'nothing fits'}{left_out}>"

    @property
    def comment(self) -> str | None:
        """The sign that begins a comment in the language, or None."""
        return self.machine.compiled.comment

    @property
    def long_comment(self) -> tuple[str, str] | None:
        """The opening and the end of a comment that may go over several lines, or None."""
        return self.machine.long_comment

    @property
    def documentation(self) -> str | None:
        """A regular expression for what opens a documentation text at the beginning of a line, or None."""
        return self.machine.compiled.documentation

    @property
    def imports(self) -> str | None:
        """A regular expression for an import, with groups as `Facts` has them, or None."""
        return self.machine.compiled.imports

    @property
    def declarations(self) -> str | None:
        """A regular expression for the beginning of a declaration, with a group as `Facts` has it, or None."""
        return self.machine.compiled.declarations

    @property
    def habits(self) -> Habits:
        """The forms that files of the language write in one way or another."""
        return self.machine.compiled.habits

    def element_names(self, left: str) -> ElementNames | None:
        """Return the names of the elements around the cursor; `left` is the whole text before it.

        None in a language without elements.
        """
        return find_element_names(self.right, self.start._configuration.lexer, left)

    def closing(self, left: str, middle: str = "", state: State | None = None) -> str | None:
        """Return the shortest text that makes a program, in which elements end by the names that they need; or None.

        `left`: the whole text before the cursor. `middle`: a text at the cursor, with the state after it.
        """
        closing, names = (state or self.start).closing(), self.element_names(left)
        return closing if closing is None or names is None else names.named(middle, closing)

    def allowed_words(self, left: str) -> AllowedWords | None:
        """Return the judge of words that stand only in functions of one kind; None in a language without such words.

        `left`: the whole text before the cursor.
        """
        return find_allowed_words(self.machine, left)

    @property
    def tab(self) -> int:
        """The columns of a tab; 8 in a language without layout, where columns mean nothing."""
        layout = self.machine.compiled.layout
        return 8 if layout is None else layout.tab

    @property
    def block_is_due(self) -> bool:
        """True if a header right above the cursor's line was left out, because that line is not deeper than it."""
        return any(isinstance(part, OmittedHeader) for part in self.ignored)

    @property
    def labels(self) -> tuple[str, ...]:
        """The texts that begin a line one level further out than the lines after it; see `Description`."""
        return self.machine.compiled.labels

    @property
    def block_ends(self) -> tuple[str, ...]:
        """The texts that close a block, where brackets make them, or begin to, as `</`; the shortest first."""
        return self.machine.block_ends

    @property
    def has_bracket_blocks(self) -> bool:
        """True if brackets make the blocks of the language, so that columns are numbers of open blocks."""
        return self.machine.brackets.has_blocks

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
        It is this quotient itself if no middle can swallow the rest, and if the cursor already stands in such a comment
        or string. It is not viable where every middle has to swallow the rest.
        """
        right = self.right.keeping_rest_of_line
        if right is self.right or right.recognizer.is_inside(self.start._configuration.lexer):
            return self
        return Quotient(right, self.start._configuration, self.ignored, blank=self.start._blank)

    @cached_property
    def within_line(self) -> Quotient:
        """The quotient whose states close within the line: `State.closing` returns a text without a line end, or None.

        Its states still take line ends: the caller refuses those.
        """
        return Quotient(self.right.within_line, self.start._configuration, self.ignored, blank=self.start._blank)

    def expectations(self) -> tuple[Expectation, ...]:
        """Return the terminals that may come at the cursor, each with a text that shows it."""
        return self.expecting.expectations(self.start._configuration)
