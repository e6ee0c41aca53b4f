"""The brackets and blocks of a grammar, read from its productions and counted on the parse stack.

A mode that a bracket opens tells the lexer how deep it is. A grammar may do without, as that of JSON does. Its brackets
are then found in its productions. Blocks are what the description names (`blocks`): the rules for the lines between the
two ends of a block. In a state before such a rule a block is open, and a terminal after it closes the block.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from dovetail.parsing.unknown_stack import UnknownNode

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dovetail.grammar.compiled import Compiled
    from dovetail.parsing.stack import Node

_PUNCTUATION = re.compile(r"[^\w\s]+")


class Opened(NamedTuple):
    """The brackets and blocks that are open on a parse stack."""

    brackets: int
    """Brackets that are no blocks and that no mode counts; negative by those blocks that a mode counts as well."""
    blocks: int
    held: tuple[int, ...] = (0,)
    """The brackets that stand outside of all blocks, and in each open block but in no other inside it, inmost last.

    Those that modes count are among them.
    """


class Brackets:
    """The terminals that open and close brackets outside of modes, and what is open on a stack."""

    def __init__(self, compiled: Compiled) -> None:
        self.signs = find_brackets(compiled)
        """Terminal → 1 for an opener, -1 for a closer; empty in a language whose modes count all brackets."""
        self.has_blocks = bool(compiled.blocks)
        self.counts = bool(self.signs) or self.has_blocks
        """True if the stack tells anything."""
        self._entering = compiled.tables.entering
        self._blocks = find_blocks(compiled)
        """LR state → the blocks that are open since the symbol that leads to it, 1 or -1, where that is not 0."""
        self._instead = self._find_instead(compiled)
        """Some of these states → the brackets that are open since that symbol, in the place of its sign."""
        self._held = self._find_held(compiled)
        """Terminal → 1 if it opens a bracket, -1 if it closes one, those that modes count among them."""
        self.closing = self._find_closing(compiled)
        """The terminals that close a block."""
        self.closers = _spelled(compiled, self.closing)
        """Those of them that have one text each, with these texts; the shortest first."""
        self.openers = _spelled(compiled, {self._entering[state] for state, count in self._blocks.items() if count > 0})
        """The terminals that open a block and have one text each, with these texts; the shortest first."""

    def opens_block(self, state: int) -> bool:
        """Return whether a block was opened by the last terminal before an LR state."""
        return self._blocks.get(state, 0) > 0

    def opened(self, node: Node, known: dict[Node, Opened]) -> Opened:
        """Return what is open on a stack; `known` keeps the answers for its nodes.

        All stacks of a node have read the same terminals, so one of them has the answer.
        """
        path = []
        at: Node | None = node
        # What is open before a text whose beginning is unknown is not counted.
        while at is not None and at not in known and not isinstance(at, UnknownNode):
            path.append(at)
            at = at.below[0] if at.below else None
        brackets, blocks, held = Opened(0, 0) if at is None else known.get(at, Opened(0, 0))
        for passed in reversed(path):
            state = passed.state
            symbol = self._entering[state]
            block = self._blocks.get(state, 0)
            brackets += self._instead[state] if block else self.signs.get(symbol, 0)
            blocks += block
            if block > 0:
                held = (*held, 0)
            elif block < 0:
                held = held[:-1] or (0,)  # the block may have begun before a text whose beginning is unknown
            elif symbol in self._held:
                held = (*held[:-1], max(0, held[-1] + self._held[symbol]))
            known[passed] = Opened(brackets, blocks, held)
        return known.get(node) or Opened(0, 0)

    def _find_closing(self, compiled: Compiled) -> list[int]:
        symbols = {self._entering[state] for state, blocks in self._blocks.items() if blocks < 0}
        return sorted(symbol for symbol in symbols if symbol < compiled.end)

    def _find_held(self, compiled: Compiled) -> dict[int, int]:
        signs = dict(self.signs)
        for mode in compiled.modes:
            signs |= dict.fromkeys(mode.push, 1) | dict.fromkeys(mode.pop, -1)
        return signs

    def _find_instead(self, compiled: Compiled) -> dict[int, int]:
        pushed = {terminal for mode in compiled.modes for terminal in mode.push}
        popped = {terminal for mode in compiled.modes for terminal in mode.pop}
        found = {}
        for state, blocks in self._blocks.items():
            symbol = self._entering[state]
            sign = self.signs.get(symbol, 0)
            if blocks == sign:
                sign = 0  # A bracket around a block is none, but the block.
            elif (blocks > 0 and symbol in pushed) or (blocks < 0 and symbol in popped):
                sign -= blocks  # The modes count it among the brackets.
            found[state] = sign
        return found


def _spelled(compiled: Compiled, symbols: Iterable[int]) -> list[tuple[int, str]]:
    """Return the terminals among some symbols that have one text each, with these texts; the shortest first."""
    literals = compiled.literals
    texts = ((symbol, literals[symbol]) for symbol in symbols if symbol < compiled.end)
    found = [(terminal, text) for terminal, text in texts if text is not None]
    return sorted(found, key=lambda each: (len(each[1]), each))


def find_brackets(compiled: Compiled) -> dict[int, int]:
    """Return the terminals that are brackets, as 1 for an opener and -1 for a closer.

    Those that the description names are brackets. Of the others, two punctuation marks are a pair if they alternate in
    every production that has one of them, the opener first. Marks that open or close a mode are left out.
    """
    counted = {terminal for mode in compiled.modes for terminal in (*mode.push, *mode.pop)}
    named = {terminal: sign for terminal, sign in compiled.brackets if terminal not in counted}
    # A mark may be several terminals, one for each mode that could be taken for another: texts tell them apart.
    marks: dict[int, str] = {
        terminal: text
        for terminal, text in enumerate(compiled.literals)
        if text is not None and _PUNCTUATION.fullmatch(text) and terminal not in counted | named.keys()
    }
    having = (right for right in compiled.productions.rights if not marks.keys().isdisjoint(right))
    rows = {tuple(marks[symbol] for symbol in right if symbol in marks) for right in having}
    signs: dict[str, int] = {}
    # The shortest productions first: they have few marks beside a pair. An opener goes with the next mark that fits.
    for row in sorted(rows, key=lambda row: (len(row), row)):
        for place, opener in enumerate(row):
            closers = [closer for closer in row[place + 1 :] if closer not in signs and closer != opener]
            closer = next((each for each in closers if all(_alternate(other, opener, each) for other in rows)), None)
            if opener not in signs and closer is not None:
                signs[opener], signs[closer] = 1, -1
    return named | {terminal: signs[text] for terminal, text in marks.items() if text in signs}


def find_blocks(compiled: Compiled) -> dict[int, int]:
    """Return the LR states whose symbol opens a block (1) or closes one (-1)."""
    opened = _opened_in_productions(compiled)
    rights = compiled.productions.rights
    symbols = {rights[number][dot - 1] for number, places in opened.items() for dot in places}
    found = {}
    for state, symbol in enumerate(compiled.tables.entering):
        if symbol in symbols:  # other states' items need not be decoded
            signs = [opened[number].get(dot, 0) for number, dot in compiled.tables.kernels[state] if number in opened]
            if sign := max(signs, key=abs, default=0):
                found[state] = sign
    return found


def _opened_in_productions(compiled: Compiled) -> Mapping[int, dict[int, int]]:
    """Return production → place after a symbol of it → the blocks that the symbol opens (1) or closes (-1)."""
    productions = compiled.productions
    blocks = {number for number, name in enumerate(productions.names) if _base(name) in compiled.blocks}
    by_left: dict[int, list[int]] = defaultdict(list)
    for number, left in enumerate(productions.lefts):
        by_left[left].append(number)
    opened: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for numbers in by_left.values():
        without: dict[tuple[tuple[int, ...], int], None] = {}
        for number in numbers:
            right = productions.rights[number]
            if blocks.isdisjoint(right):
                continue
            for place, symbol in enumerate(right):
                if symbol not in blocks or not place or right[place - 1] in blocks:
                    continue
                closer = next((at for at in range(place + 1, len(right)) if right[at] < productions.terminal_count), 0)
                if not closer and right[place - 1] >= productions.terminal_count:
                    continue  # As after a label: no bracket opens these lines.
                opened[number][place] += 1
                if closer:
                    opened[number][closer + 1] -= 1
                    without[right[:place], right[closer]] = None
        for number in numbers if without else ():
            right = productions.rights[number]
            for before, closer in without:
                # The same brackets with nothing between them.
                at = len(before)
                if right[:at] == before and at < len(right) and right[at] == closer and number not in opened:
                    opened[number][at] += 1
                    opened[number][at + 1] -= 1
    return opened


def _base(name: str) -> str:
    """Return the name of a rule without the arguments of its template."""
    return name.partition("{")[0]


def _alternate(row: tuple[str, ...], opener: str, closer: str) -> bool:
    own = [symbol for symbol in row if symbol in (opener, closer)]
    return own == [opener, closer] * (len(own) // 2)
