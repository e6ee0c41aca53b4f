"""The nesting of one right context: how much it closes around itself, and how deep its own blocks are.

A language may limit the number of open brackets and of open blocks (Python: 200 and 100). A text that closes more
than that is part of no program. The parse stops there, since with every further bracket the number of constructs
that the text may end grows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dovetail.suffix.lattice import UNKNOWN

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer
    from dovetail.suffix.lattice import Position


class Nesting(NamedTuple):
    """Counts along one reading of the text; all are lower bounds, so where readings meet the least holds."""

    modes: int = 0
    """The brackets and the like that were open before the text and that it has closed."""
    blocks: int = 0
    """The blocks that were open before the text and that it has ended."""
    deepest: int = 0
    """The greatest number of blocks of the text's own that were open at a time."""


_NOTHING = Nesting()


class DepthLimit:
    """The nesting along the readings of one right context."""

    def __init__(self, lexer: Lexer) -> None:
        self._modes = lexer.modes
        self._depths = lexer.blocks.depths
        self._most = lexer.modes.deepest
        self._most_blocks = lexer.compiled.layout.deepest if lexer.compiled.layout else 0
        self._now = _NOTHING
        self._before: dict[Position, Nesting] = {}

    @property
    def deepest(self) -> int:
        """The greatest number of blocks of the text's own that were open at a time up to here."""
        return self._now.deepest

    def meet(self, position: Position, *, entered: bool) -> None:
        """Go on from a position; `entered`: the text may begin there."""
        before = self._before.pop(position, _NOTHING)
        # A reading that begins here has closed nothing yet, and of several readings the least counts.
        self._now = _NOTHING if entered else before

    def arrive(self, position: Position, *, first: bool) -> None:
        """Keep the counts for a position to come; `first`: no other reading has come to it."""
        modes, blocks, deepest = self._now
        if position.known != UNKNOWN and self._depths[position.known] > deepest:
            deepest = self._depths[position.known]
        # The least keeps the counts lower bounds. So no program is refused: at most a text that closes too much is read
        # on.
        if not first:
            others = self._before.get(position, _NOTHING)
            modes, blocks, deepest = min(modes, others[0]), min(blocks, others[1]), min(deepest, others[2])
        self._before[position] = Nesting(modes, blocks, deepest)

    def allows(self, stack: int, terminal: int) -> bool:
        """Count a terminal; return whether the bracket that it closes may have been open."""
        if stack < 0 or not self._modes.leaves(stack, terminal):
            return True
        modes, blocks, deepest = self._now
        self._now = Nesting(modes + 1, blocks, deepest)
        # 0 stands for no limit.
        return not 0 < self._most < modes + 1

    def allows_block(self) -> bool:
        """Count a block around the text that ends; return whether it may have been open."""
        modes, blocks, deepest = self._now
        self._now = Nesting(modes, blocks + 1, deepest)
        return not 0 < self._most_blocks < blocks + 1

    def open_blocks(self, count: int) -> None:
        """Count blocks of the text's own that are open at a time."""
        if count > self._now.deepest:
            self._now = self._now._replace(deepest=count)
