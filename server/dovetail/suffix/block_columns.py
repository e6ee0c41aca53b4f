"""The columns of blocks where a left stack meets the automaton of a right context.

The blocks that the left text opened have columns. Those around a left text whose beginning is unknown have sets of
columns, of which one has to fit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.lexing import indentation as columns
from dovetail.parsing.unknown_stack import UnknownNode

if TYPE_CHECKING:
    from dovetail.lexing.indentation import ColumnSet
    from dovetail.parsing.stack import Node


class BlockColumns:
    """Answers about the columns of stack nodes."""

    def __init__(self, entering: list[int], indent: int, tab: int) -> None:
        self._entering = entering
        self._indent = indent
        self._tab = tab

    def is_block(self, node: Node, block: ColumnSet) -> bool:
        """Return whether the column of a node's indent may be one of some columns."""
        if isinstance(node, UnknownNode) and node.columns is not None:
            return columns.common(node.columns[0], block, self._tab) is not None
        return columns.contains(block, node.column, self._tab)

    def may_stand_in(self, node: Node, block: ColumnSet) -> bool:
        """Return whether the innermost block of a node may have one of some columns."""
        work, seen = [node], {node}
        while work:
            at = work.pop()
            if isinstance(at, UnknownNode) or not at.below or self._entering[at.state] == self._indent:
                if self.is_block(at, block):
                    return True
                continue
            work += [under for under in at.below if under not in seen]
            seen.update(at.below)
        return False
