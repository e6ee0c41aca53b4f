"""How a right context was read at the cursor: which lexemes may lie across it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.automata.dfa import START
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.expectations import readable_name
from dovetail.suffix.seam import CLEAN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.quotient.quotient import Quotient


@dataclass(frozen=True, slots=True)
class CrossingLexeme:
    """A lexeme that begins before the right text and ends in it."""

    name: str
    """What it then is, as people read it."""
    characters_after_cursor: int
    """How many characters of the right text belong to it."""
    in_progress: bool
    """Whether it is the lexeme that the left text leaves in progress; otherwise one that begins in the middle."""
    fits: bool
    """Whether a program has it here, with the lexeme's beginning as all that is missing."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """What the left text leaves in progress at the cursor, and how it meets the right text."""

    pending: tuple[str, ...]
    """What the lexeme in progress may become, as people read it; empty if there is none, or only blanks."""
    outcome: str
    """Of the lexeme in progress, if nothing is inserted: `none`, `ends`, `goes on` or `falls back`."""
    crossing: tuple[CrossingLexeme, ...]


def find_boundary(quotient: Quotient) -> Boundary:
    """Return how the texts of a quotient meet; the crossing lexemes that fit come first, then those in progress."""
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
    """Yield the lexemes across the cursor that one in progress comes to, or a new one where none is."""
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
            continue  # where blanks and line ends lie across the cursor nobody need know
        seen.add(outcome)
        # A lexeme that begins in the middle begins the content of its line; one that the grammar does not see, a
        # comment say, leaves it as it is.
        ignored = all(way.ignored for way in lexer.modes.transitions(state.stack, terminal))
        line = state.line if ignored else None
        standing = state._replace(at=target, accepted=scanner.accepts[target], rest="", line=line)
        name = readable_name(quotient.machine.spelling, terminal)
        yield CrossingLexeme(name, end, state.at != START, recognizer.accepting(Configuration(heads, standing)))
