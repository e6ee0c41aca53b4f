"""An automaton as it runs: transitions by character, and what each state may still become."""

from __future__ import annotations

import re
from functools import cache, cached_property
from typing import TYPE_CHECKING

from dovetail.automata.dfa import DEAD, START

if TYPE_CHECKING:
    from dovetail.automata.dfa import Automaton


class _Transitions(dict[str, int]):
    """Character → next state of one state; filled as characters are met, since there are a million of them."""

    __slots__ = ("_automaton", "_row")

    def __init__(self, automaton: Automaton, row: list[int]) -> None:
        super().__init__()
        self._automaton = automaton
        self._row = row

    def __missing__(self, character: str) -> int:
        target = self._row[self._automaton.class_of(character)]
        self[character] = target
        return target


class Scanner:
    """The terminals of one set of modes; a lexeme in progress is a state of it."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.accepts = automaton.accepts
        self.steps = [_Transitions(automaton, row) for row in automaton.rows]
        """State → character → next state, or DEAD."""
        self._reachable: dict[int, frozenset[int]] = {}
        self._becomes: dict[int, frozenset[int]] = {}
        self._partitions: dict[int, list[tuple[int, bool, list[int]]]] = {}
        self._spellings: dict[int, str | None] = {}
        self._runs: dict[int, re.Pattern[str] | None] = {}
        self._longest: dict[str, tuple[int, int]] = {}
        """What a lexeme may begin with, and one character more → its terminal and its length."""

    @cached_property
    def _successors(self) -> list[set[int]]:
        return [set(row) - {DEAD} for row in self.automaton.rows]

    def reachable(self, state: int) -> frozenset[int]:
        """Return the states that some text leads to from a state, itself included."""
        found = self._reachable.get(state)
        if found is None:
            seen = {state}
            work = [state]
            while work:
                fresh = self._successors[work.pop()] - seen
                seen |= fresh
                work += fresh
            found = self._reachable[state] = frozenset(seen)
        return found

    def becomes(self, state: int) -> frozenset[int]:
        """Return the terminals that a lexeme which stands in a state may end as."""
        found = self._becomes.get(state)
        if found is None:
            ends = {self.accepts[target] for target in self.reachable(state)}
            found = self._becomes[state] = frozenset(ends - {-1})
        return found

    def only_spelling(self, terminal: int) -> str | None:
        """Return the text of a terminal that is always spelled alike, None for any other."""
        if terminal not in self._spellings:
            self._spellings[terminal] = self._find_spelling(terminal)
        return self._spellings[terminal]

    def _find_spelling(self, terminal: int) -> str | None:
        automaton, state, text = self.automaton, START, ""
        while True:
            ways = [
                index
                for index, number in enumerate(automaton.edge_classes)
                if (target := automaton.rows[state][number]) >= 0 and terminal in self.becomes(target)
            ]
            if self.accepts[state] == terminal:
                return None if ways else text
            first = automaton.edges[ways[0]] if len(ways) == 1 else -1
            if first < 0 or automaton.edges[ways[0] + 1 : ways[0] + 2] != [first + 1]:
                return None
            text += chr(first)
            state = automaton.rows[state][automaton.edge_classes[ways[0]]]

    def partition(self, character: str) -> list[tuple[int, bool, list[int]]]:
        """Return the states other than START by where a character leads from them, less those where it leads nowhere.

        Each part is (next state, whether the states are those of a terminal, the states).
        """
        number = self.automaton.class_of(character)
        found = self._partitions.get(number)
        if found is None:
            parts: dict[tuple[int, bool], list[int]] = {}
            for state, row in enumerate(self.automaton.rows):
                if state != START and row[number] >= 0:
                    parts.setdefault((row[number], self.accepts[state] >= 0), []).append(state)
            found = self._partitions[number] = [(*part, states) for part, states in parts.items()]
        return found

    def run(self, state: int) -> re.Pattern[str] | None:
        """Return a pattern of characters that leave a state as it is: all of them, or those of ASCII if they are many.

        None where there are none of these.
        """
        if state not in self._runs:
            self._runs[state] = self._run(state)
        return self._runs[state]

    def _run(self, state: int) -> re.Pattern[str] | None:
        row = self.automaton.rows[state]
        automaton = self.automaton
        ranges: list[str] = []
        for index, first in enumerate(automaton.edges):
            if row[automaton.edge_classes[index]] != state:
                last = automaton.edges[index + 1] - 1 if index + 1 < len(automaton.edges) else 0x10FFFF
                ranges.append(f"\\U{first:08x}-\\U{last:08x}")
        if len(ranges) <= _MANY_RANGES:
            return _pattern(f"[^{''.join(ranges)}]*") if ranges else _pattern(r"[\s\S]*")
        staying = [f"\\x{code:02x}" for code in range(0x80) if row[automaton.class_of(chr(code))] == state]
        return _pattern(f"[{''.join(staying)}]*") if staying else None

    def longest(self, text: str, offset: int) -> tuple[int, int]:
        """Return the longest lexeme at an offset as (terminal, end), or (-1, offset).

        Most texts are the same few lexemes over and over, so what a stretch of letters, of blanks, or one other
        character begins is remembered together with the character after it, if nothing further was read.
        """
        beginning = beginning_at(text, offset)
        found = self._longest.get(beginning)
        if found is not None:
            return found[0], offset + found[1]
        terminal, end, read = self._read(START, text, offset)
        if read < len(beginning) and read < _LONG and len(self._longest) < _MANY_LEXEMES:
            self._longest[beginning] = terminal, end - offset
        return terminal, end

    def remembers(self, beginning: str) -> bool:
        """Return whether what this begins is known, whatever comes after it."""
        return beginning in self._longest

    def finish(
        self, state: int, text: str, offset: int, stretches: dict[tuple[int, int], int] | None = None
    ) -> tuple[int, int]:
        """Go on from a state over a text; return the last (terminal, end) accepted in it, or (-1, offset).

        `stretches` remembers how far which characters go in this text, for the many states that read on alike.
        """
        terminal, end, _ = self._read(state, text, offset, stretches)
        return terminal, end

    def _read(
        self, state: int, text: str, offset: int, stretches: dict[tuple[int, int], int] | None = None
    ) -> tuple[int, int, int]:
        """Return the last (terminal, end) accepted from a state on, and how many characters were taken."""
        steps = self.steps
        accepts = self.accepts
        runs = self._runs
        end, terminal, at = offset, -1, offset
        length = len(text)
        while at < length:
            target = steps[state][text[at]]
            if target < 0:
                break
            at += 1
            if target == state:
                run = runs[state] if state in runs else self.run(state)
                if run is not None:
                    key = id(run), at
                    known = None if stretches is None else stretches.get(key)
                    if known is None:
                        stretch = run.match(text, at)
                        known = at if stretch is None else stretch.end()
                        if stretches is not None:
                            stretches[key] = known
                    at = known
            state = target
            if accepts[state] >= 0:
                terminal, end = accepts[state], at
        return terminal, end, at - offset


_MANY_RANGES = 40  # a class of characters with more pieces than this is not worth a pattern
_pattern = cache(re.compile)  # equal ones are one object
_STRETCH = re.compile(r"(?:[A-Za-z0-9_]+| +|[^A-Za-z0-9_ ])[\s\S]?")
_LONG = 40  # lexemes of more characters are seldom met again
_MANY_LEXEMES = 20_000  # bounds what is remembered for a language


def beginning_at(text: str, offset: int) -> str:
    """Return letters and digits, or spaces, or one other character at an offset, with the character after them."""
    found = _STRETCH.match(text, offset)
    return found.group() if found is not None else ""
