"""Requirements: sets of terminals. The stack has to take one of them so that a pending lexeme may go on.

The lexeme may end as one of these terminals. After a few of them, as after a comment, only certain terminals may
follow, and then the stack has to take one of those too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from dovetail.lexing.adjacency import Adjacency
    from dovetail.lexing.lexer import Lexer


class Followed(NamedTuple):
    """A terminal after which only some terminals may follow."""

    terminal: int
    """-1 for a terminal that the grammar does not see."""
    following: tuple[int, ...]
    """The terminals that may follow within the middle."""
    beyond: tuple[int, ...] | None
    """The terminals that may follow where the right context goes on with the lexeme; None for any."""


@dataclass(frozen=True, slots=True, eq=False)
class Requirement:
    """The terminals that a pending lexeme may end as; equal requirements are one object."""

    number: int
    """Counted from 0 as they are made."""
    free: bool
    """It may end as a terminal that the grammar does not see, and any may follow: nothing is required."""
    plain: tuple[int, ...]
    """Terminals after which any may follow."""
    followed: tuple[Followed, ...]


class Requirements:
    """The requirements of a language's lexemes, remembered."""

    def __init__(self, lexer: Lexer, adjacency: Adjacency) -> None:
        self.lexer = lexer
        self.adjacency = adjacency
        self._known: dict[tuple[int, int, bool], Requirement] = {}
        self._shared: dict[tuple[bool, tuple[int, ...], tuple[Followed, ...]], Requirement] = {}
        layout = lexer.compiled.layout
        # A text may end anywhere, and with it its line and its blocks.
        closing = (layout.newline, layout.indent, layout.dedent) if layout is not None else ()
        self._at_end = (lexer.compiled.end, *closing)

    def of(self, stack: int, at: int, *, blank: bool) -> Requirement:
        """Return the requirement of a lexeme in a state of its automaton. `blank`: the line has no content."""
        key = (stack, at, blank)
        found = self._known.get(key)
        if found is None:
            parts = self._find(stack, at, blank)
            # Thousands of classes share some hundred requirements, and a verdict is remembered for each requirement.
            if parts not in self._shared:
                self._shared[parts] = Requirement(len(self._shared), *parts)
            found = self._known[key] = self._shared[parts]
        return found

    def _find(self, stack: int, at: int, blank: bool) -> tuple[bool, tuple[int, ...], tuple[Followed, ...]]:
        if at == START:
            return True, (), ()
        lexer = self.lexer
        scanner = lexer.scanners[lexer.modes.scanner_of[stack]]
        free = False
        plain: list[int] = []
        followed: list[Followed] = []
        for terminal in sorted(scanner.becomes(at) - lexer.compiled.errors):
            way = lexer.modes.known_transition(stack, terminal)
            if way is None:
                followed.append(Followed(-1, (), None))  # the modes after it are not known: ask
                continue
            unseen = not way.is_seen(blank=blank)
            after = self.adjacency.after(stack, at, terminal, blank=blank)
            if after is not None:
                # If every text from here on is this terminal, the lexeme never falls back to what it was before.
                sure = {scanner.accepts[state] for state in scanner.reachable(at)} == {terminal}
                beyond = (*sorted(after), *self._at_end) if sure else None
                followed.append(Followed(-1 if unseen else terminal, tuple(sorted(after)), beyond))
            elif unseen:
                free = True
            else:
                plain.append(terminal)
        return free, tuple(plain), tuple(followed)
