"""Rendering: a plan becomes text, with the spelling, the separators and the columns of its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dovetail.automata.dfa import START
from dovetail.lexing import indentation as columns
from dovetail.lexing.indentation import ANY, FIXED, MARGIN, Column, ColumnSet
from dovetail.lexing.lexer import NOWHERE, Line
from dovetail.suffix.lattice import SEAM
from dovetail.suffix.outcomes import CLEAN
from dovetail.suffix.seam import ON_BLANK

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail.closing.search import ClosingPlan
    from dovetail.closing.spelling import Ending, Spelling
    from dovetail.lexing.lexer import Lexer
    from dovetail.suffix.lattice import Position
    from dovetail.suffix.seam import Seam


class Start(NamedTuple):
    """A text so far, and the lexer's state after it."""

    text: str
    ending: Ending | None
    """The end of the last lexeme; None after blanks and at the start of a line."""
    stack: int
    indents: int
    line: Line | None


class Renderer:
    """Renders plans for one right context."""

    def __init__(self, lexer: Lexer, spelling: Spelling, seam: Seam) -> None:
        self.lexer = lexer
        self.spelling = spelling
        self.seam = seam
        layout = lexer.compiled.layout
        self.indent = layout.indent if layout else -1
        self.dedent = layout.dedent if layout else -1
        self.newline = spelling.texts[layout.newline] if layout else ""
        self.continuation = spelling.texts[lexer.continuation] if lexer.continuation >= 0 else ""
        self._modes_after: dict[tuple[int, tuple[int, ...]], int | None] = {}

    def texts(self, plan: ClosingPlan, start: Start) -> Iterator[tuple[str, bool]]:
        """Yield (text, hides) for a plan, one for each lexeme that may lead into the right context.

        `hides`: the grammar does not see that lexeme, as a comment, so it hides the text after the cursor.
        """
        at: Start | None = start
        for terminal, box in plan.terminals(self.indent):
            if at is None:
                return
            if terminal == self.indent:
                column = self._inner(box, at)
                at = None if column is None else at._replace(indents=self.lexer.blocks.push(column, at.indents))
            elif terminal == self.dedent:
                at = self._outer(at)
            else:
                at = self._append(at, terminal)
        if at is None:
            return
        position, line = plan.tail.entry, plan.tail.line
        for automaton, states in self.seam.ways[position, line]:
            # The lexeme at the cursor is read in the mode that the text ends in, or it is another one.
            if automaton != self.lexer.modes.scanner_of[at.stack]:
                continue
            for text in self._meet(at, line, states, position):
                yield text, states is not None and position.kind != SEAM

    def modes_after(self, stack: int, terminals: tuple[int, ...]) -> int | None:
        """Return the stack of modes after terminals, or None if one of them cannot be read where it stands."""
        key = (stack, terminals)
        if key not in self._modes_after:
            self._modes_after[key] = self._find_modes_after(stack, terminals)
        return self._modes_after[key]

    def _find_modes_after(self, stack: int, terminals: tuple[int, ...]) -> int | None:
        for terminal in terminals:
            if terminal in (self.indent, self.dedent):
                continue
            way = self.lexer.modes.known_transition(stack, terminal)
            if way is None or self.spelling.word(stack, terminal) is None:
                return None
            stack = way.stack
        return stack

    def _inner(self, box: ColumnSet, at: Start) -> Column | None:
        """Return the column for a new block, or None: the narrowest, unless the line's blanks lead to another."""
        tab, top = self.lexer.tab, self._top(at)
        # The narrowest column costs the least in each line of the block.
        narrowest = columns.least(box, tab, beyond=top)
        if narrowest is None or at.line is None:
            return narrowest
        if at.line.fixed:
            fixed = at.line.width()
            return fixed if fixed[0] > top[0] and fixed[1] > top[1] and columns.contains(box, fixed, tab) else narrowest
        typed = at.line.column
        # Blanks that are typed already cannot be taken back, but may be gone on with.
        if columns.blanks_between(typed, narrowest, tab) is not None:
            return narrowest
        low = max(box.low[0], typed[0]), max(box.low[1], typed[1])
        wider = columns.least(box._replace(low=low), tab, beyond=top)
        if wider is not None and columns.blanks_between(typed, wider, tab) is not None:
            # Past the narrowest column there are two ways: more blanks here, or a new line. The shorter one is taken.
            return wider if wider[1] - typed[1] <= len(self.newline) + narrowest[1] else narrowest
        return narrowest

    def _outer(self, at: Start) -> Start | None:
        """Return the place after the innermost block has ended, or None if there is no block around it."""
        blocks = self.lexer.blocks
        unknown = blocks.unknown.get(at.indents)
        if unknown is None:
            return at._replace(indents=blocks.entries[at.indents][1])
        # Of the block around an unknown one only that is known: its column is less.
        around = ColumnSet(high=(unknown.high[0] - 1, unknown.high[1] - 1))
        checked = columns.checked(around, self.lexer.tab)
        return None if checked is None else at._replace(indents=blocks.anywhere(checked))

    def _top(self, at: Start) -> Column:
        blocks = self.lexer.blocks
        column = blocks.entries[at.indents][0]
        return (columns.least(blocks.unknown[at.indents], self.lexer.tab) or MARGIN) if column is NOWHERE else column

    def _append(self, at: Start, terminal: int) -> Start | None:
        word = self.spelling.word(at.stack, terminal)
        if word is None:
            return None
        way = self.lexer.modes.known_transition(at.stack, terminal)
        if way is None:
            return None
        if at.line is not None:
            before = self._indented(at.line, self._top(at))
        else:
            # Where a mode ignores nothing, as inside a string, no separator exists. Another spelling may need none.
            before = self._separator(at, word)
            if before is None and at.ending is not None:
                # The lexeme before goes on in vain if none is: in `<a>` the `<a` might begin `<a,`. The text is tried.
                word, before = self.spelling.word_beside(at.ending, at.stack, terminal) or word, ""
        if before is None:
            return None
        return at._replace(
            text=at.text + before + word,
            ending=self.spelling.ending_of(at.stack, word),
            stack=way.stack,
            line=Line() if way.ends_line else None,
        )

    def _indented(self, line: Line, column: Column) -> str | None:
        """Return the blanks that bring a line without content to a column, on a new line if need be, or None."""
        # After a backslash the column stands. More blanks would not change it.
        if line.fixed and line.width() == column:
            return ""
        return min(self._blanks_to(line, [column]), key=len, default=None)

    def _blanks_to(self, line: Line, wanted: list[Column]) -> Iterator[str]:
        """Yield the blanks that bring a line without content to some columns, on this line and on a new one."""
        for column in wanted:
            for before, start in self._lines(line):
                text = columns.blanks_between(start.column, column, self.lexer.tab)
                if text is not None:
                    yield before + text

    def _spaces_to(self, line: Line, widths: list[int]) -> Iterator[str]:
        """Yield the spaces that bring a line without content to some widths, on this line and on a new one."""
        for width in widths:
            for before, start in self._lines(line):
                if start.column[0] <= width:
                    yield before + " " * (width - start.column[0])

    def _lines(self, line: Line) -> Iterator[tuple[str, Line]]:
        """Yield (text, line) for the places at which blanks that count may begin: here, and on a new line."""
        # Blanks after a backslash do not count.
        if not line.fixed:
            yield "", line
        yield self.newline, Line()

    def _separator(self, at: Start, word: str) -> str | None:
        return self.spelling.separator(at.ending, at.stack, word) if at.ending is not None else ""

    def _meet(self, at: Start, line: int, states: frozenset[int] | None, position: Position) -> Iterator[str]:
        """Yield the text with the characters needed between its last terminal and the right context."""
        # As between two terminals, where nothing keeps the last lexeme apart it may still go on in vain.
        word = "" if states is None else self._word(at, states)
        before: Sequence[str | None]
        if at.line is not None and line == ON_BLANK:
            before = list(self._begun(at.line, self._top(at), position, bare=states is None))
        # This entry is for a line without content, and the text has put some there.
        elif line == ON_BLANK:
            return
        elif states is None:
            before = self._tried_separators(self._clean_separator(at))
        elif at.line is None:
            before = self._tried_separators(self._separator(at, word))
        else:
            before = [self._indented(at.line, self._top(at))]
        for text in before:
            if text is not None:
                yield at.text + text + word

    def _tried_separators(self, separator: str | None) -> list[str]:
        """Return what is tried between two lexemes: what keeps them apart, or nothing and a blank where nothing does.

        In `<A/> && < //` a blank may go on with the `<`, and without it `</` is another sign.
        """
        return ["", " "] if separator is None else [separator]

    def _word(self, at: Start, states: frozenset[int]) -> str:
        """Return the shortest text that leads to one of some states."""
        words = self.spelling.texts_from(self.lexer.modes.scanner_of[at.stack], START)
        return min((words[state] for state in states if state in words), key=lambda text: (len(text.encode()), text))

    def _begun(self, line: Line, top: Column, position: Position, *, bare: bool) -> Iterator[str | None]:
        """Yield the blanks after which the right context leads the line on to its block's column.

        `bare`: only blanks of the right context lie before its content, and no lexeme that the grammar does not see.
        """
        around, tab = position.around, self.lexer.tab
        # The right context has no blanks of its own before its content: the column is all the text's.
        if around == ANY and bare:
            yield self._indented(line, top)
        elif around.ending.endswith(FIXED):
            if line.fixed and line.width() == top:
                yield ""
            # A backslash counts one width for both parts of a column, so tabs cannot be matched.
            if top[0] == top[1]:
                widths = columns.widths_before(top[0], around.ending[:-1], tab)
                yield min(self._spaces_to(line, widths), key=len, default=None)
                if bare:
                    yield min(self._spaces_to(line, [top[0]]), key=len) + self.continuation
        elif around.ending:
            starts = columns.starts_for(top, around.ending, tab)
            yield min(self._blanks_to(line, starts), key=len, default=None)
        else:
            # The column is known: a later line has it, or blanks that do not depend on those before them.
            yield ""
            yield self.newline

    def _clean_separator(self, at: Start) -> str | None:
        """Return the text that keeps the last lexeme apart from the right context, or None."""
        if at.ending is None:
            return ""
        stack, state = at.ending
        # The automaton itself tells whether the last lexeme would go on into the right context.
        if self.seam.outcomes[self.lexer.modes.scanner_of[stack]][state][0] == CLEAN:
            return ""
        return self.spelling.separator(at.ending, at.stack, self.seam.text)
