"""How much a right context closes of what is open around it, at the least, up to where it is read.

A language may say how much may be open at a time. A text that closes more than that is part of no program, and need
not be read: what it might be the end of grows with every bracket.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer
    from dovetail.suffix.lattice import Position

_NOTHING = (0, 0)


class DepthLimit:
    """Counts along the readings of one right context; where they meet, the least holds."""

    def __init__(self, lexer: Lexer) -> None:
        self._modes = lexer.modes
        self._most = lexer.modes.deepest
        self._most_blocks = lexer.compiled.layout.deepest if lexer.compiled.layout else 0
        self._counts = _NOTHING  # modes, blocks
        self._before: dict[Position, tuple[int, int]] = {}

    def meet(self, position: Position, *, entered: bool) -> None:
        """Go on from a position; `entered`: the text may begin there."""
        before = self._before.pop(position, _NOTHING)
        self._counts = _NOTHING if entered else before

    def arrive(self, position: Position, *, first: bool) -> None:
        """Take note of the counts for a position to come; `first`: no other reading has come to it."""
        modes, blocks = self._counts
        if not first:
            others = self._before.get(position, _NOTHING)
            modes, blocks = min(modes, others[0]), min(blocks, others[1])
        self._before[position] = modes, blocks

    def allows(self, stack: int, terminal: int) -> bool:
        """Count a terminal; return whether what it closes may have been open."""
        if stack < 0 or not self._modes.leaves(stack, terminal):
            return True
        modes, blocks = self._counts
        self._counts = modes + 1, blocks
        return not 0 < self._most < modes + 1

    def allows_block(self) -> bool:
        """Count a block around the text that ends; return whether it may have been open."""
        modes, blocks = self._counts
        self._counts = modes, blocks + 1
        return not 0 < self._most_blocks < blocks + 1
