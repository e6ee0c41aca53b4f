"""The lexer of the left text: characters to terminals, with the last lexeme always pending.

A lexeme ends only when the next character shows that it is over (longest match). Three values describe the pending
lexeme: its state in the automaton, the last terminal that it was, and the characters read since then. If it never
becomes a terminal again, it falls back to that terminal, and those characters are read again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.automata.dfa import START
from dovetail.lexing.fallbacks import Fallbacks
from dovetail.lexing.indentation import MARGIN, Column, ColumnSet, widen
from dovetail.lexing.modes import ModeStacks
from dovetail.lexing.scanner import Scanners

if TYPE_CHECKING:
    from dovetail.grammar.compiled import Compiled

_SPACES = re.compile(" +")
_CONTENT = "a;)"
"""Some characters with which a string and a comment go on, and hardly another lexeme with all."""
_new = tuple.__new__  # A NamedTuple's own constructor is a Python function: twice the time, for each token.

NOWHERE: Column = (-5, -5)
"""The column of a block that is not known."""
Emission = tuple[int, Column | None]
"""(terminal, column); the column is None for all terminals but the indent."""


class Line(NamedTuple):
    """The blanks of a line that has no content yet."""

    column: Column = MARGIN
    fixed: int = 0
    """The width before the first backslash of the line; 0 for none. Unless it is 0, it is the column, as in CPython."""

    def width(self) -> Column:
        """Return the column that content here would have.

        >>> Line((8, 8)).continued().width()
        (8, 8)
        """
        return (self.fixed, self.fixed) if self.fixed else self.column

    def continued(self) -> Line:
        """Return the line after a backslash in it."""
        return self if self.fixed else Line(self.column, self.column[0])


class LexerState(NamedTuple):
    """The state of the lexer after a text: a value."""

    stack: int
    """The open modes, as a number of `ModeStacks`."""
    indents: int
    """The columns of the open blocks, as a number of `Lexer.blocks`."""
    line: Line | None
    """The blanks of a line without content; None after the first content, and in a language without layout."""
    at: int
    """The state of the pending lexeme in its automaton; START if no lexeme is pending."""
    accepted: int
    """The terminal that the pending lexeme was last; -1 if it was none yet."""
    rest: str
    """The characters that the pending lexeme has read since then."""


class Blocks:
    """Stacks of the columns of open blocks, interned as ints."""

    def __init__(self) -> None:
        self.entries: list[tuple[Column, int]] = [(MARGIN, -1)]
        self.depths = [0]
        self._numbers: dict[tuple[Column, int], int] = {}
        self.unknown: dict[int, ColumnSet] = {}
        """Stack of one block that is not known → the columns that it may have."""
        self._unknown_numbers: dict[ColumnSet, int] = {}

    def anywhere(self, columns: ColumnSet) -> int:
        """Return the stack of one block that is not known."""
        number = self._unknown_numbers.get(columns)
        if number is None:
            number = self._unknown_numbers[columns] = len(self.entries)
            self.unknown[number] = columns
            self.entries.append((NOWHERE, -1))
            self.depths.append(0)
        return number

    def is_in_unknown(self, number: int) -> bool:
        """Return whether the outermost block of a stack lies in one that is not known."""
        while number >= 0 and number not in self.unknown:
            number = self.entries[number][1]
        return number >= 0

    def push(self, column: Column, below: int) -> int:
        """Return the stack with one more block inside; `below` is -1 for an unknown stack."""
        key = (column, below)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.entries)
            self.entries.append(key)
            self.depths.append(self.depths[below] + 1 if below >= 0 else 1)
        return number


class Lexer:
    """The lexer of a language. It reads from one state to another, and changes neither."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.modes = ModeStacks(compiled)
        self.scanners = Scanners(compiled.automata)
        self.fallbacks = Fallbacks(self.scanners)
        self.blocks = Blocks()
        self.plain: list[Emission] = [(terminal, None) for terminal in range(compiled.productions.terminal_count)]
        layout = compiled.layout
        self.tab = layout.tab if layout else 8
        self.continuation = layout.continuation if layout else -1
        self.blanks: frozenset[str] = frozenset()
        self.content: frozenset[int] = frozenset()
        """The states after a first character that begins the content of a line.

        The first character of a lexeme tells content from blanks: `lexing.checking` ensures it for each language.
        """
        if layout is not None:
            mode = compiled.modes[layout.mode]
            scanner = self.scanners[mode.automaton]
            blank = mode.ignored | {layout.newline}
            self.blanks = frozenset(
                character
                for character in " \t\f"
                if (state := scanner.steps[START][character]) >= 0 and scanner.accepts[state] == layout.blanks
            )
            first = set(scanner.automaton.rows[START])
            self.content = frozenset(state for state in first if state >= 0 and not scanner.becomes(state) <= blank)
        self.start = LexerState(self.modes.bottom, 0, Line() if layout else None, START, -1, "")
        self._closers: dict[int, tuple[str, ...] | None] = {}
        self._delimited: dict[int, list[bool]] = {}
        """Automaton → state → `is_delimited`."""

    def closers(self, number: int) -> tuple[str, ...] | None:
        """Return the spellings of the terminals after which a mode is no longer open, or None if one is not fixed."""
        if number not in self._closers:
            self._closers[number] = self._find_closers(number)
        return self._closers[number]

    def _find_closers(self, number: int) -> tuple[str, ...] | None:
        mode, literals = self.compiled.modes[number], self.compiled.literals
        only_spelling = self.scanners[mode.automaton].only_spelling
        closing = sorted(mode.pop.union(mode.switch, mode.back))
        spellings = []
        # Those first that are hardly fixed: one of them is enough.
        for terminal in sorted(closing, key=lambda each: literals[each] is not None):
            spelling = only_spelling(terminal)
            if spelling is None:
                return None
            spellings.append(spelling)
        return tuple(spellings)

    def lex(self, state: LexerState, text: str) -> tuple[LexerState, list[Emission]] | None:
        """Return the state after a text and the terminals that it completed, or None if no lexeme goes on so.

        This is the loop over all characters of the left text and of each token: tables are bound to locals, and the
        rules of `ended_as` are written out.
        """
        stack, indents, line, at, accepted, rest = state
        emissions: list[Emission] = []
        scanner = self.scanners[self.modes.scanner_of[stack]]
        steps, accepts, runs = scanner.steps, scanner.accepts, scanner._runs
        errors, known, plain = self.compiled.errors, self.modes.known, self.plain
        transitions = known[stack]
        offset, length = 0, len(text)
        while offset < length:
            character = text[offset]
            target = steps[at][character]
            if target >= 0:
                if at == START and line is not None:
                    # Blanks before content are no lexeme here. They only move the column.
                    if character == " " and character in self.blanks:
                        end = _SPACES.match(text, offset).end()  # type: ignore[union-attr]
                        wide, count = line.column
                        line = Line((wide + end - offset, count + end - offset), line.fixed)
                        offset = end
                        continue
                    if character in self.blanks:
                        line = Line(widen(line.column, character, self.tab), line.fixed)
                        offset += 1
                        continue
                    # This first character fixes the column, so indent and dedents are known before the lexeme ends.
                    if target in self.content:
                        opened = self.arrange(indents, line.width(), emissions)
                        if opened is None:
                            return None
                        indents, line = opened, None
                offset += 1
                if accepts[target] >= 0:
                    accepted, rest = accepts[target], ""
                elif accepted >= 0:
                    rest += character  # Read again if the lexeme falls back to `accepted`.
                if target == at:
                    # One compiled pattern reads a long stretch in one state, as in strings, comments and names.
                    run = runs[at] if at in runs else scanner.run(at)
                    if run is not None and (stretch := run.match(text, offset)) is not None:
                        if rest:
                            rest += stretch.group()
                        offset = stretch.end()
                at = target
                continue
            # The lexeme is over. It ends where it was last a terminal, which may be some characters back.
            if accepted < 0 or accepted in errors:
                return None
            way = transitions[accepted]
            if way is None:
                return None
            ignored, ends_line, after, continues_line = way
            if ends_line:
                if line is None:
                    emissions.append(plain[accepted])
                line = Line()
            elif not ignored:
                emissions.append(plain[accepted])
            elif continues_line and line is not None:
                line = line.continued()
            if after != stack:
                stack = after
                transitions = known[stack]
                scanner = self.scanners[self.modes.scanner_of[stack]]
                steps, accepts, runs = scanner.steps, scanner.accepts, scanner._runs
            if rest:
                # The text grows shorter with each fallback, because a terminal has at least one character.
                text = rest + text[offset:]
                offset, length, rest = 0, len(text), ""
            at, accepted = START, -1
            # No lexeme begins with this character: without this test the loop would not move on.
            if steps[START][text[offset]] < 0:
                return None
        return _new(LexerState, (stack, indents, line, at, accepted, rest)), emissions

    def is_delimited(self, state: LexerState) -> bool:
        """Return whether the pending lexeme goes on until an end of its own comes, as a string that is not closed.

        One that may come to nothing does if it goes on with nearly everything: `<a ` in TSX may begin `<a extends b>`,
        and is a tag all the same.
        """
        number = self.modes.scanner_of[state.stack]
        found = self._delimited.get(number)
        if found is None:
            found = self._delimited[number] = self.scanners[number].delimited(self.compiled.errors)
        if not state.rest or not found[state.at]:
            return found[state.at]
        steps = self.scanners[number].steps[state.at]
        return all(steps[character] >= 0 for character in _CONTENT)

    def arrange(self, indents: int, column: Column, emissions: list[Emission]) -> int | None:
        """Append the indent or the dedents before a line of a column to `emissions`; return the open blocks after them.

        None if the column fits no open block, or compares differently by the two widths of tabs.
        """
        layout = self.compiled.layout
        assert layout is not None
        entries = self.blocks.entries
        top = entries[indents][0]
        if column == top:
            return indents
        if top is NOWHERE:
            return None  # `lexing.beginnings` reads a line in an unknown block.
        if column[0] > top[0]:
            if column[1] <= top[1]:
                return None  # CPython: inconsistent use of tabs and spaces.
            if 0 < layout.deepest <= self.blocks.depths[indents]:
                return None  # CPython refuses so many blocks in one another.
            emissions.append((layout.indent, column))
            return self.blocks.push(column, indents)
        while column[0] < entries[indents][0][0]:
            emissions.append(self.plain[layout.dedent])
            indents = entries[indents][1]
        return indents if entries[indents][0] == column else None

    def settle(self, state: LexerState) -> tuple[LexerState, list[Emission]] | None:
        """Return the state after the pending lexeme and all that it falls back to, and the terminals of these.

        None if the lexeme cannot end here.
        """
        emissions: list[Emission] = []
        while state.at != START:
            read = self.fallen_back(state)
            if read is None:
                return None
            state = read[0]
            emissions += read[1]
        return state, emissions

    def fallen_back(self, state: LexerState) -> tuple[LexerState, list[Emission]] | None:
        """Return the state after the last terminal of the pending lexeme and the characters since then, read again.

        The second part lists the terminals that the parser sees. None if the lexeme was no terminal yet, or if the
        characters cannot be read from there.
        """
        ended = self.ended_as(state, state.accepted)
        if ended is None or not state.rest:
            return ended
        again = self.lex(ended[0], state.rest)
        return None if again is None else (again[0], ended[1] + again[1])

    def ended_as(self, state: LexerState, terminal: int) -> tuple[LexerState, list[Emission]] | None:
        """Return the state after the pending lexeme ends as a terminal, and the terminals that the parser sees of it.

        None for an error terminal, for -1, and for a terminal that the modes refuse. The characters since the lexeme
        was last a terminal (`LexerState.rest`) are dropped. A caller that wants them reads them again.
        """
        if terminal < 0 or terminal in self.compiled.errors:
            return None
        stack, indents, line, _, _, _ = state
        way = self.modes.known_transition(stack, terminal)
        if way is None:
            return None
        emissions = [self.plain[terminal]] if way.is_seen(blank=line is not None) else []
        if way.ends_line:
            line = Line()
        elif way.continues_line and line is not None:
            line = line.continued()
        return _new(LexerState, (way.stack, indents, line, START, -1, "")), emissions

    def finish(self, state: LexerState) -> list[Emission] | None:
        """Return the terminals at the end of the text, END last, or None if the text cannot end here."""
        # A backslash at the end of the text continues no line.
        if state.accepted == self.continuation and state.at != START and not state.rest:
            return None
        settled = self.settle(state)
        if settled is None:
            return None
        state, emissions = settled
        layout = self.compiled.layout
        if layout is not None:
            if state.line is None:
                emissions.append(self.plain[layout.newline])
            self.arrange(state.indents, MARGIN, emissions)
        emissions.append(self.plain[self.compiled.end])
        return emissions
