"""Which terminals may come right after a lexeme: those that do not run on into it.

Nearly always all of them, since blanks come between. After a comment only the end of the line does, and that
decides whether a text with a comment at its end is viable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer


class Adjacency:
    """Answers for one language, remembered."""

    def __init__(self, lexer: Lexer) -> None:
        self.lexer = lexer
        self._known: dict[tuple[int, int, int, bool], frozenset[int] | None] = {}

    def after(self, stack: int, state: int, terminal: int, *, blank: bool) -> frozenset[int] | None:
        """Return the terminals that may follow a lexeme that stands in a state and ends as a terminal.

        None means all that the mode after it knows. `blank`: the line has no content, so its end means nothing.
        """
        key = (stack, state, terminal, blank)
        if key not in self._known:
            self._known[key] = self._find(stack, state, terminal, blank)
        return self._known[key]

    def characters(self, stack: int, terminal: int) -> tuple[str, ...]:
        """Return characters that may begin something in the mode after a terminal, one of each kind."""
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
                    continue
                for following in scanner.becomes(target) - found:
                    found.add(following)
                    if self._means_nothing(after_stack, following, blank) and following not in seen:
                        seen.add(following)
                        ended += [(scanner, other) for other, ends in enumerate(scanner.accepts) if ends == following]
        # That one stretch of blanks does not follow another is no restriction.
        meant = {other for other in everything if not self._means_nothing(after_stack, other, blank)}
        return None if found >= meant else frozenset(found)

    def _means_nothing(self, stack: int, terminal: int, blank: bool) -> bool:
        return not all(way.is_seen(blank=blank) for way in self.lexer.modes.transitions(stack, terminal))
