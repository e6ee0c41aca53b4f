"""Random texts of a language, derived from its grammar, for comparisons with the language's real parser."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from dovetail.closing.spelling import Ending, Spelling
    from dovetail.closing.yields import Yields
    from dovetail.grammar.compiled import Compiled

_GROWING = 0.9
_INDENT = 4
_UNUSUAL = 0.3  # of the blanks: other ignored lexemes than a single space
_LONGEST = 8  # characters after which a random lexeme goes the shortest way to an end


class Derivations:
    """Derives texts of one language."""

    def __init__(self, compiled: Compiled, spelling: Spelling, yields: Yields, random: Random) -> None:
        self.compiled = compiled
        self.lexer = spelling.lexer
        self.spelling = spelling
        self.random = random
        self._rights: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        for left, right in zip(compiled.productions.lefts, compiled.productions.rights, strict=True):
            self._rights[left].append(right)
        self._costs = [len(ways[0].terminals) if ways else 0 for ways in yields.of]
        self._ways: dict[tuple[int, int, int], list[tuple[str, int]]] = {}
        """(terminal, automaton, state) → what `_ways_to` found."""

    def text(self, size: int) -> str | None:
        """Return a random text of about `size` terminals; None if the terminals that were drawn cannot be written so.

        That happens where two random lexemes would run on into one another and nothing keeps them apart.
        """
        return self.spell(self.terminals(size))

    def terminals(self, size: int) -> list[int]:
        """Return the terminals of a random text of about `size` terminals, without END."""
        found: list[int] = []
        work = [(self.compiled.productions.lefts[0], size)]
        while work:
            symbol, budget = work.pop()
            if symbol < self.compiled.productions.terminal_count:
                found.append(symbol)
                continue
            rights = self._rights[symbol]
            affordable = [right for right in rights if self._cost(right) <= budget]
            # Most choices fall on right sides that use up what is left, else most texts would be short.
            growing = [right for right in affordable if max(right) >= self.compiled.productions.terminal_count]
            if growing and budget > 1 and self.random.random() < _GROWING:
                affordable = growing
            right = self.random.choice(affordable or [min(rights, key=self._cost)])
            spare = max(0, budget - self._cost(right))
            shares = [self.random.random() for _ in right]
            work += [
                (part, self._costs[part] + int(spare * share / sum(shares)))
                for part, share in reversed([*zip(right, shares, strict=True)])
            ]
        return found[:-1]

    def _cost(self, right: Sequence[int]) -> int:
        return sum(self._costs[symbol] for symbol in right)

    def spell(self, terminals: Sequence[int], *, plain: bool = False) -> str | None:
        """Return a text of terminals, or None if none was found; `plain`: with the shortest lexemes."""
        layout, modes = self.compiled.layout, self.lexer.modes
        parts: list[str] = []
        stack, depth, begun = modes.bottom, 0, layout is None
        ending: Ending | None = None
        for terminal in terminals:
            if layout is not None and terminal in (layout.indent, layout.dedent):
                depth += 1 if terminal == layout.indent else -1
                continue
            word = None if plain else self._lexeme(stack, terminal)
            word = self.spelling.word(stack, terminal) if word is None else word
            way = modes.known_transition(stack, terminal)
            if word is None or way is None:
                return None
            if not begun:
                parts.append(" " * (_INDENT * depth))
            elif ending is not None:
                separator = self.spelling.separator(ending, stack, word)
                if separator is None:
                    return None
                if not plain and not separator and self.random.random() < 0.5:
                    separator = self._blank(ending, stack, word)
                parts.append(separator)
            parts.append(word)
            ending = None if way.ends_line else self.spelling.ending_of(stack, word)
            begun, stack = not way.ends_line, way.stack
        return "".join(parts)

    def _blank(self, ending: Ending, stack: int, word: str) -> str:
        """Return a blank between two lexemes that need none, if the mode ignores one there."""
        scanner = self.lexer.scanners[self.lexer.modes.scanner_of[stack]]
        ignored = self.lexer.compiled.modes[self.lexer.modes.entries[stack][0][0]].ignored
        if self.compiled.layout is None and ignored and self.random.random() < _UNUSUAL:
            return self._ignored(ending, stack, word, self.random.choice(sorted(ignored)))
        at = scanner.steps[START][" "]
        fits = at >= 0 and scanner.accepts[at] in ignored and not self.spelling.runs_on(ending, " ")
        return " " if fits and scanner.steps[at][word[0]] < 0 else ""

    def _ignored(self, ending: Ending, stack: int, word: str, terminal: int) -> str:
        """Return a random lexeme of an ignored terminal, or nothing where it would not end before a word."""
        text, steps = self._lexeme(stack, terminal), self.lexer.scanners[self.lexer.modes.scanner_of[stack]].steps
        way = self.lexer.modes.known_transition(stack, terminal)
        if not text or way is None or way.stack != stack or self.spelling.runs_on(ending, text):
            return ""
        state = START
        for character in text:
            state = steps[state][character]
        return text if steps[state][word[0]] < 0 else ""

    def _lexeme(self, stack: int, terminal: int) -> str | None:
        """Return a random lexeme of a terminal, or None if none was met: any form that it has may come."""
        automaton = self.lexer.modes.scanner_of[stack]
        scanner = self.lexer.scanners[automaton]
        state, text = START, ""
        while True:
            ends = scanner.accepts[state] == terminal
            ways = self._ways_to(terminal, automaton, state)
            if ends and (not ways or self.random.random() < 0.4):
                return text
            if not ways:
                return None
            if len(text) > _LONGEST:
                onwards = self.spelling.texts_from(automaton, state).items()
                rest = [end for at, end in onwards if scanner.accepts[at] == terminal]
                return text + min(rest, key=len) if rest else None
            sample, state = self.random.choice(ways)
            text += sample

    def _ways_to(self, terminal: int, automaton: int, state: int) -> list[tuple[str, int]]:
        """Return characters, one of each kind, that lead from a state on to a terminal, and the states after them."""
        key = (terminal, automaton, state)
        if key not in self._ways:
            scanner = self.lexer.scanners[automaton]
            rows = zip(scanner.automaton.samples, scanner.automaton.rows[state], strict=True)
            self._ways[key] = [
                (sample, target)
                for sample, target in rows
                if sample and target >= 0 and terminal in scanner.becomes(target)
            ]
        return self._ways[key]
