"""Classes of states that a terminal reduces in the same way over an unknown stack.

After a symbol such as an expression there are a hundred states, one for each place where it may stand and each mode
in which that may begin. Before a closing bracket most of them reduce as many symbols to the same symbol, though by
different productions. An exposure for each would lead to the same exposures. So one stands for all of a class.

That is sound because such an exposure is only passed through. Nothing is shifted over it, so no later step asks which
of the states it was; and a node may lie there if it leads to one of the states.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dovetail.grammar.stored_rows import StoredRows

Shape = tuple[object, ...]
"""The effect of a reduction on a stack, whatever production it is by."""


class Shapes(dict[int, int]):
    """Production → the number of its shape; productions of one shape have one number.

    Shapes are found when they are first asked for: a file meets a tenth of the productions.
    """

    __slots__ = ("_numbers", "_shape")

    def __init__(self, shape: Callable[[int], Shape]) -> None:
        """`shape` returns that of a production."""
        super().__init__()
        self._shape = shape
        self._numbers: dict[Shape, int] = {}

    def __missing__(self, production: int) -> int:
        number = self[production] = self._numbers.setdefault(self._shape(production), len(self._numbers))
        return number


class StateClasses:
    """The classes of the states of a grammar, for each terminal; found when they are first asked for."""

    def __init__(
        self,
        actions: StoredRows[dict[int, tuple[int, ...]]],
        entering: Sequence[int],
        entered_by: Mapping[int, Sequence[int]],
        shapes: Shapes,
    ) -> None:
        """`entering`, `entered_by`: state → symbol and symbol → states."""
        self._actions = actions
        self._entering = entering
        self._entered_by = entered_by
        self._shapes = shapes
        self._representatives: dict[int, dict[int, int]] = defaultdict(dict)
        self._members: dict[int, dict[int, tuple[int, ...]]] = defaultdict(dict)

    def representatives(self, terminal: int) -> dict[int, int]:
        """Return state → the state that stands for its class, for a terminal; `representative` adds what is missing."""
        return self._representatives[terminal]

    def members(self, terminal: int) -> dict[int, tuple[int, ...]]:
        """Return representative → the states of its class, for the classes of several states."""
        return self._members[terminal]

    def representative(self, state: int, terminal: int) -> int:
        """Return the state that stands for a state's class."""
        found = self._representatives[terminal].get(state)
        return self._find(state, terminal) if found is None else found

    def _find(self, state: int, terminal: int) -> int:
        """Divide all states of a state's symbol into classes; return the representative of its own."""
        found, shapes = self._representatives[terminal], self._shapes
        groups: dict[frozenset[int], list[int]] = defaultdict(list)
        for other in self._entered_by[self._entering[state]]:
            choices = self._actions[other].get(terminal, ())
            if not choices or max(choices) >= 0:
                found[other] = other  # A shift is made over one state.
            else:
                groups[frozenset([shapes[~action] for action in choices])].append(other)
        for members in groups.values():
            found.update(dict.fromkeys(members, members[0]))
            if len(members) > 1:
                self._members[terminal][members[0]] = tuple(members)
        return found[state]
