"""Function words: words that stand only in functions of one kind, as `await` in those that are `async`.

A grammar that told the functions of each kind apart would be two to three times as large, for all that stands in them.
So it lets such a word stand in any function, and here a program is read once more: the parse stack at each of these
words says which function is the innermost.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.engine.fault import Fault
from dovetail.engine.reported import line_and_column, reported_at
from dovetail.lexing.lexemes import lexemes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from dovetail.grammar.mistakes import FunctionWords
    from dovetail.parsing.stack import Heads, Node
    from dovetail.quotient.machine import Machine

_SHOWN = 40
"""Characters of the head of a function that a message shows."""


class FunctionHead(NamedTuple):
    """The beginning of a function around a word, by offsets in characters."""

    start: int
    end: int
    """The offset of its body."""


def find_misplaced_words(machine: Machine, text: str) -> Iterator[Fault]:
    """Yield the words of a program that the innermost function around them does not allow, the first of each function.

    Outside of all functions they are let be, and so they are where the parser has several readings that differ in this.
    """
    literals, names = machine.compiled.literals, machine.compiled.productions.names
    # Words that the text does not hold cost nothing, and behind the last one nothing is read.
    every = machine.compiled.mistakes.function_words
    places = [match.end() for word in every for match in re.finditer(rf"\b(?:{'|'.join(word.words)})\b", text)]
    if not places:
        return
    terminals = list(zip(names, literals, strict=False))  # The terminals come first.
    kinds = {
        number: words
        for words in every
        for number, (name, literal) in enumerate(terminals)
        if name in words.words or literal in words.words
    }
    read = text[: text.find("\n", max(places)) + 1 or len(text)]
    told: set[tuple[FunctionWords, FunctionHead]] = set()
    for offset, terminal, heads in _read(machine, read, kinds.keys()):
        words = kinds[terminal]
        is_of_kind = any(re.search(words.kind, text[head.start : head.end]) for head in heads)
        if not is_of_kind and (words, heads[0]) not in told:
            told.add((words, heads[0]))
            line, column = line_and_column(text, offset)
            reported = reported_at(text, offset, _message(words, text[heads[0].start : heads[0].end]))
            yield Fault(offset, line, column, text[offset], (), (), "", reported)


def _message(words: FunctionWords, head: str) -> str:
    if not words.remedy or (words.never and re.search(words.never, head)):
        return words.message
    shown = " ".join(head.split())
    shown = shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"
    return f"{words.message}; {words.remedy.replace('{head}', shown)}"


def _read(machine: Machine, text: str, words: Collection[int]) -> Iterator[tuple[int, int, list[FunctionHead]]]:
    """Yield offset and terminal of each word in a function, and the functions that may be the innermost one."""
    stacks, bodies = machine.stacks(), _Bodies(machine)
    heads: Heads = (stacks.bottom,)
    began: dict[Node, int] = {}
    """Stack node → the offset of what stands right over it now."""
    for lexeme in lexemes(machine.lexer, text):
        terminal = lexeme.terminal
        way = None if terminal is None else machine.lexer.modes.known_transition(lexeme.stack, terminal)
        if terminal is None or way is None or way.ignored:
            continue
        heads = stacks.shift(heads, terminal)
        if not heads:
            return  # The lexer reads the text in another way, so nothing is said of the rest.
        over = [node for head in heads for node in head.below]
        began.update(dict.fromkeys(over, lexeme.start))
        if terminal in words and not bodies.is_name(heads) and (around := bodies.around(over, began)):
            yield lexeme.start, terminal, around


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

    def around(self, nodes: list[Node], began: dict[Node, int]) -> list[FunctionHead]:
        """Return the heads of the functions that may be the innermost ones around some nodes.

        Empty if there is none on one of the ways down, or if the parser does not know yet.
        """
        found: dict[FunctionHead, None] = {}
        work, seen = list(nodes), set(nodes)
        while work:
            node = work.pop()
            # Something lies over each of these nodes, so what is complete there does not count.
            items = [(number, dot) for number, dot in self._kernels[node.state] if dot < len(self._rights[number])]
            places = [(self._place(number), dot) for number, dot in items]
            inside = [(place, dot) for place, dot in places if place is not None and place[1] <= dot]
            if not inside:
                if not node.below:
                    return []
                fresh = [below for below in node.below if below not in seen]
                work += fresh
                seen.update(fresh)
                continue
            if any(place is None for place, _ in places):
                return []
            for (head, body), dot in inside:
                for at in _down([node], dot - body):
                    found.update((FunctionHead(began[start], began[at]), None) for start in _down([at], body - head))
        return list(found)

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
