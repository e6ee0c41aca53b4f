"""The scanner: an automaton as it runs, with transitions by character and the terminals that each state can reach."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, cached_property
from typing import TYPE_CHECKING

from dovetail.automata.dfa import DEAD, START

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.automata.dfa import Automaton


class _Transitions(dict[str, int]):
    """Character → next state, for one state.

    An entry is made when its character is first met, because there are a million characters.
    """

    __slots__ = ("_automaton", "_row")

    def __init__(self, automaton: Automaton, row: list[int]) -> None:
        super().__init__()
        self._automaton = automaton
        self._row = row

    def __missing__(self, character: str) -> int:
        target = self._row[self._automaton.class_of(character)]
        self[character] = target
        return target


Lexeme = tuple[int, int]
"""A terminal and the offset of its end."""


class Scanners(dict[int, "Scanner"]):
    """Number of an automaton → its scanner, made when it is first asked for: to load a language takes one at most."""

    __slots__ = ("_automata",)

    def __init__(self, automata: Sequence[Automaton]) -> None:
        super().__init__()
        self._automata = automata

    def __missing__(self, number: int) -> Scanner:
        # One scanner for each number, also if two threads ask: equal patterns of one scanner are compared by identity.
        return self.setdefault(number, Scanner(self._automata[number]))

    def __len__(self) -> int:
        return len(self._automata)

    def every(self) -> list[Scanner]:
        """Return all scanners in the order of their numbers."""
        return [self[number] for number in range(len(self._automata))]


class Scanner:
    """The automaton of one set of modes. A lexeme in progress is one of its states."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.accepts = automaton.accepts
        self.steps = [_Transitions(automaton, row) for row in automaton.rows]
        """State → character → next state, or DEAD."""
        self._reachable: dict[int, frozenset[int]] = {}
        self._becomes: dict[int, frozenset[int]] = {}
        self._ends: dict[int, int] = {}
        """State → `becomes`, as the bits of a number."""
        self._sets: dict[int, frozenset[int]] = {}
        """Such numbers → their sets, one object for each."""
        self._partitions: dict[int, list[tuple[int, bool, list[int]]]] = {}
        self._spellings: dict[int, str | None] = {}
        self._runs: dict[int, re.Pattern[str] | None] = {}
        self._longest: dict[str, tuple[int, int]] = {}
        """A beginning (`beginning_at`) → (terminal, length) of the longest lexeme there."""
        self.advances: dict[str, tuple[dict[tuple[int, Lexeme], list[int]], dict[Lexeme, list[int]]]] = {}
        """The first characters of a text → what becomes of all states over them (`suffix/outcomes.py`)."""

    @cached_property
    def _successors(self) -> list[set[int]]:
        return [set(row) - {DEAD} for row in self.automaton.rows]

    @cached_property
    def _run_counts(self) -> Counter[int]:
        """Class → the number of runs of its characters."""
        return Counter(self.automaton.edge_classes)

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
        """Return the terminals that a lexeme in a state may still end as."""
        found = self._becomes.get(state)
        if found is None:
            found = self._becomes[state] = self._terminals_of(self._ends_after(state))
        return found

    def _ends_after(self, first: int) -> int:
        """Return the terminals that a lexeme in a state may still end as, as the bits of a number.

        They are found for all states after it too, each visited once, in the order of Tarjan's algorithm (1972): states
        that lead to one another end alike.
        """
        known, successors, accepts = self._ends, self._successors, self.accepts
        place: dict[int, int] = {}  # state → when it was first visited
        lowest: dict[int, int] = {}  # state → the first visited of the unfinished states that it leads to
        unfinished: list[int] = []
        path = [] if first in known else [(first, iter(successors[first]))]
        while path:
            state, ways = path[-1]
            if state not in place:
                place[state] = lowest[state] = len(place)
                unfinished.append(state)
            for target in ways:
                if target in place and target not in known:
                    lowest[state] = min(lowest[state], lowest[target])
                elif target not in known:
                    path.append((target, iter(successors[target])))
                    break
            else:
                path.pop()
                if path:
                    below = path[-1][0]
                    lowest[below] = min(lowest[below], lowest[state])
                if lowest[state] == place[state]:
                    at = unfinished.index(state)
                    alike = unfinished[at:]
                    del unfinished[at:]
                    ends = 0
                    for member in alike:
                        ends |= 1 << accepts[member] if accepts[member] >= 0 else 0
                        for target in successors[member]:
                            ends |= known.get(target, 0)
                    known.update(dict.fromkeys(alike, ends))
        return known[first]

    def _terminals_of(self, ends: int) -> frozenset[int]:
        found = self._sets.get(ends)
        if found is None:
            bits = f"{ends:b}"[::-1]
            found = self._sets[ends] = frozenset(number for number, bit in enumerate(bits) if bit == "1")
        return found

    def delimited(self, errors: frozenset[int]) -> list[bool]:
        """Return for each state whether a lexeme there may go on for any length and become no terminal meanwhile.

        Strings and block comments do until their closing delimiter comes. Numbers and operators do not: they are
        terminals again after a character or two. A lexeme that can only become one of `errors` does not either.
        """
        inside = [
            state != START and (terminal < 0 or terminal in errors) and not self.becomes(state) <= errors
            for state, terminal in enumerate(self.accepts)
        ]
        # Without end means round a circle of such states. What leads to no circle is taken away until nothing more is.
        left = {state for state, is_inside in enumerate(inside) if is_inside}
        shrank = True
        while shrank:
            kept = {state for state in left if not self._successors[state].isdisjoint(left)}
            shrank, left = len(kept) < len(left), kept
        return [state in left for state in range(len(inside))]

    @cached_property
    def comes_to_nothing(self) -> list[bool]:
        """State → whether a text leads from it to where no lexeme goes on, without being a terminal on the way.

        A comment that is begun never does, so a lexeme that has one in it cannot be what it was before the comment.
        """
        # No text has halves of characters, which most terminals do not know.
        written = [number for number, sample in enumerate(self.automaton.samples) if not "\ud800" <= sample < "\ue000"]
        lost = [any(row[number] == DEAD for number in written) for row in self.automaton.rows]
        unaccepted = [{each for each in after if self.accepts[each] < 0} for after in self._successors]
        grew = True
        while grew:
            more = [any(lost[each] for each in after) or lost[state] for state, after in enumerate(unaccepted)]
            grew, lost = more != lost, more
        return lost

    def only_spelling(self, terminal: int) -> str | None:
        """Return the text of a terminal that has only one, or None for any other terminal."""
        if terminal not in self._spellings:
            self._spellings[terminal] = self._find_spelling(terminal)
        return self._spellings[terminal]

    def _find_spelling(self, terminal: int) -> str | None:
        if self.accepts.count(terminal) != 1:
            return None  # Every state has a text that leads to it, and to no other.
        automaton, state, text = self.automaton, START, ""
        while True:
            # By classes: letters alone are a thousand runs of characters, of a few classes.
            ways = [
                number
                for number, target in enumerate(automaton.rows[state])
                if target >= 0 and terminal in self.becomes(target)
            ]
            if self.accepts[state] == terminal:
                return None if ways else text
            if len(ways) != 1 or automaton.edge_classes.count(ways[0]) != 1:
                return None
            run = automaton.edge_classes.index(ways[0])
            first = automaton.edges[run]
            if automaton.edges[run + 1 : run + 2] != [first + 1]:
                return None
            text += chr(first)
            state = automaton.rows[state][ways[0]]

    def partition(self, character: str) -> list[tuple[int, bool, list[int]]]:
        """Return the states other than START that a character leads on from, grouped by the next state.

        Each group is (next state, whether its states are accepting, the states).
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
        """Return a pattern for the characters that lead from a state to itself, or None if there are none.

        The pattern may leave some of these characters out: a class of many ranges keeps only those of ASCII.
        """
        if state not in self._runs:
            self._runs[state] = self._run(state)
        return self._runs[state]

    def _run(self, state: int) -> re.Pattern[str] | None:
        row = self.automaton.rows[state]
        automaton = self.automaton
        left_by = {number for number, target in enumerate(row) if target != state}
        if sum(self._run_counts[number] for number in left_by) <= _MANY_RANGES:
            ends = [*automaton.edges[1:], 0x110000]
            spans = [index for index, number in enumerate(automaton.edge_classes) if number in left_by]
            written = "".join(f"\\U{automaton.edges[index]:08x}-\\U{ends[index] - 1:08x}" for index in spans)
            return _pattern(f"[^{written}]*") if spans else _pattern(r"[\s\S]*")
        staying = [f"\\x{code:02x}" for code in range(0x80) if row[automaton.class_of(chr(code))] == state]
        return _pattern(f"[{''.join(staying)}]*") if staying else None

    def longest(self, text: str, offset: int) -> tuple[int, int]:
        """Return the longest lexeme at an offset as (terminal, end), or (-1, offset) if there is none.

        Most texts repeat a few lexemes, so answers are remembered by the beginning of the lexeme (`beginning_at`).
        """
        beginning = beginning_at(text, offset)
        found = self._longest.get(beginning)
        if found is not None:
            return found[0], offset + found[1]
        terminal, end, read = self._read(START, text, offset)
        # The answer holds after any text only if the automaton stopped inside the beginning.
        if read < len(beginning) and read < _LONG and len(self._longest) < _MANY_LEXEMES:
            self._longest[beginning] = terminal, end - offset
        return terminal, end

    def remembers(self, beginning: str) -> bool:
        """Return whether the lexeme that begins like this is remembered."""
        return beginning in self._longest

    def finish(
        self, state: int, text: str, offset: int, stretches: dict[tuple[int, int], int] | None = None
    ) -> tuple[int, int]:
        """Read on from a state over a text; return the last (terminal, end) accepted, or (-1, offset) if there is none.

        `stretches` remembers the ends of long stretches in this text, as many states read on alike.
        It maps (identity of a pattern of `run`, offset) to the end of the match.
        """
        terminal, end, _ = self._read(state, text, offset, stretches)
        return terminal, end

    def standing(self, state: int, text: str, offset: int) -> int:
        """Return the state after the rest of a text from a state on; DEAD if the lexeme ends before the text does."""
        if state == START and beginning_at(text, offset) in self._longest:
            return DEAD  # What is remembered ended within its beginning, whatever followed.
        steps, length = self.steps, len(text)
        while offset < length:
            target = steps[state][text[offset]]
            if target < 0:
                return DEAD
            offset += 1
            if target == state:
                run = self.run(state)
                stretch = run.match(text, offset) if run is not None else None
                offset = stretch.end() if stretch is not None else offset
            state = target
        return state

    def _read(
        self, state: int, text: str, offset: int, stretches: dict[tuple[int, int], int] | None = None
    ) -> tuple[int, int, int]:
        """Return the last (terminal, end) accepted from a state on, and the number of characters read."""
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
                    # Equal patterns are one object (`_pattern`), and a scanner never drops one: the identity is a key.
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


_MANY_RANGES = 40  # A class of more ranges than this gets no pattern of its own.
_pattern = cache(re.compile)  # Equal patterns are one object.
_STRETCH = re.compile(r"(?:[A-Za-z0-9_]+| +|[^A-Za-z0-9_ ])[\s\S]?")
_LONG = 40  # Lexemes of more characters seldom occur again.
_MANY_LEXEMES = 20_000  # The greatest number of lexemes remembered for a scanner.


def beginning_at(text: str, offset: int) -> str:
    """Return a run of letters and digits, a run of spaces, or one other character, and the character after it.

    >>> beginning_at("value = 1", 0)
    'value '
    """
    found = _STRETCH.match(text, offset)
    return found.group() if found is not None else ""
