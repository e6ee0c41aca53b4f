"""State: a middle as its quotient sees it, and the three questions about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.lexing.utf8 import completions, split_characters
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.enclosure import find_enclosure, opens_block
from dovetail.quotient.inside import without_strays

if TYPE_CHECKING:
    from dovetail.quotient.enclosure import Enclosure
    from dovetail.quotient.expectations import Expectation
    from dovetail.quotient.right_side import RightSide

_new = tuple.__new__  # A NamedTuple's own constructor is a Python function: twice the time, for each token.


class State:
    """A middle between a left and a right text: a value.

    Two states are equal if they have one right side and the same configuration, so that no further text tells them
    apart.

    >>> from dovetail import load_language
    >>> state = load_language("json").quotient("[1, ", "]").start
    >>> state.accepting, state.closing(), state.advance("}")
    (False, '0', None)
    """

    __slots__ = ("_blank", "_configuration", "_enclosure", "_partial", "_right")

    def __init__(
        self, right: RightSide, configuration: Configuration, partial: bytes = b"", blank: bool = False
    ) -> None:
        self._right = right
        self._configuration = configuration
        self._partial = partial
        self._blank = blank  # Whether the line has only blanks so far; in a language without layout nothing else tells.
        self._enclosure: Enclosure | None = None  # Found when it is first asked for.

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return (
            self._right is other._right
            and self._configuration == other._configuration
            and self._partial == other._partial
        )

    def __hash__(self) -> int:
        return hash((self._configuration, self._partial))

    def __repr__(self) -> str:
        return f"<State accepting={self.accepting} expected={len(self.expected())}>"

    def parts(self) -> tuple[RightSide, Configuration, bytes]:
        """Return the right side, the configuration after the middle, and the bytes of an unfinished character."""
        return self._right, self._configuration, self._partial

    def members(self) -> list[State]:
        """Return the states of which this one consists: itself, unless several readings of a text are open."""
        return [self]

    def advance(self, piece: str | bytes) -> State | None:
        """Return the state after one more piece of text, or None if no program continues like this.

        Bytes are UTF-8 and may end inside a character. They are refused if no completion of that character fits.
        Raises TypeError for other values.
        """
        state = self._after(piece)
        if state is None:
            return None
        right, partial = self._right, state._partial
        if not partial:
            return state if right.recognizer.viable(state._configuration) else None
        # One character of each kind that the lexer tells apart stands for all that the bytes may become.
        complete = State(right, state._configuration)
        if any(complete.advance(character) is not None for character in completions(partial, right.lexer)):
            return state
        return None

    def accepts(self, piece: str | bytes) -> bool:
        """Return whether the middle with one more piece makes a program.

        It costs less than `advance`, which also has to decide whether any text may follow.
        """
        state = self._after(piece)
        return state is not None and state.accepting

    def _after(self, piece: str | bytes) -> State | None:
        """Return the state after one more piece of text, viable or not, or None if lexer or parser refuse it."""
        data = piece.encode("utf-8", "surrogatepass") if self._partial and isinstance(piece, str) else piece
        partial = b""
        if isinstance(data, bytes):
            split = split_characters(self._partial + data)
            if split is None:
                return None
            data, partial = split
        elif not isinstance(data, str):
            raise TypeError(
                f"piece is of type {type(piece).__name__}, and a text is needed; give it as a str or bytes."
            )
        return self._read(data, partial)

    def _read(self, text: str, partial: bytes) -> State | None:
        # `Configuration.read` is written out here, because this runs for each token that a model proposes.
        right = self._right
        heads, lexer = self._configuration
        if not text:
            return State(right, self._configuration, partial, self._blank) if heads else None
        read = right.lexer.lex(lexer, text)
        if read is None:
            return None
        heads = right.stacks.shift_all(heads, read[1])
        if not heads:
            return None
        configuration = _new(Configuration, (heads, read[0]))
        # In a language with layout, or without blocks, the lexer tells or nobody asks.
        if not right.counts_blocks:
            return State(right, configuration, partial)
        return State(right, configuration, partial, _is_blank(text, self._blank))

    @property
    def accepting(self) -> bool:
        """True if left text, middle and right text are a program."""
        return not self._partial and self._right.recognizer.accepting(self._configuration)

    def closing(self) -> str | None:
        """Return the shortest text that makes the state accepting, or None.

        None if the state is not viable, or if it ends inside a character.
        """
        return None if self._partial else self._right.closings.closing(self._configuration)

    @property
    def enclosure(self) -> Enclosure:
        """The modes and the block that are open at the end of the middle."""
        if self._enclosure is None:
            self._enclosure = find_enclosure(self._right, self._configuration, blank=self._blank)
        return self._enclosure

    def opens_block(self) -> bool:
        """Return whether the left text and the middle let a block begin on the next line with content."""
        right = self._right
        return opens_block(right.lexer, right.machine.brackets, right.stacks, self._configuration)

    def expected(self) -> tuple[str, ...]:
        """Return readable names of the terminals that may come next or that the pending lexeme may become."""
        return tuple(expectation.name for expectation in self.expectations())

    def expectations(self) -> tuple[Expectation, ...]:
        """Return the terminals that `expected` names, each with a text that shows it."""
        expected = self._right.expecting.expectations(self._configuration)
        return without_strays(self._right.lexer.compiled, self._configuration.heads, expected)


def _is_blank(text: str, before: bool) -> bool:
    """Return whether a line has only blanks after a text; `before`: whether it had before the text."""
    start = max(text.rfind("\n"), text.rfind("\r")) + 1
    return (before or start > 0) and not text[start:].strip(" \t\f")
