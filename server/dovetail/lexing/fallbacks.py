r"""Fallbacks: whether a lexeme can still end where it was last a terminal, so that the characters since begin another.

It cannot where each text that completes the other one completes the whole as well, which is longer. In JavaScript
`default\u` is never the word `default` before a name, since what makes a name of `\u` makes one of `default\u`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from dovetail.automata.dfa import Automaton
    from dovetail.lexing.scanner import Scanner, Scanners

_HALVES = range(0xD800, 0xE000)
"""The code points of halves of characters, which no text has."""


class Fallbacks:
    """The answers for the automata of one language, remembered."""

    def __init__(self, scanners: Scanners) -> None:
        self._scanners = scanners
        self._known: dict[tuple[int, int, int, int], bool] = {}
        self._classes: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def may_fall_back(self, automaton: int, state: int, other: int, begun: int) -> bool:
        """Return whether some text stops a lexeme in a state before it is a terminal again, and not the one behind it.

        `begun`: the state, in the automaton `other`, of the lexeme that the last characters begin if the first one
        falls back. Where that one ends first, the answer is yes: what follows is not looked at.
        """
        if not self._scanners[automaton].comes_to_nothing[state]:
            return False
        if begun == START:
            return True
        key = (automaton, state, other, begun)
        if key not in self._known:
            self._known[key] = self._find(self._scanners[automaton], state, self._scanners[other], begun, key)
        return self._known[key]

    def _find(self, whole: Scanner, state: int, part: Scanner, begun: int, key: tuple[int, int, int, int]) -> bool:
        classes = self._classes.get(key[::2])
        if classes is None:
            classes = self._classes[key[::2]] = _shared_classes(whole.automaton, part.automaton)
        seen = {(state, begun)}
        work = [(state, begun)]
        while work:
            at, behind = work.pop()
            if part.accepts[behind] >= 0:
                return True
            row, other = whole.automaton.rows[at], part.automaton.rows[behind]
            for mine, its in classes:
                target, after = row[mine], other[its]
                if after < 0 or (target >= 0 and whole.accepts[target] >= 0):
                    continue
                if target < 0:
                    return True
                if (target, after) not in seen:
                    seen.add((target, after))
                    work.append((target, after))
        return False


def _shared_classes(one: Automaton, other: Automaton) -> list[tuple[int, int]]:
    """Return the pairs of classes, one of each automaton, that have a character in common."""
    begins = sorted({*one.edges, *other.edges, _HALVES.start, _HALVES.stop} - {*_HALVES[1:]})
    written = [chr(begin) for begin in begins if begin not in _HALVES]
    return list(dict.fromkeys((one.class_of(each), other.class_of(each)) for each in written))
