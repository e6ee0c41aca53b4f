"""The automata of a language, each kept as bytes until it is first asked for."""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from dovetail.automata.dfa import Automaton

if TYPE_CHECKING:
    from collections.abc import Iterable

_FORMAT = 2  # of marshal: plain values and nothing else, the same bytes for the same values

_NUMBER = "i"
"""The type of a packed number. Classes, states and terminals would fit into half of it, code points would not."""


class StoredAutomata(Sequence[Automaton]):
    """Number → automaton; an automaton is always the same object.

    Those of TypeScript are 27, of half a million numbers. To load the language takes none of them. A text before the
    cursor takes some; what stands after it may be in any mode, and takes all.

    >>> from dovetail.automata.dfa import build_automaton
    >>> from dovetail.automata.patterns import text_pattern
    >>> automaton = build_automaton({0: text_pattern("if")})
    >>> stored = StoredAutomata(packed([automaton]))
    >>> stored[0] == automaton, stored[0] is stored[0]
    (True, True)
    """

    def __init__(self, texts: list[bytes]) -> None:
        """Keep automata as `packed` returns them."""
        self.texts = texts
        self._known: dict[int, Automaton] = {}

    @overload
    def __getitem__(self, number: int) -> Automaton: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[Automaton]: ...

    def __getitem__(self, number: int | slice) -> Automaton | Sequence[Automaton]:
        if isinstance(number, slice):
            return [self[each] for each in range(len(self))[number]]
        found = self._known.get(number)
        if found is None:
            found = self._known.setdefault(number, _unpacked(self.texts[number]))
        return found

    def __len__(self) -> int:
        return len(self.texts)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


def packed(automata: Iterable[Automaton]) -> list[bytes]:
    """Return automata as bytes, for this machine."""
    if isinstance(automata, StoredAutomata):
        return automata.texts
    return [_packed(automaton) for automaton in automata]


def _packed(automaton: Automaton) -> bytes:
    numbers = (
        automaton.edges,
        automaton.edge_classes,
        [target for row in automaton.rows for target in row],
        automaton.accepts,
    )
    plain = [array(_NUMBER, each).tobytes() for each in numbers]
    return marshal.dumps((plain, automaton.samples), _FORMAT)


def _unpacked(text: bytes) -> Automaton:
    plain, samples = marshal.loads(text)
    edges, edge_classes, targets, accepts = (_numbers(each) for each in plain)
    width = len(samples)
    rows = [targets[at : at + width] for at in range(0, len(targets), width)]
    return Automaton(edges, edge_classes, rows, accepts, samples)


def _numbers(text: bytes) -> list[int]:
    numbers = array(_NUMBER)
    numbers.frombytes(text)
    return numbers.tolist()
