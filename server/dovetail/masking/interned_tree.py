"""A tree of sequences on arrays: many nodes go one symbol further at once, and new ones are numbered as they come."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ABSENT = -1


class InternedTree:
    """Sequences of symbols that share their beginnings; node 0 is the empty sequence, and parents precede children.

    >>> tree = InternedTree(symbol_count=2)
    >>> tree.follow(np.zeros(3, np.int32), np.array([1, 0, 1], np.int32)).tolist()
    [2, 1, 2]
    >>> tree.parents
    [-1, 0, 0]
    """

    def __init__(self, symbol_count: int) -> None:
        self.parents = [_ABSENT]
        self.symbols = [_ABSENT]
        self._children: NDArray[np.int32] = np.full((16, symbol_count), _ABSENT, np.int32)  # node, symbol → node

    def __len__(self) -> int:
        return len(self.parents)

    def follow(self, nodes: NDArray[np.int32], symbols: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the children of nodes by symbols (all of shape [n]); missing ones are made."""
        if not len(nodes):
            return nodes
        most = int(symbols.max())
        if most >= self._children.shape[1]:
            self._grow(len(self._children), 2 * most)
        children = self._children[nodes, symbols]
        absent = np.flatnonzero(children == _ABSENT)
        if absent.size:
            width = self._children.shape[1]
            # Several texts may need the same new node. Node and symbol as one number make equal pairs neighbours.
            fresh = np.unique(nodes[absent].astype(np.int64) * width + symbols[absent])
            count = len(self.parents)
            above, by = np.divmod(fresh, width)
            self.parents += above.tolist()
            self.symbols += by.tolist()
            if len(self.parents) > len(self._children):
                # Doubled, so that growing costs a constant time for each node.
                self._grow(2 * len(self.parents), width)
            self._children[above, by] = np.arange(count, len(self.parents))
            children[absent] = self._children[nodes[absent], symbols[absent]]
        return children

    def _grow(self, rows: int, width: int) -> None:
        grown = np.full((rows, width), _ABSENT, np.int32)
        grown[: len(self._children), : self._children.shape[1]] = self._children
        self._children = grown
