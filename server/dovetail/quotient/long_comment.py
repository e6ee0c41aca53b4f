"""The comment of a language that may go over several lines, found in its tables."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from dovetail.automata.dfa import DEAD, START
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.lexing.lexer import Lexer
    from dovetail.lexing.scanner import Scanner
    from dovetail.parsing.stack import Heads, Stacks


def find_long_comment(lexer: Lexer, stacks: Stacks) -> tuple[str, str] | None:
    """Return the shortest opening and end of a comment that may hold line ends; None in a language without one.

    It is a lexeme that goes on over a line end until an end of its own comes, and is to the parser what a line end is.
    """
    scanner = lexer.scanners[lexer.modes.scanner_of[lexer.start.stack]]
    errors = lexer.compiled.errors
    delimited = scanner.delimited(errors)
    nothing = _heads_after(lexer, stacks, "\n")
    for state, opening in _shortest_texts(scanner, START):
        below = scanner.steps[state]["\n"]
        if not (delimited[state] and below >= 0 and delimited[below]):
            continue
        ends = (text for after, text in _shortest_texts(scanner, state) if scanner.accepts[after] not in {-1, *errors})
        end = next(ends, None)
        if end is not None and _heads_after(lexer, stacks, f"{opening}\n{end}") == nothing:
            return opening, end
    return None


def _heads_after(lexer: Lexer, stacks: Stacks, text: str) -> Heads:
    """Return the heads after a text that begins a program; none if it does not fit."""
    read = Configuration((stacks.bottom,), lexer.start).read(lexer, stacks, text)
    settled = None if read is None else lexer.settle(read.lexer)
    return () if read is None or settled is None else stacks.shift_all(read.heads, settled[1])


def _shortest_texts(scanner: Scanner, first: int) -> Iterator[tuple[int, str]]:
    """Yield the states that a state leads to, each with a shortest text that leads to it, the nearest first."""
    automaton = scanner.automaton
    found, work = {first: ""}, deque([first])
    while work:
        state = work.popleft()
        for sample, target in zip(automaton.samples, automaton.rows[state], strict=True):
            if target != DEAD and target not in found:
                found[target] = found[state] + sample
                yield target, found[target]
                work.append(target)
