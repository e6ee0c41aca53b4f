"""The seam: all ways to enter a right context, for everything that the middle may leave unfinished at the cursor.

A lexeme of the middle may stand at the cursor in any state of its automaton. Each state has one outcome (Melcer et al.
2024, figure 7, computed here for all states in one pass):

- *straddle*: the lexeme goes on into the right context and ends there, as one terminal at one offset;
- *clean*: the lexeme ended exactly at the cursor;
- *fallback*: the lexeme is no terminal, whatever of the right context it takes. Its longest beginning that is one,
  inside the middle, counts, and the characters after it are read again.

In a language with layout an entry also names the contents of the line before the cursor: something, or blanks only.
"""

from __future__ import annotations

import re
from collections import defaultdict
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.lexing.indentation import FIXED
from dovetail.lexing.lexer import Line
from dovetail.lexing.modes import NOTHING
from dovetail.suffix.lattice import CONTENT, TEXT_END, UNKNOWN, BlankStart, Lattice, Position
from dovetail.suffix.outcomes import OPEN, find_outcomes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dovetail.lexing.lexer import Lexer

EITHER, AFTER_CONTENT, ON_BLANK = range(3)
"""The contents of the line before the cursor; EITHER where an entry does not depend on it."""

_LINE = re.compile(r"[^\r\n]*")


@dataclass(frozen=True, slots=True)
class Straddle:
    """The lexemes that end at one offset of the right context, as one terminal."""

    states: dict[int, frozenset[int]]
    """Automaton → the states in which they may stand at the cursor."""
    terminal: int
    emitted: bool
    """False if the grammar does not see the terminal, as a comment; then `positions` come after it."""
    line: int
    """EITHER, AFTER_CONTENT or ON_BLANK."""
    positions: tuple[Position, ...]


