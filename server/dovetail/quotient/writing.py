"""A plan for closing to text: with the spelling, the separators and the columns of its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dovetail.automata.dfa import START
from dovetail.lexing import layout as columns
from dovetail.lexing.lattice import SEAM
from dovetail.lexing.layout import ANY, MARGIN, Box, Column
from dovetail.lexing.lexer import Line
from dovetail.lexing.seam import CLEAN, ON_BLANK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.lexing.lexer import Lexer
    from dovetail.lexing.seam import Seam
    from dovetail.lexing.spelling import Ending, Spelling
    from dovetail.parsing.closing import Plan


class Start(NamedTuple):
    """A text so far, and what the lexer knows after it."""

    text: str
    ending: Ending | None
    """Where its last lexeme ended; None after blanks and at the start of a line."""
    stack: int
    indents: int
    line: Line | None


class Writer:
    """Writes plans for one right context."""

    def __init__(self, lexer: Lexer, spelling: Spelling, seam: Seam) -> None:
        self.lexer = lexer
        self.spelling = spelling
        self.seam = seam
        layout = lexer.language.layout
        self.indent = layout.indent if layout else -1
        self.dedent = layout.dedent if layout else -1
        self.newline = spelling.texts[layout.newline] if layout else ""

    def texts(self, plan: Plan, start: Start) -> Iterator[tuple[str, bool]]:
        """Yield the texts that a plan may be written as, one for each lexeme that may lead into the right context.

        Each comes with whether the grammar does not see that lexeme (a comment), so that it hides what follows.
        """
        boxes = iter(plan.tail.blocks)
        at: Start | None = start
        for index, terminal in enumerate((*plan.before, *plan.tail.terminals)):
            if at is None:
                return
            if terminal == self.indent:
                box = next(boxes) if index >= len(plan.before) else ANY
                column = self._inner(box, at)
                at = None if column is None else at._replace(indents=self.lexer.blocks.push(column, at.indents))
            elif terminal == self.dedent:
                at = at._replace(indents=self.lexer.blocks.entries[at.indents][1])
            else:
                at = self._append(at, terminal)
        if at is None:
            return
        position, line = plan.tail.entry, plan.tail.line
        for automaton, states in self.seam.ways[position, line]:
            if automaton != self.lexer.modes.scanner_of[at.stack]:
                continue
            text = self._meet(at, line, states, position.offset)
            if text is not None:
                yield text, states is not None and position.kind != SEAM

    def _inner(self, box: Box, at: Start) -> Column | None:
        """Return the column for a block inside the innermost: as narrow as can be, but the line's blanks are used."""
        tab, top = self.lexer.tab, self._top(at)
        narrowest = columns.least(box, tab, beyond=top)
        if narrowest is None or at.line is None or columns.blanks_between(at.line.column, narrowest, tab) is not None:
            return narrowest
        typed = at.line.column
        low = max(box.low[0], typed[0]), max(box.low[1], typed[1])
        wider = columns.least(box._replace(low=low), tab, beyond=top)
        if wider is not None and columns.blanks_between(typed, wider, tab) is not None:
            return wider if wider[1] - typed[1] <= len(self.newline) + narrowest[1] else narrowest
        return narrowest

    def _top(self, at: Start) -> Column:
        return self.lexer.blocks.entries[at.indents][0]

    def _append(self, at: Start, terminal: int) -> Start | None:
        word = self.spelling.word(at.stack, terminal)
        if word is None:
            return None
        ways = self.lexer.modes.passages(at.stack, terminal)
        if len(ways) != 1:
            return None
        if at.line is not None:
            before = self._indented(at.line, [self._top(at)])
        else:
            before = self._separator(at, word)
        if before is None:
            return None
        return at._replace(
            text=at.text + before + word,
            ending=self.spelling.ending(at.stack, terminal),
            stack=ways[0].stack,
            line=Line() if ways[0].ends_line else None,
        )

    def _indented(self, line: Line, wanted: list[Column]) -> str | None:
        """Return what brings a line without content to one of some columns, on a new line if need be."""
        tab = self.lexer.tab
        found = [
            text
            for column in wanted
            if (text := columns.blanks_between(line.column, column, tab)) is not None
            and (not line.fixed or line.width() == column)
        ]
        found += [
            self.newline + text
            for column in wanted
            if (text := columns.blanks_between(MARGIN, column, tab)) is not None
        ]
        return min(found, key=len, default=None)

    def _separator(self, at: Start, word: str) -> str | None:
        return self.spelling.separator(at.ending, at.stack, word) if at.ending is not None else ""

    def _meet(self, at: Start, line: int, states: frozenset[int] | None, offset: int) -> str | None:
        """Return the text with what it needs between its last terminal and the right context."""
        right = self.seam.text
        if line == ON_BLANK:
            if at.line is None:
                return None
            same_line = not any(end in right[:offset] for end in "\r\n")
            if states is None and same_line and offset < len(right):
                wanted = columns.starts_for(self._top(at), right[:offset], self.lexer.tab)
                blanks = self._indented(at.line, wanted)
                return None if blanks is None else at.text + blanks
        if states is None:
            return self._meet_clean(at)
        words = self.spelling.texts_from(self.lexer.modes.scanner_of[at.stack], START)
        word = min((words[state] for state in states if state in words), key=lambda text: (len(text.encode()), text))
        if at.line is None:
            before = self._separator(at, word)
        elif line == ON_BLANK:
            before = ""
        else:
            before = self._indented(at.line, [self._top(at)])
        return None if before is None else at.text + before + word

    def _meet_clean(self, at: Start) -> str | None:
        if at.ending is None:
            return at.text
        stack, state = at.ending
        if self.seam.outcomes[self.lexer.modes.scanner_of[stack]][state][0] == CLEAN:
            return at.text
        separator = self.spelling.separator(at.ending, at.stack, self.seam.text)
        return None if separator is None else at.text + separator
