"""The boundary at the cursor: the pending lexeme, and the lexemes that may lie across the cursor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.automata.dfa import START
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.expectations import readable_name
from dovetail.suffix.outcomes import CLEAN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.quotient.quotient import Quotient


@dataclass(frozen=True, slots=True)
class CrossingLexeme:
    """A lexeme that begins before the right text and ends in it."""

    name: str
    """Its terminal, in readable form."""
    characters_after_cursor: int
    """The number of characters of the right text that belong to it."""
    in_progress: bool
    """True if the left text begins it; otherwise the middle does."""
    fits: bool
    """True if a program results if the middle adds only the missing part of this lexeme."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """The lexeme that is pending at the cursor, and the lexemes that it can form with the right text."""

    pending: tuple[str, ...]
    """The terminals that the pending lexeme may become, in readable form; empty without one, and for blanks."""
    outcome: str
    """The fate of the pending lexeme if nothing is inserted: `none`, `ends`, `goes on` or `falls back`."""
    crossing: tuple[CrossingLexeme, ...]


def find_boundary(quotient: Quotient) -> Boundary:
    """Return the boundary of a quotient. Lexemes that fit come first, then those that the left text begins."""
    _, configuration, _ = quotient.start.parts()
    state = configuration.lexer
    lexer = quotient.lexer
    spelling = quotient.machine.spelling
    crossing: dict[CrossingLexeme, None] = {}
    pending: tuple[str, ...] = ()
    outcome = "none"
    if state.at != START:
        automaton = lexer.modes.scanner_of[state.stack]
        becomes = lexer.scanners[automaton].becomes(state.at) - lexer.compiled.errors
        if not all(spelling.texts[terminal].isspace() for terminal in becomes):
            pending = tuple(sorted({readable_name(spelling, terminal) for terminal in becomes}))
            terminal, _ = quotient.recognizer.seam.outcomes[automaton][state.at]
            outcome = "goes on" if terminal >= 0 else "ends" if terminal == CLEAN else "falls back"
        crossing.update(dict.fromkeys(_crossing(quotient, configuration)))
    ended: Configuration | None = configuration
    if state.at != START:
        ended = None if state.rest else configuration.ended_as(lexer, quotient.stacks, state.accepted)
    if ended is not None and ended.heads:
        crossing.update(dict.fromkeys(_crossing(quotient, ended)))
    ordered = sorted(
        crossing,
        key=lambda lexeme: (not lexeme.fits, not lexeme.in_progress, lexeme.characters_after_cursor, lexeme.name),
    )
    return Boundary(pending, outcome, tuple(ordered))


def _crossing(quotient: Quotient, configuration: Configuration) -> Iterator[CrossingLexeme]:
    """Yield the lexemes across the cursor that the pending lexeme may become, or a new one if none is pending."""
    lexer, recognizer = quotient.lexer, quotient.recognizer
    heads, state = configuration
    automaton = lexer.modes.scanner_of[state.stack]
    scanner = lexer.scanners[automaton]
    seen: set[tuple[int, int]] = set()
    for target in sorted(scanner.reachable(state.at) - {START}):
        terminal, end = outcome = recognizer.seam.outcomes[automaton][target]
        if terminal < 0 or outcome in seen or terminal in lexer.compiled.errors:
            continue
        if recognizer.seam.text[:end].isspace():
            continue  # Blanks and line ends across the cursor tell a user nothing.
        seen.add(outcome)
        # A lexeme that begins in the middle begins the content of its line. One that the grammar does not see, such as
        # a comment, leaves the line blank.
        ignored = all(way.ignored for way in lexer.modes.transitions(state.stack, terminal))
        line = state.line if ignored else None
        standing = state._replace(at=target, accepted=scanner.accepts[target], rest="", line=line)
        name = readable_name(quotient.machine.spelling, terminal)
        yield CrossingLexeme(name, end, state.at != START, recognizer.accepting(Configuration(heads, standing)))
