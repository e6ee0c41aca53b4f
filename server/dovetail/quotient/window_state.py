"""WindowState: a middle of a window, as all beginnings of the window see it.

The text before a window decides in which mode and inside which lexeme the window begins. Where it is not known, the
middle has one configuration for each way to read the window, and the three questions are asked of all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.lexing.beginnings import read_from
from dovetail.lexing.utf8 import completions
from dovetail.parsing.configuration import Configuration
from dovetail.parsing.unknown_stack import UnknownBeginStacks
from dovetail.quotient.state import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail.lexing.lexer import Lexer, LexerState
    from dovetail.parsing.stack import Heads
    from dovetail.quotient.enclosure import Enclosure
    from dovetail.quotient.expectations import Expectation
    from dovetail.quotient.right_side import RightSide


class WindowState(State):
    """A middle of a window: a value."""

    __slots__ = ("_configurations",)

    def __init__(self, right: RightSide, configurations: tuple[Configuration, ...], partial: bytes = b"") -> None:
        """Make the state of a middle by its configurations; without any, nothing fits."""
        first = configurations[0] if configurations else Configuration((), right.lexer.start)
        super().__init__(right, first, partial)
        self._configurations = configurations

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WindowState):
            return NotImplemented
        return (
            self._right is other._right
            and self._configurations == other._configurations
            and self._partial == other._partial
        )

    def __hash__(self) -> int:
        return hash((self._configurations, self._partial))

    def __repr__(self) -> str:
        return f"<WindowState accepting={self.accepting} readings={len(self._configurations)}>"

    def members(self) -> list[State]:
        """Return the middle as each reading of the window sees it."""
        return [State(self._right, configuration, self._partial) for configuration in self._configurations]

    def advance(self, piece: str | bytes) -> WindowState | None:
        """Return the state after one more piece of text, or None if no program continues like this.

        As `State.advance`.
        """
        state = self._after(piece)
        if state is None:
            return None
        assert isinstance(state, WindowState), "`_read` makes no other states"
        viable = self._right.recognizer.viable
        if not state._partial:
            kept = tuple(each for each in state._configurations if viable(each))
            return WindowState(self._right, kept) if kept else None
        complete = WindowState(self._right, state._configurations)
        ends = completions(state._partial, self._right.lexer)
        return state if any(complete.advance(character) is not None for character in ends) else None

    def _read(self, text: str, partial: bytes) -> WindowState | None:
        stacks = self._right.stacks
        assert isinstance(stacks, UnknownBeginStacks), "a window is read over unknown stacks"
        after = read_all(self._right.lexer, stacks, self._configurations, text)
        return WindowState(self._right, after, partial) if after else None

    @property
    def accepting(self) -> bool:
        """True if some text, the window with this middle, and some text after it are a program."""
        return not self._partial and any(map(self._right.recognizer.accepting, self._configurations))

    def closing(self) -> str | None:
        """Return the shortest text that makes the state accepting, or None; None inside a character."""
        if self._partial:
            return None
        if self.accepting:
            return ""
        found = [
            closing
            for configuration in self._configurations
            if (closing := self._right.closings.closing(configuration)) is not None
        ]
        return min(found, key=lambda text: (len(text.encode()), text), default=None)

    @property
    def enclosure(self) -> Enclosure:
        """The modes and the block that are open at the end of the middle, as far as the window shows them."""
        return min((state.enclosure for state in self.members()), key=lambda found: (found.depth, found.column))

    def opens_block(self) -> bool:
        """Return whether the window and the middle let a block begin on the next line with content."""
        return any(state.opens_block() for state in self.members())

    def expected(self) -> tuple[str, ...]:
        """Return readable names of the terminals that may come next or that the pending lexeme may become."""
        return tuple(dict.fromkeys(expectation.name for expectation in self.expectations()))

    def expectations(self) -> tuple[Expectation, ...]:
        """Return the terminals that `expected` names, each with a text that shows it."""
        return tuple(dict.fromkeys(found for state in self.members() for found in state.expectations()))


def read_all(
    lexer: Lexer, stacks: UnknownBeginStacks, configurations: Iterable[Configuration], text: str
) -> tuple[Configuration, ...]:
    """Return the configurations after a text; readings that come to the same lexer state are united."""
    return united(
        stacks,
        [
            Configuration(reached, after)
            for heads, state in configurations
            for after, emissions in read_from(lexer, state, text)
            if (reached := stacks.shift_all(heads, emissions))
        ],
    )


def united(stacks: UnknownBeginStacks, configurations: list[Configuration]) -> tuple[Configuration, ...]:
    """Return configurations with those of one lexer state made one."""
    found: dict[LexerState, Heads] = {}
    for heads, state in configurations:
        found[state] = stacks.united(found.get(state, ()), heads)
    return tuple(Configuration(heads, state) for state, heads in found.items())
