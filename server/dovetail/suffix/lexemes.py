"""Single lexemes of a right context, read in all modes of a branch at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail.lexing.lexer import Lexer

_RECENT = 4_096  # Lexemes that are remembered: branches read the same ones at about the same time.


class Lexemes:
    """Reads single lexemes of a text."""

    def __init__(self, lexer: Lexer, text: str) -> None:
        self.lexer = lexer
        self.text = text
        self._recent: dict[tuple[int, int], tuple[int, int]] = {}
        self._automata: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
        """Mode stack → [(automaton, the modes on top that it reads)], for stacks with several modes on top."""

    def at(self, stack: int, offset: int) -> list[tuple[int, int, int]]:
        """Return the lexemes at an offset as (mode stack, terminal, end).

        Modes that read different lexemes become stacks of their own; modes that refuse the text are left out.
        """
        modes = self.lexer.modes
        tops, below = modes.entries[stack]
        # Most branches are in one mode after their first lines.
        if len(tops) == 1:
            read = self._lexemes(modes.scanner_of[stack], offset)
            return [(stack, terminal, end) for terminal, end in read if terminal >= 0]
        automata = self._automata.get(stack)
        if automata is None:
            by_automaton = modes.by_automaton(stack)
            automata = self._automata[stack] = [(key, tuple(numbers)) for key, numbers in by_automaton.items()]
        groups: dict[tuple[int, int], tuple[int, ...]] = {}
        for automaton, numbers in automata:
            for way in self._lexemes(automaton, offset):
                # Modes that read the same lexeme stay one branch: they cannot be told apart yet.
                groups[way] = (*groups[way], *numbers) if way in groups else numbers
        return [
            (stack if len(groups) == 1 else modes.push(tuple(sorted(numbers)), below), terminal, end)
            for (terminal, end), numbers in groups.items()
            if terminal >= 0
        ]

    def _lexemes(self, automaton: int, offset: int) -> Iterable[tuple[int, int]]:
        """Return the lexemes that may be read at an offset as (terminal, end): one, where the text is whole."""
        return (self._lexeme(automaton, offset),)

    def _lexeme(self, automaton: int, offset: int) -> tuple[int, int]:
        """Return `longest`, remembered."""
        key = (automaton, offset)
        found = self._recent.get(key)
        if found is None:
            # All at once: branches move on through the text, so what is forgotten is seldom asked for again.
            if len(self._recent) > _RECENT:
                self._recent.clear()
            found = self._recent[key] = self.longest(automaton, offset)
        return found

    def begins_content(self, stack: int, offset: int) -> bool:
        """Return whether the character at an offset begins the content of its line."""
        scanner = self.lexer.scanners[self.lexer.modes.scanner_of[stack]]
        return scanner.steps[START][self.text[offset]] in self.lexer.content

    def longest(self, automaton: int, offset: int) -> tuple[int, int]:
        """Return the longest lexeme at an offset as (terminal, end); terminal -1 if no lexeme is read, or an error."""
        terminal, end = self.lexer.scanners[automaton].longest(self.text, offset)
        return (-1 if terminal in self.lexer.compiled.errors else terminal, end)


class OpenLexemes(Lexemes):
    """Reads single lexemes of a text after which anything may follow.

    A lexeme that reads up to the end of the text may go on after it. It is then each terminal that it may become. It
    may also end where it was last a terminal, if what follows does not go on with it.
    """

    def __init__(self, lexer: Lexer, text: str) -> None:
        super().__init__(lexer, text)
        self._open: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}

    def longest(self, automaton: int, offset: int) -> tuple[int, int]:
        """Return the lexeme at an offset as (terminal, end); terminal -1 also where there are several."""
        read = self._lexemes(automaton, offset)
        return read[0] if len(read) == 1 and read[0][1] < len(self.text) else (-1, offset)

    def _lexemes(self, automaton: int, offset: int) -> tuple[tuple[int, int], ...]:
        key = (automaton, offset)
        found = self._open.get(key)
        if found is None:
            found = self._open[key] = self._find(automaton, offset)
        return found

    def _find(self, automaton: int, offset: int) -> tuple[tuple[int, int], ...]:
        scanner, text = self.lexer.scanners[automaton], self.text
        ended = super().longest(automaton, offset)
        standing = scanner.standing(START, text, offset)
        if standing < 0:
            return (ended,)
        going_on = sorted(scanner.becomes(standing) - self.lexer.compiled.errors)
        found = tuple((terminal, len(text)) for terminal in going_on)
        # Longest match decides between two ends. So an earlier end counts only if the lexeme need not go on.
        return found if ended[0] < 0 or ended in found else (ended, *found)
