"""Beginnings: the lexer states that a text may be read from if nothing is known of what stands before it.

A text may begin anywhere: between two lexemes or inside one, in each mode. A lexeme that stands at the beginning of the
text in some state of its automaton has one outcome, as at the seam with a right context (`suffix.seam`): it goes on
into the text, or it ends exactly before it, or it falls back. A lexeme that falls back ends further up, so what stands
before the text is another beginning, and is among these itself.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from dovetail.automata.dfa import DEAD, START
from dovetail.lexing.indentation import ANY, MARGIN, ColumnSet, above, after_blanks, below, contains, ending_in
from dovetail.lexing.lexer import LexerState, Line
from dovetail.lexing.modes import NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.lexing.indentation import Column
    from dovetail.lexing.lexer import Emission, Lexer


PIN = -1
"""The terminal of an emission that tells the columns which the innermost unknown block may have."""


class Beginning(NamedTuple):
    """A way to read a text whose beginning is unknown."""

    state: LexerState
    offset: int
    """The place from which the text is read."""
    after: frozenset[int] | None
    """The terminals of which one ended right before the text; None if any stack is possible."""
    begins_line: bool | None
    """True if a line has begun before the text that has no content yet; None if that makes no difference."""


def beginnings(lexer: Lexer, text: str) -> Iterator[Beginning]:
    """Yield the ways to read a text; one stands for all that read it alike."""
    modes, layout = lexer.modes, lexer.compiled.layout
    indents = 0 if layout is None else lexer.blocks.anywhere(ANY)
    ended: dict[int, set[int]] = defaultdict(set)  # mode → the terminals that may end right before the text
    unseen: set[int] = set()  # The modes in which a lexeme that the parser never sees may end there.
    for number in range(len(modes.modes)):
        stack = modes.push((number,), NOTHING)
        automaton = modes.scanner_of[stack]
        in_lines = layout is not None and number == layout.mode
        for at in _inside(lexer, automaton, text):
            terminal = lexer.scanners[automaton].accepts[at]
            if _goes_on(lexer, automaton, at, text):
                yield Beginning(LexerState(stack, indents, None, at, terminal, ""), 0, None, None)
                if in_lines and _may_be_unseen(lexer, stack, at):
                    yield Beginning(LexerState(stack, indents, Line(), at, terminal, ""), 0, None, True)
            if terminal < 0 or terminal in lexer.compiled.errors or not _may_end(lexer, automaton, at, text):
                continue
            for way in modes.transitions(stack, terminal):
                for mode in modes.entries[way.stack][0]:
                    if way.ignored:
                        unseen.add(mode)
                    elif not way.ends_line:
                        ended[mode].add(terminal)
    for number in range(len(modes.modes)):
        stack = modes.push((number,), NOTHING)
        in_lines = layout is not None and number == layout.mode
        before = None if number in unseen else frozenset(ended[number])
        start = LexerState(stack, indents, None, START, -1, "")
        if before is None or before:
            yield Beginning(start, 0, before, False if in_lines else None)
        if in_lines:
            yield from _at_line(lexer, start, text)


def line_beginnings(lexer: Lexer, text: str) -> Iterator[Beginning]:
    """Yield the ways to read a text that begins with a line of the outermost mode, or there between two lexemes."""
    layout, start = lexer.compiled.layout, lexer.start
    if layout is None:
        yield Beginning(start, 0, None, None)
    else:
        yield Beginning(start._replace(indents=lexer.blocks.anywhere(ANY)), 0, None, True)


def _at_line(lexer: Lexer, start: LexerState, text: str) -> Iterator[Beginning]:
    """Yield the ways to read a text that begins on a line without content."""
    count = 0
    while count < len(text) and text[count] in lexer.blanks:
        count += 1
    width = after_blanks(MARGIN, text[:count], lexer.tab)
    # Blanks before the text make the column greater than that of its own.
    around = lexer.blocks.anywhere(ending_in(text[:count], lexer.tab))
    if count == len(text):
        yield Beginning(start._replace(line=Line(width)), count, None, True)
        yield Beginning(start._replace(indents=around), count, None, True)
        return
    scanner = lexer.scanners[lexer.modes.scanner_of[start.stack]]
    if scanner.steps[START][text[count]] in lexer.content:
        yield Beginning(start._replace(indents=around), count, None, True)
    else:
        yield Beginning(start._replace(line=Line(width)), count, None, True)


def _may_be_unseen(lexer: Lexer, stack: int, at: int) -> bool:
    """Return whether a lexeme in a state may be one that leaves its line without content."""
    becomes = lexer.scanners[lexer.modes.scanner_of[stack]].becomes(at)
    return any(not way.is_seen(blank=True) for each in becomes for way in lexer.modes.transitions(stack, each))


def _inside(lexer: Lexer, automaton: int, text: str) -> Iterator[int]:
    """Yield the states of a lexeme that may stand at the beginning of a text, one for all that read it alike."""
    scanner = lexer.scanners[automaton]
    if not text:
        yield from range(1, len(scanner.accepts))
        return
    groups: dict[tuple[int, int], int] = {}
    for state, accepted in enumerate(scanner.accepts):
        if state != START:
            groups.setdefault((scanner.steps[state][text[0]], accepted), state)
    met: set[tuple[int, int, int, int]] = set()
    for (target, accepted), state in groups.items():
        # Where the lexeme goes on into the text, what it was before makes no difference.
        ended = scanner.finish(state, text, 0) if target >= 0 else (-1, 0)
        standing = scanner.standing(target, text, 1) if target >= 0 else DEAD
        key = (*ended, standing, accepted if ended[0] < 0 else -1)
        if key not in met:
            met.add(key)
            yield state


def _goes_on(lexer: Lexer, automaton: int, state: int, text: str) -> bool:
    """Return whether a lexeme in a state goes on into a text, or over all of it, without falling back before it."""
    scanner = lexer.scanners[automaton]
    if not text:
        return True
    if scanner.steps[state][text[0]] < 0:
        return False
    return scanner.finish(state, text, 0)[0] >= 0 or scanner.standing(state, text, 0) != DEAD


def _may_end(lexer: Lexer, automaton: int, state: int, text: str) -> bool:
    """Return whether a lexeme in a state ends exactly before a text."""
    scanner = lexer.scanners[automaton]
    return not text or scanner.steps[state][text[0]] < 0 or not _goes_on(lexer, automaton, state, text)


def read_from(lexer: Lexer, state: LexerState, text: str) -> Iterator[tuple[LexerState, list[Emission]]]:
    """Yield the states that a text leads to from a state, with the terminals that it completed.

    There may be several where the text closes the lowest mode of an unknown stack, as any mode around it may then be
    open, and where a line stands in a block that is not known.
    """
    work: list[tuple[LexerState, str, list[Emission]]] = [(state, text, [])]
    modes = lexer.modes
    while work:
        state, text, emissions = work.pop()
        tops, under = modes.entries[state.stack]
        if len(tops) > 1 and state.at == START:
            work += [(state._replace(stack=modes.push((top,), under)), text, list(emissions)) for top in tops]
            continue
        if not modes.may_leave(state.stack):
            read = lexer.lex(state, text)
            if read is not None:
                yield read[0], emissions + read[1]
                continue
            if not lexer.blocks.is_in_unknown(state.indents):
                continue
        at, rest, done = _read_lexeme(lexer, state, text)
        emissions = emissions + done
        if not rest:
            yield at, emissions
        elif at.at != START:
            ended = lexer.ended_as(at, at.accepted)
            if ended is not None:
                work.append((ended[0], at.rest + rest, emissions + ended[1]))
        elif at.line is not None and _begins_content(lexer, at, rest):
            work += [(after, rest, emissions + told) for after, told in _arranged(lexer, at)]


def _read_lexeme(lexer: Lexer, state: LexerState, text: str) -> tuple[LexerState, str, list[Emission]]:
    """Read on until the pending lexeme ends or a character is refused; return also the text that is left."""
    steps = lexer.scanners[lexer.modes.scanner_of[state.stack]].steps
    emissions: list[Emission] = []
    offset = 0
    # One character at a time, so that the ordinary lexer never goes on over the end of a lexeme.
    while offset < len(text) and steps[state.at][text[offset]] >= 0:
        read = lexer.lex(state, text[offset])
        if read is None:
            break
        state = read[0]
        emissions += read[1]
        offset += 1
    return state, text[offset:], emissions


def _begins_content(lexer: Lexer, state: LexerState, text: str) -> bool:
    scanner = lexer.scanners[lexer.modes.scanner_of[state.stack]]
    return scanner.steps[START][text[0]] in lexer.content


def _arranged(lexer: Lexer, state: LexerState) -> Iterator[tuple[LexerState, list[Emission]]]:
    """Yield the states at the content of a line that stands in an unknown block, with what the parser is told."""
    layout, blocks, tab = lexer.compiled.layout, lexer.blocks, lexer.tab
    assert layout is not None
    assert state.line is not None
    column, indents = state.line.width(), state.indents
    emissions: list[Emission] = []
    while column[0] < blocks.entries[indents][0][0]:
        emissions.append(lexer.plain[layout.dedent])
        indents = blocks.entries[indents][1]
    around = blocks.unknown.get(indents)
    if around is None:
        return
    pinned = 0 if column == MARGIN else blocks.push(column, blocks.anywhere(columns_around(column, tab)))
    content = state._replace(line=None, indents=pinned)
    if contains(around, column, tab):
        yield content, [*emissions, (PIN, column)]
    if above(around, column, tab) is not None:
        yield content, [*emissions, (layout.dedent, column)]
    lower = None if emissions else below(around, column, tab)
    if lower is not None:
        inside = state._replace(line=None, indents=blocks.push(column, blocks.anywhere(lower)))
        yield inside, [(PIN, lower), (layout.indent, column)]  # type: ignore[list-item]


def columns_around(column: Column, tab: int) -> ColumnSet:
    """Return the columns that the block around one of a column may have."""
    around = below(ANY, column, tab)
    assert around is not None, "the column is not the margin"
    return around
