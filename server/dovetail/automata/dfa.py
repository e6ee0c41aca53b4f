"""The deterministic automaton of all terminals of a mode: the longest match wins, then the best rank.

Thompson's construction turns the patterns into a nondeterministic automaton. The subset construction makes it
deterministic, and `minimisation` makes it the smallest one. States that lead to no acceptance are removed, so a missing
transition means that no terminal continues with the character.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.automata import characters
from dovetail.automata.characters import Classes, Ranges
from dovetail.automata.minimisation import DEAD as DEAD
from dovetail.automata.minimisation import START as START
from dovetail.automata.minimisation import minimise
from dovetail.automata.patterns import Alternation, Characters, Pattern, PatternError, Repetition, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_MOST = 20_000  # states; Python's largest automaton has some hundreds, and (a|b)*a(a|b){20} would have a million
_MOST_PIECES = 200_000  # states before they are made deterministic: a{1000000} has a million


@dataclass(frozen=True, slots=True)
class Automaton:
    """A deterministic automaton over classes of characters; state 0 is the start and accepts nothing."""

    edges: list[int]
    """The first code point of each run of characters of one class, ascending."""
    edge_classes: list[int]
    """Run → class."""
    rows: list[list[int]]
    """State → class → next state, or DEAD."""
    accepts: list[int]
    """State → the terminal that matches the text read so far, or -1."""
    samples: list[str]
    """Class → the character that represents it in generated text."""

    def class_of(self, character: str) -> int:
        """Return the class of a character."""
        return self.edge_classes[bisect_right(self.edges, ord(character)) - 1]


def build_automaton(patterns: Mapping[int, Pattern], alphabet: Ranges = characters.EVERY) -> Automaton:
    """Return the automaton of terminals (in order of rank, best first) over the characters of an alphabet.

    Raises PatternError for an automaton that is larger than any language needs.
    """
    allowed: dict[Ranges, Ranges] = {}
    for pattern in patterns.values():
        _collect(pattern, alphabet, allowed)
    classes = Classes([*allowed.values(), alphabet])
    graph = _Graph({ranges: classes.within(kept) for ranges, kept in allowed.items()})
    ends: dict[int, int] = {}
    starts: list[int] = []
    for terminal, pattern in patterns.items():
        start = graph.state()
        ends[graph.add(pattern, start)] = terminal
        starts.append(start)
    rank = {terminal: index for index, terminal in enumerate(patterns)}
    rows, accepts = _determinise(graph, starts, ends, rank, classes.count)
    rows, accepts = minimise(*_trim(rows, accepts))
    runs = sorted((first, number) for number, span in enumerate(classes.ranges) for first, _ in span)
    return Automaton(
        edges=[first for first, _ in runs],
        edge_classes=[number for _, number in runs],
        rows=rows,
        accepts=accepts,
        samples=[_sample(span) for span in classes.ranges],
    )


def _collect(pattern: Pattern, alphabet: Ranges, allowed: dict[Ranges, Ranges]) -> None:
    match pattern:
        case Characters(ranges):
            if ranges not in allowed:
                allowed[ranges] = characters.intersection(ranges, alphabet)
        case Sequence(parts) | Alternation(parts):
            for part in parts:
                _collect(part, alphabet, allowed)
        case Repetition(part):
            _collect(part, alphabet, allowed)


def _sample(ranges: Ranges) -> str:
    """Return the plainest character of a set: a letter, a digit, then anything printable, else the first."""
    for candidate in "xaefnt0128 \n\"'#_-+.,:;=<>()[]{}!/*%&|^~@$?`\\\t\r\f":
        if characters.contains(ranges, ord(candidate)):
            return candidate
    for first, last in ranges:
        for code in range(first, min(last, first + 95) + 1):
            if chr(code).isprintable():
                return chr(code)
    return chr(ranges[0][0]) if ranges else ""


class _Graph:
    """The nondeterministic automaton under construction."""

    def __init__(self, classes: Mapping[Ranges, list[int]]) -> None:
        self.classes = classes
        self.free: list[list[int]] = []  # state → states reached without reading
        self.step: list[tuple[list[int], int] | None] = []  # state → classes, next state

    def state(self) -> int:
        if len(self.free) >= _MOST_PIECES:
            raise PatternError(f"its repetitions, written out, have more than {_MOST_PIECES:,} parts")
        self.free.append([])
        self.step.append(None)
        return len(self.free) - 1

    def add(self, pattern: Pattern, start: int) -> int:
        """Add a pattern after a state and return the state that it ends in."""
        match pattern:
            case Characters(ranges):
                end = self.state()
                self.step[start] = (self.classes[ranges], end)
                after = self.state()  # apart, because a state has one reading step at most
                self.free[end].append(after)
                return after
            case Sequence(parts):
                for part in parts:
                    start = self.add(part, start)
                return start
            case Alternation(parts):
                end = self.state()
                for part in parts:
                    begin = self.state()
                    self.free[start].append(begin)
                    self.free[self.add(part, begin)].append(end)
                return end
            case Repetition(part, least, most):
                for _ in range(least):
                    start = self.add(part, start)
                end = self.state()
                if most is None:
                    begin = self.state()
                    self.free[start].append(begin)
                    self.free[self.add(part, begin)].append(begin)
                    self.free[begin].append(end)
                else:
                    self.free[start].append(end)
                    for _ in range(most - least):
                        begin = self.state()
                        self.free[start].append(begin)
                        start = self.add(part, begin)
                        self.free[start].append(end)
                return end
        raise AssertionError(pattern)

    def closure(self, states: Iterable[int], ends: Mapping[int, int]) -> frozenset[int]:
        """Return the states that are reached from `states` without reading, and at which something is read or ends."""
        seen = set(states)
        work = list(seen)
        while work:
            for after in self.free[work.pop()]:
                if after not in seen:
                    seen.add(after)
                    work.append(after)
        return frozenset(state for state in seen if self.step[state] is not None or state in ends)


def _determinise(
    graph: _Graph, starts: list[int], ends: Mapping[int, int], rank: Mapping[int, int], width: int
) -> tuple[list[list[int]], list[int]]:
    first = graph.closure(starts, ends)
    numbers: dict[frozenset[int], int] = {}  # The start has no entry: no transition leads back to it.
    order = [first]
    rows: list[list[int]] = []
    accepts: list[int] = []
    steps: dict[int, tuple[list[int], frozenset[int]]] = {}  # state → classes, the states after it
    closures: dict[int, frozenset[int]] = {}
    for state, step in enumerate(graph.step):
        if step is not None:
            classes, after = step
            if after not in closures:
                closures[after] = graph.closure([after], ends)
            steps[state] = classes, closures[after]
    nothing: frozenset[int] = frozenset()
    for states in order:
        if len(order) > _MOST:
            raise PatternError(f"the automaton needs more than {_MOST:,} states")
        ended = [ends[state] for state in states if state in ends]
        accepts.append(min(ended, key=rank.__getitem__) if ended else -1)
        targets = [nothing] * width
        for state in states:
            if state in steps:
                classes, following = steps[state]
                for number in classes:
                    known = targets[number]
                    targets[number] = known | following if known else following
        row = [DEAD] * width
        for number, target in enumerate(targets):
            if target:
                if target not in numbers:
                    numbers[target] = len(order)
                    order.append(target)
                row[number] = numbers[target]
        rows.append(row)
    return rows, accepts


def _trim(rows: list[list[int]], accepts: list[int]) -> tuple[list[list[int]], list[int]]:
    """Drop the transitions to states from which nothing is ever accepted."""
    before: list[set[int]] = [set() for _ in rows]
    for state, row in enumerate(rows):
        for target in row:
            if target != DEAD:
                before[target].add(state)
    alive = {state for state, terminal in enumerate(accepts) if terminal >= 0}
    work = list(alive)
    while work:
        for state in before[work.pop()]:
            if state not in alive:
                alive.add(state)
                work.append(state)
    return [[target if target in alive else DEAD for target in row] for row in rows], accepts
