"""The effect of terminals on stacks of modes as arrays, filled when a pair of them is first met."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dovetail.lexing.modes import NOTHING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dovetail.lexing.lexer import Lexer

IGNORE, EMIT, END_LINE, REFUSE, LEAVE, LEAVE_UNSEEN, _UNASKED = range(7)
"""The effects of a terminal: the grammar does not see it; the grammar sees it; it ends a line; it cannot be read; it
ends the lowest mode, and the grammar sees it or does not."""


class TransitionTable:
    """Stacks of modes that are met in one pass over many texts, numbered from 0, and their transitions."""

    def __init__(self, lexer: Lexer, bases: Sequence[int]) -> None:
        """`bases`: automaton → its start state where the states of all automata are numbered together."""
        self.lexer = lexer
        self.stacks: list[int] = []
        """Number → stack."""
        self._bases = bases
        self._numbers: dict[int, int] = {}
        terminal_count = lexer.compiled.productions.terminal_count
        self._effects = np.full((4, terminal_count), _UNASKED, np.int8)  # stack, terminal → effect
        self._after = np.zeros((4, terminal_count), np.int32)  # stack, terminal → stack
        self.starts: NDArray[np.int32] = np.zeros(4, np.int32)
        """Number → the start state of its automaton."""

    def number(self, stack: int) -> int:
        """Return the number of a stack."""
        number = self._numbers.get(stack)
        if number is None:
            number = self._numbers[stack] = len(self.stacks)
            self.stacks.append(stack)
            if number == len(self.starts):
                self._effects = np.concatenate([self._effects, np.full_like(self._effects, _UNASKED)])
                self._after = np.concatenate([self._after, np.zeros_like(self._after)])
                self.starts = np.concatenate([self.starts, np.zeros_like(self.starts)])
            self.starts[number] = self._bases[self.lexer.modes.scanner_of[stack]]
        return number

    def of(self, stacks: NDArray[np.int32], terminals: NDArray[np.int32]) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
        """Return the effects of terminals on stacks, and the stacks after them (all of shape [n])."""
        effects = self._effects[stacks, terminals]
        unasked = np.flatnonzero(effects == _UNASKED)
        if unasked.size:
            width = self._effects.shape[1]
            # Asked once for each pair, though thousands of texts may be waiting for it.
            for key in np.unique(stacks[unasked].astype(np.int64) * width + terminals[unasked]).tolist():
                stack, terminal = divmod(key, width)
                effect, after = self._transition(self.stacks[stack], terminal)
                number = self.number(after)
                self._effects[stack, terminal], self._after[stack, terminal] = effect, number
            effects = self._effects[stacks, terminals]
        return effects, self._after[stacks, terminals]

    def _transition(self, stack: int, terminal: int) -> tuple[int, int]:
        modes = self.lexer.modes
        tops, below = modes.entries[stack]
        # Below the lowest mode nothing is known in a start state, so what follows cannot be read here.
        if below == NOTHING and terminal in modes.modes[tops[0]].pop:
            return (LEAVE_UNSEEN if terminal in modes.modes[tops[0]].ignored else LEAVE), stack
        way = modes.known_transition(stack, terminal)
        if way is None:
            return REFUSE, stack
        ignored, ends_line, after, _ = way
        return (END_LINE if ends_line else IGNORE if ignored else EMIT), after
