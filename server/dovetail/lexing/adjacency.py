"""Adjacency: the terminals that may come right after a lexeme without running on into it.

Nearly always all terminals may, because blanks can come between. After a comment only a line end may. That decides
whether a text with a comment at its end is viable.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer
    from dovetail.lexing.modes import Likeness
    from dovetail.lexing.scanner import Scanner


class _Next(NamedTuple):
    """The lexemes that may begin behind one that is read by some automaton."""

    starts: dict[int, tuple[str, ...]]
    """State after the first character → one character of each kind that leads there."""
    meant: frozenset[int]
    """The terminals of these lexemes that mean something."""
    unseen: dict[int, list[int]]
    """The terminals of the others, which the parser never sees, each with the states that end as it."""


class Adjacency:
    """The adjacent terminals of one language, remembered."""

    def __init__(self, lexer: Lexer) -> None:
        self.lexer = lexer
        self._known: dict[tuple[int, int, int, bool], frozenset[int] | None] = {}
        # Nested brackets make many stacks, and those with the same modes on top read alike.
        self._alike: dict[tuple[int, int, int, bool, Likeness], frozenset[int] | None] = {}
        self._next: dict[tuple[int, bool, Likeness], _Next] = {}

    def after(self, stack: int, state: int, terminal: int, *, blank: bool) -> frozenset[int] | None:
        """Return the terminals that may follow a lexeme in a state that ends as a terminal.

        None stands for all terminals of the mode after it. `blank`: the line has no content before the lexeme, so a
        line end there means nothing.
        """
        key = (stack, state, terminal, blank)
        if key not in self._known:
            self._known[key] = self._find(stack, state, terminal, blank)
        return self._known[key]

    def characters(self, stack: int, terminal: int) -> tuple[str, ...]:
        """Return one character of each kind that may begin a lexeme in the mode after a terminal."""
        lexer = self.lexer
        before = lexer.scanners[lexer.modes.scanner_of[stack]]
        way = lexer.modes.known_transition(stack, terminal)
        assert way is not None, "a lexeme that was read left the modes known"
        scanner = lexer.scanners[lexer.modes.scanner_of[way.stack]]
        samples = {*before.automaton.samples, *scanner.automaton.samples} - {""}
        return tuple(character for character in sorted(samples) if scanner.steps[START][character] >= 0)

    def _find(self, stack: int, state: int, terminal: int, blank: bool) -> frozenset[int] | None:
        modes = self.lexer.modes
        way = modes.known_transition(stack, terminal)
        if way is None:
            return frozenset()
        if way.ends_line:
            return None
        key = (modes.scanner_of[stack], state, terminal, blank, modes.likeness(way.stack))
        if key not in self._alike:
            self._alike[key] = self._search(stack, state, terminal, way.stack, blank)
        return self._alike[key]

    def _search(self, stack: int, state: int, terminal: int, after: int, blank: bool) -> frozenset[int] | None:
        lexer = self.lexer
        before, scanner = (lexer.scanners[lexer.modes.scanner_of[each]] for each in (stack, after))
        starts, meant, unseen = self._next_of(stack, terminal, after, blank)
        ended = [(before, accepting) for accepting in before.reachable(state) if before.accepts[accepting] == terminal]
        found: set[int] = set()
        while ended:
            of, accepting = ended.pop()
            steps = of.steps[accepting]
            for target, characters in starts.items():
                fresh = scanner.becomes(target) - found
                # A character with a step would go on with the lexeme before it.
                if not fresh or all(steps[character] >= 0 for character in characters):
                    continue
                found |= fresh
                # A lexeme that the parser never sees comes between: the search goes on after it.
                for between in fresh & unseen.keys():
                    ended += [(scanner, other) for other in unseen[between]]
            if not found >= meant:
                found |= _fallen_back(of, accepting, scanner, starts, unseen)
        # Two stretches of blanks are one lexeme, so blanks never follow blanks. That restricts no program.
        return None if found >= meant else frozenset(found)

    def _next_of(self, stack: int, terminal: int, after: int, blank: bool) -> _Next:
        """Return what may begin in the mode `after` a terminal that was read on a stack."""
        lexer, modes = self.lexer, self.lexer.modes
        key = (modes.scanner_of[stack], blank, modes.likeness(after))
        if key not in self._next:
            scanner = lexer.scanners[modes.scanner_of[after]]
            starts: dict[int, list[str]] = defaultdict(list)
            for character in self.characters(stack, terminal):
                starts[scanner.steps[START][character]].append(character)
            everything = frozenset().union(*(scanner.becomes(target) for target in starts)) - lexer.compiled.errors
            unseen: dict[int, list[int]] = {each: [] for each in everything if self._means_nothing(after, each, blank)}
            for state, ends in enumerate(scanner.accepts):
                if ends in unseen:
                    unseen[ends].append(state)
            kinds = {target: tuple(characters) for target, characters in starts.items()}
            self._next[key] = _Next(kinds, everything - unseen.keys(), unseen)
        return self._next[key]

    def _means_nothing(self, stack: int, terminal: int, blank: bool) -> bool:
        return not all(way.is_seen(blank=blank) for way in self.lexer.modes.transitions(stack, terminal))


def _fallen_back(
    of: Scanner, accepting: int, scanner: Scanner, starts: dict[int, tuple[str, ...]], unseen: dict[int, list[int]]
) -> set[int]:
    """Return terminals that may follow although the lexeme before them takes in how they begin.

    A word that a blank may make part of a longer lexeme is the word all the same where nothing longer comes of it. What
    comes of it is told by the second character of what follows, or by the first one behind a character that the parser
    never sees.
    """
    found: set[int] = set()
    beginnings = [(accepting, -1)]
    for between in {state for states in unseen.values() for state in states} & starts.keys():
        beginnings += [(of.steps[accepting][character], between) for character in starts[between]]
    for at, between in beginnings:
        if at < 0 or (between >= 0 and of.accepts[at] >= 0):
            continue
        for target, characters in starts.items():
            for character in characters:
                over = of.steps[at][character]
                if between >= 0 and scanner.steps[between][character] >= 0:
                    continue
                if over < 0:
                    found |= scanner.becomes(target)
                elif of.accepts[over] < 0:
                    found |= _parted(of, over, scanner, target)
    return found


def _parted(of: Scanner, over: int, scanner: Scanner, begun: int) -> set[int]:
    """Return what a lexeme of one character is, or may become with a second, that ends the one before it."""
    ending = [each for each in scanner.automaton.samples if each and of.steps[over][each] < 0]
    targets = {scanner.steps[begun][each] for each in ending} - {-1}
    alone = {scanner.accepts[begun]} - {-1} if ending else set()
    return alone.union(*(scanner.becomes(target) for target in targets))
