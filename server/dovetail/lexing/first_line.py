"""The check of a first line: what is read only at the beginning of a text, as `#!` with the name of an interpreter.

The mode before the first one ignores it, and all that this mode reads leads away from it (`ModeText.before`). Whether
some text goes on before a right context is asked of the parser's stacks alone. These do not know that blanks have led
away from the beginning, so they take a right context for one that a first line may begin before, or run into, wherever
a statement may begin. That is no mistake if a comment can stand in its place: it begins anywhere, may hold whatever
the first line holds, and ends where that ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from dovetail.grammar.compiled import Compiled
    from dovetail.lexing.scanner import Scanner


def uncovered_first_line(compiled: Compiled, scanner: Scanner) -> int | None:
    """Return the terminal of a first line in whose place no comment can stand, or None; `scanner`: the first mode's."""
    first, *others = compiled.modes
    known = {terminal for mode in others for terminal in mode.terminals}
    for terminal in sorted(first.ignored.intersection(first.switch) - known):
        if not any(_stands_for(scanner, terminal, comment) for comment in sorted(first.ignored & known)):
            return terminal
    return None


def _stands_for(scanner: Scanner, terminal: int, comment: int) -> bool:
    """Return whether a comment, from some place in it on, goes on with each text of a terminal and ends with it."""
    states = range(len(scanner.accepts))
    return any(scanner.becomes(state) == {comment} and _holds(scanner, terminal, comment, state) for state in states)


def _holds(scanner: Scanner, terminal: int, comment: int, inside: int) -> bool:
    rows, accepts = scanner.automaton.rows, scanner.accepts
    work = [(START, inside)]
    seen = set(work)
    for state, within in work:
        for target, beside in zip(rows[state], rows[within], strict=True):
            goes_on = target >= 0 and terminal in scanner.becomes(target)
            if not goes_on:
                if accepts[state] == terminal and beside >= 0:
                    return False  # The terminal ends here, and the comment does not.
                continue
            if beside < 0 or (accepts[target] == terminal and accepts[beside] != comment):
                return False
            if (target, beside) not in seen:
                seen.add((target, beside))
                work.append((target, beside))
    return True
