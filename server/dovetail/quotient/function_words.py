"""Function words: words that stand only in functions of one kind, as `await` in those that are `async`.

A grammar that told the functions of each kind apart would be two to three times as large, for all that stands in them.
So it lets such a word stand in any function, and here a text is read once more: the parse stack at each of these words
says which function is the innermost.
"""

from __future__ import annotations

import re
from functools import cached_property
from string import ascii_letters
from typing import TYPE_CHECKING, NamedTuple

from dovetail.quotient.parsed_lexemes import parsed_lexemes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dovetail.grammar.mistakes import FunctionWords
    from dovetail.parsing.stack import Heads, Node
    from dovetail.quotient.machine import Machine

_TOP_LEVEL = re.compile(r"^[\w$@(\[!+\-]", re.MULTILINE)
"""A line without indentation that may begin a statement."""

_BEGINNINGS = 3
"""Lines above a cursor from which its statement may be read."""


class FunctionHead(NamedTuple):
    """The beginning of a function around a word, by offsets in characters."""

    start: int
    end: int
    """The offset of its body."""


class PlacedWord(NamedTuple):
    """A function word of a text, with the functions that may be the innermost one around it."""

    start: int
    words: FunctionWords
    heads: tuple[FunctionHead, ...]
    """None outside of all functions."""

    def is_allowed(self, text: str) -> bool:
        """Return whether one of the functions is of the kind in which the word may stand; always outside of all."""
        return not self.heads or any(re.search(self.words.kind, text[head.start : head.end]) for head in self.heads)


class AllowedWords:
    """The function words that a middle may have after a left text.

    Only the statement around the cursor is read, from its line without indentation on. Of a word outside of all that
    can be read so, nothing is known, and it is let be.
    """

    def __init__(self, machine: Machine, left: str, pattern: re.Pattern[str]) -> None:
        """Take a left text, which is read when a middle has one of the words, as `pattern` finds them."""
        self._machine = machine
        self._left = left
        self._pattern = pattern
        self._begun = left[len(left.rstrip(ascii_letters)) :]
        """The letters of a word before the cursor, which a middle may go on with."""

    def has_misplaced(self, middle: str, after: int) -> bool:
        """Return whether a word that ends behind `after` characters of a middle stands in a function of another kind.

        A word counts as whole at the end of the middle, too.
        """
        begun = self._begun + middle
        found = (match for match in self._pattern.finditer(begun) if match.end() > len(self._begun) + after)
        first = next(found, None)
        if first is None:
            return False
        for line in self._lines:
            text = self._left[line:] + middle
            start = len(text) - len(begun) + first.start()
            for word in read_words(self._machine, text):
                if word.start >= start:
                    return not word.is_allowed(text)
        return False

    @cached_property
    def _lines(self) -> list[int]:
        """The offsets of the last lines above the cursor from which the statement around it may be read."""
        lines = [match.start() for match in _TOP_LEVEL.finditer(self._left)]
        return lines[: -_BEGINNINGS - 1 : -1]


def word_pattern(machine: Machine) -> re.Pattern[str] | None:
    """Return a pattern for the function words of a language, by their letters; None if it has none."""
    words = [word for each in machine.compiled.mistakes.function_words for word in each.words]
    return re.compile(rf"\b(?:{'|'.join(words)})\b") if words else None


def find_allowed_words(machine: Machine, left: str) -> AllowedWords | None:
    """Return the judge of the function words after a left text; None in a language that has none."""
    pattern = word_pattern(machine)
    return None if pattern is None else AllowedWords(machine, left, pattern)


def read_words(machine: Machine, text: str) -> Iterator[PlacedWord]:
    """Yield the function words of the beginning of a text, as far as it can be read.

    Those of which the parser has several readings that differ in this are left out, and those that are names there.
    """
    kinds, bodies = _kinds(machine), _Bodies(machine)
    began: dict[Node, int] = {}
    """Stack node → the offset of what stands right over it now."""
    for start, terminal, heads in parsed_lexemes(machine, text):
        over = [node for head in heads for node in head.below]
        began.update(dict.fromkeys(over, start))
        if terminal in kinds and not bodies.is_name(heads) and (around := bodies.around(over, began)) is not None:
            yield PlacedWord(start, kinds[terminal], tuple(around))


def _kinds(machine: Machine) -> Mapping[int, FunctionWords]:
    """Return the terminals of function words, each with what is said of it."""
    names = machine.compiled.productions.names  # The terminals come first.
    return {
        number: words
        for words in machine.compiled.mistakes.function_words
        for number, (name, literal) in enumerate(zip(names, machine.compiled.literals, strict=False))
        if name in words.words or literal in words.words
    }


class _Bodies:
    """The places in productions where the body of a function stands."""

    def __init__(self, machine: Machine) -> None:
        productions, self._kernels = machine.compiled.productions, machine.compiled.tables.kernels
        self._names, self._lefts, self._rights = productions.names, productions.lefts, productions.rights
        self._functions = machine.compiled.mistakes.functions
        self._places: dict[int, tuple[int, int] | None] = {}

    def is_name(self, heads: Heads) -> bool:
        """Return whether a word, which is on top of some stacks, may be a name there, as that of a property."""
        lefts = (self._lefts[number] for head in heads for number, _ in self._kernels[head.state])
        return any(self._rule(left) in self._functions["names"] for left in lefts)

    def around(self, nodes: list[Node], began: dict[Node, int]) -> list[FunctionHead] | None:
        """Return the heads of the functions that may be the innermost ones around some nodes; none outside of all.

        None if there is a function on some of the ways down alone, or if the parser does not know yet.
        """
        found: dict[FunctionHead, None] = {}
        reaches_bottom = False
        work, seen = list(nodes), set(nodes)
        while work:
            node = work.pop()
            # Something lies over each of these nodes, so what is complete there does not count.
            items = [(number, dot) for number, dot in self._kernels[node.state] if dot < len(self._rights[number])]
            places = [(self._place(number), dot) for number, dot in items]
            inside = [(place, dot) for place, dot in places if place is not None and place[1] <= dot]
            if not inside:
                reaches_bottom = reaches_bottom or not node.below
                fresh = [below for below in node.below if below not in seen]
                work += fresh
                seen.update(fresh)
                continue
            if any(place is None for place, _ in places):
                return None
            for (head, body), dot in inside:
                for at in _down([node], dot - body):
                    found.update((FunctionHead(began[start], began[at]), None) for start in _down([at], body - head))
        return None if found and reaches_bottom else list(found)

    def _place(self, number: int) -> tuple[int, int] | None:
        """Return the indices of the head of a function and of its body in a production; None if it has none."""
        if number not in self._places:
            parts = [self._rule(symbol) for symbol in self._rights[number]]
            head = next((index for index, part in enumerate(parts) if part in self._functions["heads"]), len(parts))
            bodies = (index for index in range(head + 1, len(parts)) if parts[index] in self._functions["bodies"])
            body = next(bodies, None)
            self._places[number] = None if body is None else (head, body)
        return self._places[number]

    def _rule(self, symbol: int) -> str:
        """Return the name of a symbol, of a template the part before its arguments."""
        return self._names[symbol].partition("{")[0]


def _down(nodes: list[Node], count: int) -> list[Node]:
    for _ in range(count):
        nodes = list(dict.fromkeys(below for node in nodes for below in node.below))
    return nodes
