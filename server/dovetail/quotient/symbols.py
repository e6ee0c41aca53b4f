"""The symbols of a grammar in readable form: for pictures of stacks and automata."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from dovetail.quotient.expectations import readable_name

if TYPE_CHECKING:
    from dovetail.grammar.productions import Productions
    from dovetail.quotient.machine import Machine

_DOT = "•"
_BOTTOM = "$"
_PART = re.compile(r"__(\w+?)_(?:star|plus)_\d+")


class Symbols:
    """The names of the symbols of one language, and its productions in words."""

    def __init__(self, machine: Machine) -> None:
        self._spelling = machine.spelling
        self._compiled = machine.compiled
        self._repeated = _repetitions(machine.compiled.productions)

    def name(self, symbol: int) -> str:
        """Return a symbol in readable form; -1, the symbol by which the bottom of a stack is entered, is `$`."""
        productions = self._compiled.productions
        if symbol < 0:
            return _BOTTOM
        if symbol == self._compiled.end:
            return "the end of the text"
        if symbol < productions.terminal_count:
            return readable_name(self._spelling, symbol)
        if symbol == productions.lefts[0]:
            return "the whole text"
        repeated = self._repeated.get(symbol)
        if repeated is not None:
            return f"{self.name(repeated)}+"
        # What a `*` or `+` repeats is named after its rule, as in `__file_star_0`.
        part = _PART.fullmatch(productions.names[symbol])
        return productions.names[symbol] if part is None else f"{part[1]}…"

    def production(self, number: int, dot: int | None = None) -> str:
        """Return a production as `left → symbols`, with a dot after some of its symbols if `dot` is given."""
        productions = self._compiled.productions
        right = [self.name(symbol) for symbol in productions.rights[number]]
        if dot is not None:
            right.insert(dot, _DOT)
        return f"{self.name(productions.lefts[number])} → {' '.join(right)}"

    def items(self, state: int) -> tuple[str, ...]:
        """Return the kernel items of an LR state: what is being read there, with a dot at the place reached."""
        return tuple(self.production(number, dot) for number, dot in self._compiled.tables.kernels[state])


def _repetitions(productions: Productions) -> dict[int, int]:
    """Return symbol → the symbol that it repeats, for those that the reader of grammars made of a `*` or `+`."""
    sides: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for left, right in zip(productions.lefts, productions.rights, strict=True):
        if productions.names[left].startswith("__"):
            sides[left].append(right)
    ordered = {symbol: sorted(rights, key=len) for symbol, rights in sides.items()}
    return {
        symbol: rights[0][0]
        for symbol, rights in ordered.items()
        if len(rights) == 2 and len(rights[0]) == 1 and rights[1] == (symbol, *rights[0])
    }
