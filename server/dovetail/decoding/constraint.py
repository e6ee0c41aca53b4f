"""The constraint of decoding: what it asks of a quotient.

`quotient/` implements it for languages, tests for finite sets of texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.grammar.habits import Habits
    from dovetail.quotient.element_names import Naming
    from dovetail.quotient.enclosure import Enclosure


class ConstraintState(Protocol):
    """The beginning of a middle, between a left and a right text; a value that never changes."""

    @property
    def accepting(self) -> bool:
        """True if left, this middle and right together are a program."""

    @property
    def enclosure(self) -> Enclosure:
        """The brackets and blocks that are open at the end of the middle."""

    def opens_block(self) -> bool:
        """Return whether a block may begin on the next line with content, by the left side alone."""

    def advance(self, piece: str | bytes) -> Self | None:
        """Return the state after more text, or None if no program continues like this."""

    def accepts(self, piece: str | bytes) -> bool:
        """Return whether the state after more text is accepting: `advance` and `accepting` in one, and faster."""

    def closing(self) -> str | None:
        """Return the shortest text that makes the state accepting, or None; None inside a character."""


class Constraint(Protocol):
    """A left and a right text, and the middles that fit between them."""

    @property
    def viable(self) -> bool:
        """True if any middle exists."""

    @property
    def start(self) -> ConstraintState:
        """The empty middle."""

    @property
    def comment(self) -> str | None:
        """The sign that begins a comment in the language; None if it has none, or if it is unknown."""

    @property
    def long_comment(self) -> tuple[str, str] | None:
        """The opening and the end of a comment that may go over several lines; None if the language has none."""

    @property
    def documentation(self) -> str | None:
        """A regular expression for what opens a documentation text at the beginning of a line, or None."""

    @property
    def imports(self) -> str | None:
        """A regular expression for an import, with groups `names` and maybe `source`, or None."""

    @property
    def declarations(self) -> str | None:
        """A regular expression for the beginning of a declaration, with a group `name`, or None."""

    @property
    def habits(self) -> Habits:
        """The forms that files of the language write in one way or another."""

    def element_names(self, left: str) -> ElementNaming | None:
        """Return the names of the elements around the cursor, or None; `left` is the whole text before it."""

    def allowed_words(self, left: str) -> WordJudge | None:
        """Return the judge of words that stand only in functions of one kind, or None; `left` as above."""

    @property
    def tab(self) -> int:
        """The columns of a tab in the language."""

    @property
    def has_bracket_blocks(self) -> bool:
        """True if brackets make the blocks of the language, and columns mean nothing."""

    @property
    def block_ends(self) -> tuple[str, ...]:
        """The texts that close a block, where brackets make them; the shortest first."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The texts that begin a line one level further out than the lines after it."""

    @property
    def block_is_due(self) -> bool:
        """True if a block has to begin on the cursor's line, which is not deep enough for it."""

    @property
    def keeping_rest_of_line(self) -> Constraint:
        """The quotient without the middles that swallow the rest of the cursor's line in a comment or a long string.

        It is the same object if there are no such middles.
        """

    @property
    def within_line(self) -> Constraint:
        """The quotient whose states close within the line: `closing` returns a text without a line end, or None."""


class WordJudge(Protocol):
    """The words that a middle may have in the function around it."""

    def has_misplaced(self, middle: str, after: int, /) -> bool:
        """Return whether a word that ends behind `after` characters of a middle is not allowed where it stands."""


class ElementNaming(Protocol):
    """The names of the elements around a cursor."""

    @property
    def in_name(self) -> bool:
        """True if the cursor stands in a tag whose name may go on."""

    @property
    def naming(self) -> Callable[[str], Naming]:
        """Returns what a middle says about names."""

    def named(self, middle: str, closing: str) -> str:
        """Return a closing of a middle in which the ends of elements have the names that they need."""


class Mask(Protocol):
    """One bit for each token of a vocabulary, packed in bytes."""

    def __getitem__(self, place: int, /) -> Any:
        """Return a byte: token `t` fits if bit `t & 7`, the lowest first, of byte `t >> 3` is set."""


class TokenMasker(Protocol):
    """`ConstraintState.advance` for a whole vocabulary at once."""

    def mask(self, state: Any, /) -> Mask:
        """Return the tokens by which a state of its own kind may be advanced."""