class Seam:
    """The entries into the lattice of one right context."""

    def __init__(self, lexer: Lexer, text: str, *, whole: bool = True) -> None:
        """Find the entries into a text; `whole`: the program ends with it, otherwise anything may follow."""
        self.lattice = Lattice(lexer, text, whole=whole)
        self.whole = whole
        self.lexer = lexer
        self.text = text
        self.entries: dict[Position, set[int]] = defaultdict(set)
        """Position → the values of `line` with which it may be entered."""
        self.ways: dict[tuple[Position, int], list[tuple[int, frozenset[int] | None]]] = defaultdict(list)
        """(position, line) → the lexemes at the cursor that lead there: (automaton, states or None)."""
        self.clean: dict[int, list[Position]] = {}
        """Automaton → the entries after a whole lexeme, on a line with content."""
        self.on_blank: dict[int, list[Position]] = defaultdict(list)
        """Offset → the entries at the first content of a line that the left side has begun."""
        self.straddles: dict[tuple[int, int], list[Straddle]] = {}
        """Outcome (terminal, end) → the entries within such a lexeme."""
        self._straddles_of: dict[tuple[int, tuple[int, int]], list[Straddle]] = defaultdict(list)
        """(automaton, outcome) → those of them whose lexemes the automaton reads."""
        self.outcomes: dict[int, list[tuple[int, int]]] = {}
        """Automaton → state → (terminal, offset of its end), or (CLEAN, 0) or (FALLBACK, 0)."""
        self.open: dict[tuple[int, int], tuple[int, tuple[int, int]]] = {}
        """Outcome from OPEN on → (the state at the end of the text, the outcome if the lexeme does not go on there)."""
        self.refused: frozenset[tuple[int, int]] = frozenset()
        """Outcomes that `keeping_rest_of_line` excludes although the language has them."""
        self._stretches: dict[tuple[int, int], int] = {}
        self._has_layout = lexer.compiled.layout is not None
        # Without layout a line means nothing, and one kind of entry is enough.
        content = AFTER_CONTENT if self._has_layout else EITHER
        modes = lexer.modes
        self._everywhere = modes.by_automaton(modes.anywhere())
        self.clean = self._settle(0, self._everywhere)
        found: dict[int, dict[tuple[int, int], list[int]]] = {}
        for automaton, positions in self.clean.items():
            self._enter(positions, content, automaton, None)
            scanner = lexer.scanners[automaton]
            self.outcomes[automaton], found[automaton] = find_outcomes(
                scanner, text, self._stretches, None if whole else self.open
            )
        self._find_straddles(found, content)
        self._find_open_straddles(found, content)
        if lexer.compiled.layout is not None:
            layout_stack = lexer.modes.push((lexer.compiled.layout.mode,), NOTHING)
            automaton = lexer.modes.scanner_of[layout_stack]
            self._enter(self._on_begun_line(self.clean[automaton], layout_stack), ON_BLANK, automaton, None)
            if lexer.continuation >= 0 and text[:1] in lexer.blanks:
                # A backslash may have fixed the column, so that the blanks here do not count. Without blanks here any
                # column may be in force, and this entry would repeat the one before.
                self._enter(self.lattice.settle(0, layout_stack, FIXED), ON_BLANK, automaton, None)

    def _on_begun_line(self, begun: list[Position], layout_stack: int) -> list[Position]:
        """Return the positions at the first content of a line that the left side has begun.

        `begun`: the positions after content, in the modes of the layout's automaton. Where the text begins with
        content, the position here is one of those, apart from its modes. Sharing it saves a branch. It is sound as it
        is sound to keep modes that read alike in one branch: in a wrong mode the stack refuses the terminals that
        follow.
        """
        layout_mode = self.lexer.modes.entries[layout_stack][0][0]
        alike = {
            (position.order, position.terminal, position.text_end, position.around): position
            for position in begun
            if position.stack >= 0 and layout_mode in self.lexer.modes.entries[position.stack][0]
        }
        found = []
        for position in self.lattice.settle(0, layout_stack, ""):
            key = position.order, position.terminal, position.text_end, position.around
            found.append(
                alike.get(key, position) if position.kind == CONTENT and position.known == UNKNOWN else position
            )
        return found

    def straddling(self, automaton: int, outcome: tuple[int, int]) -> list[Straddle]:
        """Return the entries for a lexeme of an automaton that goes on into the text with an outcome."""
        return self._straddles_of.get((automaton, outcome), [])

    def keeping_rest_of_line(self) -> Seam:
        """Return this seam without the lexemes that swallow the rest of the cursor's line.

        These are comments that end with the line, and lexemes that go on beyond it, such as long strings. Returns
        the seam itself if it has none.
        """
        line = _LINE.match(self.text)
        # With nothing but blanks on the line after the cursor, nothing of it can be swallowed.
        if line is None or not line.group().strip():
            return self
        refused = frozenset(
            (terminal, end)
            for (terminal, end), straddles in self.straddles.items()
            if end > line.end() or (end == line.end() and not any(straddle.emitted for straddle in straddles))
        )
        if not refused:
            return self
        left_out = {
            (position, straddle.line, automaton, states)
            for outcome in refused
            for straddle in self.straddles[outcome]
            for position in straddle.positions
            for automaton, states in straddle.states.items()
        }
        # A shallow copy: the lattice, and the automaton made from it, are the same for both.
        seam = copy(self)
        seam.refused = refused
        seam.entries, seam.ways = defaultdict(set), defaultdict(list)
        for (position, side), ways in self.ways.items():
            kept = [way for way in ways if (position, side, *way) not in left_out]
            if kept:
                seam.entries[position].add(side)
                seam.ways[position, side] = kept
        return seam

    def _settle(self, offset: int, tops: Mapping[int, Sequence[int]]) -> dict[int, list[Position]]:
        """Return automaton → the positions at or after an offset in some modes that it reads.

        Positions are made for the modes of all automata together, because modes that read alike are one branch. Each
        automaton then has those positions that one of its own modes came to. The others belong to modes that read
        something else, such as a line end that is a blank in one mode and a terminal in another.
        """
        modes = self.lexer.modes
        staying, wandering = self._parted(tops)
        together = sorted(number for own in staying.values() for number in own)
        begun = self.lattice.settle(offset, modes.push(tuple(together), NOTHING), None) if together else []
        settled = {
            automaton: [position for position in begun if self._is_read_by(position, own, offset)]
            for automaton, own in staying.items()
        }
        for automaton, own in wandering.items():
            settled[automaton] = self.lattice.settle(offset, modes.push(tuple(own), NOTHING), None)
        return settled

    def _parted(self, tops: Mapping[int, Sequence[int]]) -> tuple[dict[int, Sequence[int]], dict[int, Sequence[int]]]:
        """Return the automata whose modes only a terminal of the grammar leads away from, and the others.

        An ignored lexeme may lead away from the others, so a position does not show which mode came to it.
        """
        parts: tuple[dict[int, Sequence[int]], dict[int, Sequence[int]]] = {}, {}
        for automaton, own in tops.items():
            parts[not self.lexer.modes.wandering.isdisjoint(own)][automaton] = own
        return parts

    def _is_read_by(self, position: Position, numbers: Sequence[int], offset: int) -> bool:
        """Return whether one of these modes comes from an offset to a position."""
        if position.stack >= 0:
            return not set(numbers).isdisjoint(self.lexer.modes.entries[position.stack][0])
        # The position at the end of the text has no modes. A line end before it may be a blank in some, and a terminal
        # in these.
        alone = self.lattice.settle(offset, self.lexer.modes.push(tuple(numbers), NOTHING), None)
        return any(other.stack < 0 for other in alone)

    def _enter(
        self, positions: Sequence[Position], line: int, automaton: int, states: frozenset[int] | None
    ) -> tuple[Position, ...]:
        """Make entries of positions; on a blank line only of those whose column is settled."""
        entered = []
        for position in positions:
            if line == ON_BLANK:
                # Indents and dedents of the cursor's line are those of the left side, which knows the columns.
                if position.kind not in (CONTENT, TEXT_END) or position.known != UNKNOWN:
                    continue
                if position not in self.on_blank[position.offset]:
                    self.on_blank[position.offset].append(position)
            self.entries[position].add(line)
            self.ways[position, line].append((automaton, states))
            entered.append(position)
        return tuple(entered)

    def _find_straddles(self, found: dict[int, dict[tuple[int, int], list[int]]], content: int) -> None:
        """Make entries for each outcome that is a terminal; automata that agree on the outcome share them."""
        ends: dict[tuple[int, int], dict[int, list[int]]] = defaultdict(dict)
        for automaton, outcomes in found.items():
            for (terminal, end), members in outcomes.items():
                if terminal >= OPEN:
                    terminal, end = self.open[terminal, end][1]
                if terminal >= 0 and terminal not in self.lexer.compiled.errors:
                    ends[terminal, end].setdefault(automaton, []).extend(members)
        # Sorted, so that positions are numbered alike in every run.
        for (terminal, end), standing in sorted(ends.items()):
            states = {automaton: frozenset(members) for automaton, members in standing.items()}
            self._straddle((terminal, end), self._straddles(terminal, end, states, content))

    def _find_open_straddles(self, found: dict[int, dict[tuple[int, int], list[int]]], content: int) -> None:
        """Make entries for each lexeme that reads up to the end of a text that is not whole, and goes on there."""
        for automaton, outcomes in found.items():
            for outcome, members in outcomes.items():
                if outcome[0] < OPEN:
                    continue
                states = {automaton: frozenset(members)}
                becomes = self.lexer.scanners[automaton].becomes(self.open[outcome][0])
                for terminal in sorted(becomes - self.lexer.compiled.errors):
                    self._straddle(outcome, self._straddles(terminal, outcome[1], states, content))

    def _straddle(self, outcome: tuple[int, int], straddles: list[Straddle]) -> None:
        self.straddles.setdefault(outcome, []).extend(straddles)
        for straddle in straddles:
            for automaton in straddle.states:
                self._straddles_of[automaton, outcome].append(straddle)

    def _straddles(self, terminal: int, end: int, states: dict[int, frozenset[int]], content: int) -> list[Straddle]:
        return [
            *self._after_ignored(terminal, end, states, content),
            *self._before_lexeme(terminal, end, states),
            *self._on_blank_line(terminal, end, states),
        ]

    def _after_ignored(
        self, terminal: int, end: int, states: dict[int, frozenset[int]], content: int
    ) -> Iterator[Straddle]:
        """Yield the entries after a lexeme that the middle began and that the grammar does not see, as a comment."""
        modes = self.lexer.modes
        ignoring = {
            automaton: numbers
            for automaton in states
            if (numbers := [n for n in self._everywhere[automaton] if terminal in modes.modes[n].ignored])
        }
        if not ignoring or not self._may_go_on(terminal, end):
            return
        staying, wandering = self._parted(ignoring)
        after = self._settle(end, staying)
        for automaton, own in wandering.items():
            ways = modes.transitions(modes.push(tuple(own), NOTHING), terminal)
            after[automaton] = [position for way in ways for position in self.lattice.settle(end, way.stack, None)]
        # Automata with the same positions share a straddle.
        shared: dict[tuple[Position, ...], dict[int, frozenset[int]]] = defaultdict(dict)
        for automaton, positions in after.items():
            shared[tuple(positions)][automaton] = states[automaton]
        for settled, members in shared.items():
            yield Straddle(members, terminal, False, content, self._enter_all(settled, content, members))

    def _before_lexeme(self, terminal: int, end: int, states: dict[int, frozenset[int]]) -> Iterator[Straddle]:
        """Yield the entries before a lexeme that the middle began and that the grammar sees."""
        modes = self.lexer.modes
        stack = modes.push(tuple(sorted(n for automaton in states for n in self._everywhere[automaton])), NOTHING)
        ways = dict.fromkeys(way.ends_line for way in modes.transitions(stack, terminal) if not way.ignored)
        for ends_line in ways:
            reading = modes.reading(stack, terminal, ends_line=ends_line)
            seam = self.lattice.seam(reading, terminal, end)
            own = {
                automaton: members
                for automaton, members in states.items()
                if not set(self._everywhere[automaton]).isdisjoint(modes.entries[reading][0])
            }
            self._enter_all([seam], EITHER, own)
            yield Straddle(own, terminal, True, EITHER, (seam,))

    def _enter_all(
        self, positions: Sequence[Position], line: int, states: dict[int, frozenset[int]]
    ) -> tuple[Position, ...]:
        entered: tuple[Position, ...] = ()
        for automaton, members in states.items():
            entered = self._enter(positions, line, automaton, members)
        return entered

    def _may_go_on(self, terminal: int, end: int) -> bool:
        """Return whether the text may go on, or end, after an ignored lexeme: it may not end with a continuation."""
        return terminal != self.lexer.continuation or self.lattice.may_end_after(end)

    def _on_blank_line(self, terminal: int, end: int, states: dict[int, frozenset[int]]) -> list[Straddle]:
        """Return the entries after a lexeme that leaves the line blank: a comment, a continuation or a line end."""
        layout = self.lexer.compiled.layout
        modes = self.lexer.modes
        # Blanks across the cursor are part of the column, and the entries on a begun line cover them already.
        if layout is None or modes.modes[layout.mode].automaton not in states or terminal == layout.blanks:
            return []
        automaton = modes.modes[layout.mode].automaton
        own = {automaton: states[automaton]}
        found = []
        for ignored, ends_line, after, _ in modes.transitions(modes.push((layout.mode,), NOTHING), terminal):
            lines: Sequence[Line | BlankStart | None] = ()
            if ends_line:
                lines = (Line(),)
            elif ignored and self._may_go_on(terminal, end):
                # Of the blanks before such a lexeme nothing is known: the empty string stands for any.
                lines = self.lattice.after_ignored(terminal, "")
            for line in lines:
                positions = self._enter_all(self.lattice.settle(end, after, line), ON_BLANK, own)
                found.append(Straddle(own, terminal, False, ON_BLANK, positions))
        return found
