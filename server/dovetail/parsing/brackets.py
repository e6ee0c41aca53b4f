"""The brackets of a grammar that its modes do not count.

A mode that a bracket opens tells the lexer how deep it is. A grammar may do without, as that of JSON does. Its brackets
are then found in its productions, and their depth is read from the parse stack.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.grammar.compiled import Compiled
    from dovetail.parsing.stack import Node

_PUNCTUATION = re.compile(r"[^\w\s]+")


class Brackets:
    """The terminals that open and close brackets outside of modes, and the brackets that are open on a stack."""

    def __init__(self, compiled: Compiled) -> None:
        self.signs = find_brackets(compiled)
        """Terminal → 1 for an opener, -1 for a closer; empty in a language whose modes count all brackets."""
        self._by_state = [self.signs.get(symbol, 0) for symbol in compiled.tables.entering]

    def depth(self, node: Node, known: dict[Node, int]) -> int:
        """Return the number of brackets open on a stack; `known` keeps the answers for its nodes.

        All stacks of a node have read the same terminals, so one of them has the answer.
        """
        path = []
        at: Node | None = node
        while at is not None and at not in known:
            path.append(at)
            at = at.below[0] if at.below else None
        depth = 0 if at is None else known[at]
        for passed in reversed(path):
            depth += self._by_state[passed.state]
            known[passed] = depth
        return depth


def find_brackets(compiled: Compiled) -> dict[int, int]:
    """Return the terminals that are brackets, as 1 for an opener and -1 for a closer.

    Two punctuation marks are a pair if they alternate in every production that has one of them, the opener first.
    Marks that open or close a mode are left out.
    """
    counted = {terminal for mode in compiled.modes for terminal in (*mode.push, *mode.pop, *mode.switch)}
    marks = {
        terminal
        for terminal, text in enumerate(compiled.literals)
        if text is not None and _PUNCTUATION.fullmatch(text) and terminal not in counted
    }
    rows = {tuple(symbol for symbol in right if symbol in marks) for right in compiled.productions.rights}
    signs: dict[int, int] = {}
    # The shortest productions first: they have few marks beside a pair. An opener goes with the next mark that fits.
    for row in sorted(rows, key=lambda row: (len(row), row)):
        for place, opener in enumerate(row):
            closers = [closer for closer in row[place + 1 :] if closer not in signs and closer != opener]
            closer = next((each for each in closers if all(_alternate(other, opener, each) for other in rows)), None)
            if opener not in signs and closer is not None:
                signs[opener], signs[closer] = 1, -1
    return signs


def _alternate(row: tuple[int, ...], opener: int, closer: int) -> bool:
    own = [symbol for symbol in row if symbol in (opener, closer)]
    return own == [opener, closer] * (len(own) // 2)
