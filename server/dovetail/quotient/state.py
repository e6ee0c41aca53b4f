"""The state of a middle: a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.lexing.utf8 import completions, split_characters
from dovetail.quotient.enclosure import find_enclosure, opens_block

if TYPE_CHECKING:
    from dovetail.lexing.lexer import LexerState
    from dovetail.parsing.stack import Heads
    from dovetail.quotient.enclosure import Enclosure
    from dovetail.quotient.right_side import RightSide


class State:
    """A middle as the right context sees it; never changes, hashable, equal when nothing can tell two apart."""

    __slots__ = ("_enclosure", "_heads", "_lexer", "_partial", "_right")

    def __init__(self, right: RightSide, heads: Heads, lexer: LexerState, partial: bytes = b"") -> None:
        self._right = right
        self._heads = heads
        self._lexer = lexer
        self._partial = partial
        self._enclosure: Enclosure | None = None  # as far as it was asked for

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return (
            self._right is other._right
            and self._heads == other._heads
            and self._lexer == other._lexer
            and self._partial == other._partial
        )

    def __hash__(self) -> int:
        return hash((self._heads, self._lexer, self._partial))

    def __repr__(self) -> str:
        return f"<State accepting={self.accepting} expected={len(self.expected())}>"

    def parts(self) -> tuple[RightSide, Heads, LexerState, bytes]:
        """Return what the state is made of: its right side, the stacks, the lexer's state, and half a character."""
        return self._right, self._heads, self._lexer, self._partial

    def advance(self, piece: str | bytes) -> State | None:
        """Return the state after one more piece of text, or None if no program continues like this.

        Bytes are UTF-8 and may end inside a character; the state after them is viable if some completion of that
        character is.
        """
        state = self._after(piece)
        if state is None:
            return None
        right, partial = self._right, state._partial
        if not partial:
            return state if right.judge.viable(state._heads, state._lexer) else None
        complete = State(right, state._heads, state._lexer)
        if any(complete.advance(character) is not None for character in completions(partial, right.lexer)):
            return state
        return None

    def accepts(self, piece: str | bytes) -> bool:
        """Return whether the state after a piece is accepting; False if there is none.

        Costs less than to `advance`, which has to find out whether any text may follow.
        """
        state = self._after(piece)
        return state is not None and state.accepting

    def _after(self, piece: str | bytes) -> State | None:
        """Return the state after one more piece of text, viable or not, or None if the left side refuses it."""
        data = piece.encode("utf-8", "surrogatepass") if self._partial and isinstance(piece, str) else piece
        partial = b""
        if isinstance(data, bytes):
            split = split_characters(self._partial + data)
            if split is None:
                return None
            data, partial = split
        return self._read(data, partial)

    def _read(self, text: str, partial: bytes) -> State | None:
        if not text:
            return State(self._right, self._heads, self._lexer, partial) if self._heads else None
        read = self._right.lexer.lex(self._lexer, text)
        if read is None:
            return None
        lexer, emissions = read
        heads = self._right.stacks.shift_all(self._heads, emissions)
        return State(self._right, heads, lexer, partial) if heads else None

    @property
    def accepting(self) -> bool:
        """Whether left text, middle and right text are a program."""
        return not self._partial and self._right.judge.accepting(self._heads, self._lexer)

    def closing(self) -> str | None:
        """Return the shortest text that makes the state accepting; None if there is none, and inside a character."""
        return None if self._partial else self._right.closings.closing(self._heads, self._lexer)

    @property
    def enclosure(self) -> Enclosure:
        """What is open around the end of the middle."""
        if self._enclosure is None:
            self._enclosure = find_enclosure(self._right.lexer, self._lexer)
        return self._enclosure

    def opens_block(self) -> bool:
        """Return whether a block may begin on the next line with content, by the left side alone."""
        return opens_block(self._right.lexer, self._right.stacks, self._heads, self._lexer)

    def expected(self) -> tuple[str, ...]:
        """Return the viable terminals as people write them: those that may come next, or go on from here."""
        expectations = self._right.expecting.expectations(self._heads, self._lexer)
        return tuple(expectation.name for expectation in expectations)
