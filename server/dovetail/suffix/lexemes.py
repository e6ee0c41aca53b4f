"""Single lexemes of a right context, read in all modes of a branch at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.automata.dfa import START

if TYPE_CHECKING:
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
            terminal, end = self._lexeme(modes.scanner_of[stack], offset)
            return [] if terminal < 0 else [(stack, terminal, end)]
        automata = self._automata.get(stack)
        if automata is None:
            by_automaton = modes.by_automaton(stack)
            automata = self._automata[stack] = [(key, tuple(numbers)) for key, numbers in by_automaton.items()]
        groups: dict[tuple[int, int], tuple[int, ...]] = {}
        for automaton, numbers in automata:
            read = self._lexeme(automaton, offset)
            # Modes that read the same lexeme stay one branch: they cannot be told apart yet.
            groups[read] = (*groups[read], *numbers) if read in groups else numbers
        return [
            (stack if len(groups) == 1 else modes.push(tuple(sorted(numbers)), below), terminal, end)
            for (terminal, end), numbers in groups.items()
            if terminal >= 0
        ]

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
