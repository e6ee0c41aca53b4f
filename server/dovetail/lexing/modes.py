"""Stacks of lexical modes, interned as ints, and the effect of a lexeme on them.

On the left every mode is known. At the beginning of a right context the lowest entry is the set of modes that may be
open, and the modes around it are unknown. A lexeme that the modes of the set read differently splits the set. A lexeme
that closes the lowest mode leads to each mode that may lie around it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from dovetail.grammar.compiled import Compiled

NOTHING = -1
"""The number of the stack under the lowest entry."""

Likeness = tuple[tuple[int, ...], bool, bool]
"""The modes on top of a stack, whether nothing is known below them, and whether no lexeme may open one more."""


class ModeTransition(NamedTuple):
    """One way in which the modes on a stack may read a lexeme of a terminal.

    These fields hold every rule on the end of a lexeme. `Lexer.ended_as` applies them; the loops that have no
    time to call it (`Lexer.lex`, `Lattice.settle`, the classes of model tokens) read the same fields.
    """

    ignored: bool
    """The parser never sees the lexeme: blanks, comments, line ends inside brackets."""
    ends_line: bool
    """A line end in the mode where line ends mean something. The parser sees it only after content."""
    stack: int
    """The modes after the lexeme."""
    continues_line: bool
    """The line goes on after the lexeme's own line end, as after a backslash."""

    def is_seen(self, *, blank: bool) -> bool:
        """Return whether the parser sees the lexeme; `blank`: its line has no content before it."""
        return not (self.ignored or (self.ends_line and blank))


