"""Adjacency: the terminals that may come right after a lexeme without running on into it.

Nearly always all terminals may, because blanks can come between. After a comment only a line end may. That decides
whether a text with a comment at its end is viable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer


class Adjacency:
    """The adjacent terminals of one language, remembered."""

    def __init__(self, lexer: Lexer) -> None:
        self.lexer = lexer
        self._known: dict[tuple[int, int, int, bool], frozenset[int] | None] = {}

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
        lexer = self.lexer
        before = lexer.scanners[lexer.modes.scanner_of[stack]]
        way = lexer.modes.known_transition(stack, terminal)
        if way is None:
            return frozenset()
        if way.ends_line:
            return None
        after_stack = way.stack
        scanner = lexer.scanners[lexer.modes.scanner_of[after_stack]]
        starts = {character: scanner.steps[START][character] for character in self.characters(stack, terminal)}
        everything = frozenset().union(*(scanner.becomes(target) for target in starts.values()))
        ended = [(before, accepting) for accepting in before.reachable(state) if before.accepts[accepting] == terminal]
        found: set[int] = set()
        seen: set[int] = set()
        while ended:
            of, accepting = ended.pop()
            for character, target in starts.items():
                if of.steps[accepting][character] >= 0:
                    continue  # The character would go on with the lexeme before it.
                for following in scanner.becomes(target) - found:
                    found.add(following)
                    # A lexeme that the parser never sees comes between: the search goes on after it.
                    if self._means_nothing(after_stack, following, blank) and following not in seen:
                        seen.add(following)
                        ended += [(scanner, other) for other, ends in enumerate(scanner.accepts) if ends == following]
        # Two stretches of blanks are one lexeme, so blanks never follow blanks. That restricts no program.
        meant = {other for other in everything if not self._means_nothing(after_stack, other, blank)}
        return None if found >= meant else frozenset(found)

    def _means_nothing(self, stack: int, terminal: int, blank: bool) -> bool:
        return not all(way.is_seen(blank=blank) for way in self.lexer.modes.transitions(stack, terminal))
