"""Spelling: the shortest text of each terminal, and the shortest separator between two lexemes."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer
    from dovetail.lexing.scanner import Scanner

Ending = tuple[int, int]
"""The end of a lexeme: (mode stack in which it was read, state of its automaton)."""

# Of texts of the same length the plainest is offered: `x` or `0`, and not a control character.
_PLAIN = {character: rank for rank, character in enumerate("xaefnt0128 \n\"'")}


class ShortestTexts:
    """The shortest texts between the states of one automaton."""

    def __init__(self, scanner: Scanner) -> None:
        automaton = scanner.automaton
        self._rows, self._samples = automaton.rows, automaton.samples
        # The surrogates may be a class of characters that no terminal knows. They have no encoding but this one.
        self._costs = [
            (len(sample.encode("utf-8", "surrogatepass")), _PLAIN.get(sample, len(_PLAIN)))
            for sample in automaton.samples
        ]
        self._dearest_first = sorted(range(len(self._costs)), key=lambda number: (self._costs[number], number))[::-1]
        self._steps: dict[int, list[tuple[int, int, int, str]]] = {}

    def from_state(self, start: int) -> dict[int, str]:
        """Return state → the shortest text, in UTF-8 bytes, that leads there from another state."""
        texts: dict[int, str] = {}
        best: dict[int, tuple[int, int]] = {start: (0, 0)}
        agenda: list[tuple[int, int, int, str]] = [(0, 0, start, "")]
        while agenda:
            cost, rank, state, text = heapq.heappop(agenda)
            # The first text that is popped for a state is its shortest (Dijkstra).
            if state in texts:
                continue
            texts[state] = text
            for target, length, plain, sample in self._steps_of(state):
                further = cost + length, rank + plain
                if target not in best or further < best[target]:
                    best[target] = further
                    heapq.heappush(agenda, (*further, target, text + sample))
        return texts

    def _steps_of(self, state: int) -> list[tuple[int, int, int, str]]:
        """Return the states after one character, each with the cheapest one: its bytes, its rank and itself."""
        found = self._steps.get(state)
        if found is None:
            row = self._rows[state]
            # The last one to be put in a dict stays in it.
            cheapest = {row[number]: number for number in self._dearest_first}
            found = [
                (target, *self._costs[number], self._samples[number])
                for target, number in cheapest.items()
                if target >= 0
            ]
            self._steps[state] = found
        return found


class Spelling:
    """The spellings of one language, remembered."""

    def __init__(self, lexer: Lexer, words: list[dict[int, str]] | None = None) -> None:
        """`words`: those of another run, if they are known (`kept_texts.py`)."""
        self.lexer = lexer
        self._texts: dict[tuple[int, int], dict[int, str]] = {}
        self._automata: dict[int, ShortestTexts] = {}
        self.words = [self._words_of(number) for number in range(len(lexer.scanners))] if words is None else words
        """Automaton of a mode → terminal → its shortest spelling there."""
        self._ignorable: dict[int, list[str]] = {}
        self._following: dict[tuple[int, int], bool] = {}
        self.texts = [self._first_word(terminal) for terminal in range(lexer.compiled.productions.terminal_count)]
        """Terminal → its shortest spelling in the first mode that knows it; empty for those of layout and END."""

    def _first_word(self, terminal: int) -> str:
        return next((words[terminal] for words in self.words if terminal in words), "")

    def texts_from(self, automaton: int, state: int) -> dict[int, str]:
        """Return state → the shortest text that leads there from a state of an automaton."""
        key = (automaton, state)
        if key not in self._texts:
            if automaton not in self._automata:
                self._automata[automaton] = ShortestTexts(self.lexer.scanners[automaton])
            self._texts[key] = self._automata[automaton].from_state(state)
        return self._texts[key]

    def _words_of(self, automaton: int) -> dict[int, str]:
        accepts = self.lexer.scanners[automaton].accepts
        words: dict[int, str] = {}
        for state, text in self.texts_from(automaton, START).items():  # the shortest first
            if accepts[state] >= 0:
                words.setdefault(accepts[state], text)
        return words

    def word(self, stack: int, terminal: int) -> str | None:
        """Return the shortest spelling of a terminal on a mode stack, or None if its modes do not know it."""
        return self.words[self.lexer.modes.scanner_of[stack]].get(terminal)

    def may_follow(self, last: int, first: int) -> bool:
        """Return whether a terminal can be read in a mode in which a text may be right after another terminal."""
        known = self._following.get((last, first))
        if known is None:
            modes = self.lexer.modes.automata_after(last)
            # No mode reads the terminals of layout, which have no spelling.
            known = modes is None or not self.texts[first] or any(first in self.words[mode] for mode in modes)
            self._following[last, first] = known
        return known

    def word_beside(self, ending: Ending, stack: int, terminal: int) -> str | None:
        """Return the shortest spelling of a terminal that may stand right after a lexeme, or None."""
        automaton = self.lexer.modes.scanner_of[stack]
        scanner = self.lexer.scanners[automaton]
        words = (
            first + text
            for first in scanner.automaton.samples
            if first and (target := scanner.steps[START][first]) >= 0 and not self.runs_on(ending, first)
            for state, text in self.texts_from(automaton, target).items()
            if scanner.accepts[state] == terminal
        )
        return min(words, key=lambda word: (_length(word), word), default=None)

    def ending(self, stack: int, terminal: int) -> Ending:
        """Return the end of the shortest spelling of a terminal."""
        word = self.word(stack, terminal)
        assert word is not None
        return self.ending_of(stack, word)

    def ending_of(self, stack: int, word: str) -> Ending:
        """Return the end of a lexeme."""
        scanner = self.lexer.scanners[self.lexer.modes.scanner_of[stack]]
        state = START
        for character in word:
            state = scanner.steps[state][character]
        return stack, state

    def runs_on(self, ending: Ending, text: str) -> bool:
        """Return whether a lexeme would go on into a text, so that the two must be kept apart."""
        stack, state = ending
        steps = self.lexer.scanners[self.lexer.modes.scanner_of[stack]].steps
        if not text:
            return False
        # One character decides: the longest match goes on as long as there is a step.
        return steps[state][text[0]] >= 0

    def _takes_in(self, ending: Ending, text: str) -> bool:
        """Return whether a lexeme would become a longer one with a text, or might with what follows it.

        A name with a blank behind it may begin a label, and is a name all the same where no colon comes.
        """
        stack, state = ending
        scanner = self.lexer.scanners[self.lexer.modes.scanner_of[stack]]
        for character in text:
            state = scanner.steps[state][character]
            if state < 0 or scanner.accepts[state] >= 0:
                break
        return state >= 0

    def separator(self, ending: Ending, after: int, text: str) -> str | None:
        """Return the shortest text that keeps a lexeme apart from a text, or None if no text does.

        `after`: the mode stack between the two.
        """
        if not self.runs_on(ending, text):
            return ""
        scanner = self.lexer.scanners[self.lexer.modes.scanner_of[after]]
        # Shortest first. A blank is no separator where the lexeme takes it in, as a comment does.
        for ignored in self._ignored(after):
            if self._takes_in(ending, ignored + text):
                continue
            # The separator may go on over blanks of the text, but over nothing else.
            end = scanner.finish(START, ignored + text, 0)[1] if text else len(ignored)
            if end >= len(ignored) and not text[: end - len(ignored)].strip():
                return ignored
        return None

    def _ignored(self, stack: int) -> list[str]:
        """Return the shortest ignored lexeme for each first character, shortest first."""
        if stack not in self._ignorable:
            automaton = self.lexer.modes.scanner_of[stack]
            ignored = self.lexer.modes.modes[self.lexer.modes.entries[stack][0][0]].ignored
            scanner = self.lexer.scanners[automaton]
            words = [
                first + text
                for first in scanner.automaton.samples
                if first and (target := scanner.steps[START][first]) >= 0
                for state, text in self.texts_from(automaton, target).items()
                if scanner.accepts[state] in ignored
            ]
            self._ignorable[stack] = sorted(
                dict.fromkeys(words), key=lambda word: (_length(word), _PLAIN.get(word[0], len(_PLAIN)), word)
            )
        return self._ignorable[stack]


def _length(text: str) -> int:
    return len(text.encode())