class ModeStacks:
    """Interned stacks of modes. An entry is (the modes that may be on top, the stack under it)."""

    def __init__(self, compiled: Compiled) -> None:
        self.modes = compiled.modes
        self.layout_mode = compiled.layout.mode if compiled.layout else -1
        self.newline = compiled.layout.newline if compiled.layout else -1
        self.continuation = compiled.layout.continuation if compiled.layout else -1
        self.entries: list[tuple[tuple[int, ...], int]] = []
        self.deepest = compiled.deepest
        """The greatest number of entries over the lowest; 0 for no limit."""
        self.depths: list[int] = []
        """Stack → the number of its entries over the lowest."""
        self.wandering = frozenset(
            number
            for number, mode in enumerate(compiled.modes)
            if not mode.ignored.isdisjoint((*mode.push, *mode.pop, *mode.switch))
        )
        """The modes that a lexeme may lead away from though the parser never sees it."""
        self.passing = self._find_passing()
        """The automata of modes that each lexeme leads away from and that none leads to, as before a first line."""
        self._leaving = self._find_leaving()
        self._closers = frozenset(terminal for mode in compiled.modes for terminal in mode.pop)
        self.scanner_of: list[int] = []
        """Stack → the automaton of its top mode; that of the first one if the top may be several modes."""
        self._numbers: dict[tuple[tuple[int, ...], int], int] = {}
        self._transitions: dict[tuple[int, int], list[ModeTransition]] = {}
        self.known: list[_KnownTransitions] = []
        """Stack → terminal → `known_transition`. Loops that stay on one stack for a while look terminals up in it."""
        self._automata_after: dict[int, frozenset[int] | None] = {}
        self._readings: dict[tuple[int, int, bool], int] = {}
        self._around = self._parents()
        self.outermost = self._outermost()
        """The modes in which a text may end: the first one, and those that take its place."""
        self.bottom = self.push((0,), NOTHING)
        """The stack at the beginning of a text."""

    def push(self, modes: tuple[int, ...], below: int) -> int:
        """Return the stack with one more entry."""
        key = (modes, below)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.entries)
            self.entries.append(key)
            self.depths.append(0 if below == NOTHING else self.depths[below] + 1)
            self.scanner_of.append(self.modes[modes[0]].automaton)
            self.known.append(_KnownTransitions(self, number))
        return number

    def likeness(self, stack: int) -> Likeness:
        """Return what decides how the lexemes on a stack are read; it is the same for stacks of many depths."""
        tops, below = self.entries[stack]
        return tops, below == NOTHING, 0 < self.deepest <= self.depths[stack]

    def leaves(self, stack: int, terminal: int) -> bool:
        """Return whether a terminal closes the lowest entry, so that an unknown mode comes to the top."""
        return terminal in self._closers and self.entries[stack][1] == NOTHING

    def may_leave(self, stack: int) -> bool:
        """Return whether some terminal may close the lowest entry, so that an unknown mode comes to the top."""
        while self.entries[stack][1] != NOTHING:
            stack = self.entries[stack][1]
        return any(self._leaving[number] for number in self.entries[stack][0])

    def in_layout(self, stack: int) -> bool:
        """Return whether the top is known to be the mode in which line ends mean something."""
        return self.entries[stack][0] == (self.layout_mode,)

    def may_end(self, stack: int) -> bool:
        """Return whether a text may end here: no mode is open."""
        modes, below = self.entries[stack]
        return below == NOTHING and not self.outermost.isdisjoint(modes)

    def by_automaton(self, stack: int) -> dict[int, list[int]]:
        """Return the modes on top by the automaton that reads them."""
        groups: dict[int, list[int]] = defaultdict(list)
        for number in self.entries[stack][0]:
            groups[self.modes[number].automaton].append(number)
        return groups

    def automata_of(self, stack: int) -> tuple[int, ...]:
        """Return the automata that read the modes on top."""
        tops = self.entries[stack][0]
        return (self.scanner_of[stack],) if len(tops) == 1 else tuple(self.by_automaton(stack))

    def anywhere(self) -> int:
        """Return the unknown stack whose top may be any mode."""
        return self.push(tuple(range(len(self.modes))), NOTHING)

    def starts(self) -> list[int]:
        """Return one unknown stack for each automaton."""
        return [self.push(tuple(numbers), NOTHING) for numbers in self.by_automaton(self.anywhere()).values()]

    def known_transition(self, stack: int, terminal: int) -> ModeTransition | None:
        """Return the one way in which a lexeme of a terminal is read, or None if there is no way or more than one.

        There is no way if the modes refuse the lexeme: it opens a mode too many, or closes a mode that was never
        opened. There is more than one only on a stack that is not fully known, to the right of a cursor.
        """
        return self.known[stack][terminal]

    def transitions(self, stack: int, terminal: int) -> list[ModeTransition]:
        """Return the ways in which a lexeme of a terminal is read on a stack; a known stack has at most one."""
        key = (stack, terminal)
        found = self._transitions.get(key)
        if found is None:
            found = self._transitions[key] = self._read(stack, terminal)
        return found

    def automata_after(self, terminal: int) -> frozenset[int] | None:
        """Return the automata of the modes that a text may be in after a terminal; None for any."""
        if terminal not in self._automata_after:
            self._automata_after[terminal] = self._find_automata_after(terminal)
        return self._automata_after[terminal]

    def _find_automata_after(self, terminal: int) -> frozenset[int] | None:
        found: set[int] = set()
        for mode in self.modes:
            if terminal in mode.pop:
                return None
            if terminal in mode.push:
                found.add(self.modes[mode.push[terminal]].automaton)
            elif terminal in mode.switch:
                found.add(self.modes[mode.switch[terminal]].automaton)
            elif terminal in mode.terminals and terminal not in mode.ignored:
                found.add(mode.automaton)
        return frozenset(found) or None

    def reading(self, stack: int, terminal: int, *, ends_line: bool) -> int:
        """Return the stack without the top modes that ignore a lexeme, or that differ from `ends_line` for it."""
        key = (stack, terminal, ends_line)
        found = self._readings.get(key)
        if found is None:
            tops, below = self.entries[stack]
            kept = tuple(
                number
                for number in tops
                if terminal not in self.modes[number].ignored
                and (terminal == self.newline and number == self.layout_mode) == ends_line
            )
            found = self._readings[key] = self.push(kept, below)
        return found

    def _read(self, stack: int, terminal: int) -> list[ModeTransition]:
        tops, below = self.entries[stack]
        # Modes that read the lexeme alike stay one set: each split makes one more branch of a right context.
        groups: dict[tuple[bool, bool, str, int], list[int]] = defaultdict(list)
        for number in tops:
            mode = self.modes[number]
            ignored = terminal in mode.ignored
            ends_line = terminal == self.newline and number == self.layout_mode and not ignored
            if terminal in mode.push:
                groups[ignored, ends_line, "push", mode.push[terminal]].append(number)
            elif terminal in mode.pop:
                groups[ignored, ends_line, "pop", -1].append(number)
            elif terminal in mode.switch:
                groups[ignored, ends_line, "switch", -1].append(number)
            else:
                groups[ignored, ends_line, "stay", -1].append(number)
        continues = terminal == self.continuation
        found = []
        for (ignored, ends_line, kind, target), numbers in groups.items():
            stacks = self._after(kind, target, tuple(numbers), below, terminal)
            found += [ModeTransition(ignored, ends_line, after, continues) for after in stacks]
        return found

    def _after(self, kind: str, target: int, numbers: tuple[int, ...], below: int, terminal: int) -> list[int]:
        if kind == "push":
            outer = tuple(sorted({self.modes[number].back.get(terminal, number) for number in numbers}))
            after = self.push((target,), self.push(outer, below))
            return [] if 0 < self.deepest < self.depths[after] else [after]
        if kind == "switch":
            return [self.push(tuple(sorted({self.modes[number].switch[terminal] for number in numbers})), below)]
        # A known stack has the mode around the closed one right below. On an unknown stack it may be any that fits.
        if kind == "pop" and below != NOTHING:
            return [below]
        if kind == "pop":
            around = sorted(set().union(*(self._around[number] for number in numbers)))
            return [self.push(tuple(around), NOTHING)] if around else []
        return [self.push(numbers, below)]

    def _outermost(self) -> frozenset[int]:
        """Return the first mode and all that take its place, by `switch` or by `back`."""
        found, work = {0}, [0]
        while work:
            mode = self.modes[work.pop()]
            fresh = {*mode.switch.values(), *mode.back.values()} - found
            found |= fresh
            work += fresh
        return frozenset(found)

    def _find_passing(self) -> frozenset[int]:
        kept: set[int] = set()
        for number, mode in enumerate(self.modes):
            kept.update(mode.push.values(), mode.switch.values(), mode.back.values())
            if any(mode.back.get(terminal, number) == number for terminal in mode.push) or not (
                mode.terminals <= {*mode.push, *mode.switch, *mode.pop}
            ):
                kept.add(number)
        automata = {self.modes[number].automaton for number in kept}
        return frozenset(mode.automaton for mode in self.modes) - automata

    def _find_leaving(self) -> list[bool]:
        """Return for each mode whether it, or a mode that takes its place, may be closed."""
        found = [bool(mode.pop) for mode in self.modes]
        grew = True
        while grew:
            grew = False
            for number, mode in enumerate(self.modes):
                if not found[number] and any(found[next_] for next_ in (*mode.switch.values(), *mode.back.values())):
                    found[number] = grew = True
        return found

    def _parents(self) -> list[set[int]]:
        """Return for each mode the modes that may lie around it."""
        # A mode that takes the place of another, by `switch` or by `back`, lies inside the modes around that one.
        around: list[set[int]] = [set() for _ in self.modes]
        grew = True
        while grew:
            grew = False
            for number, mode in enumerate(self.modes):
                for terminal, target in mode.push.items():
                    outer = mode.back.get(terminal, number)
                    grew |= outer not in around[target]
                    around[target].add(outer)
                for target in (*mode.switch.values(), *mode.back.values()):
                    grew |= not around[number] <= around[target]
                    around[target] |= around[number]
        return around


class _KnownTransitions(dict[int, ModeTransition | None]):
    """Terminal → the one way in which a stack reads it; an entry is made when it is first looked up."""

    __slots__ = ("_modes", "_stack")

    def __init__(self, modes: ModeStacks, stack: int) -> None:
        super().__init__()
        self._modes = modes
        self._stack = stack

    def __missing__(self, terminal: int) -> ModeTransition | None:
        ways = self._modes.transitions(self._stack, terminal)
        found = self[terminal] = ways[0] if len(ways) == 1 else None
        return found
