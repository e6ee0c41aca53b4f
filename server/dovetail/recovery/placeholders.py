"""Texts that stand in for lines that fit nothing."""

from __future__ import annotations

from collections import deque
from functools import cached_property
from typing import TYPE_CHECKING

from dovetail.automata.dfa import DEAD, START
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.right_side import read_right

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.lexing.scanner import Scanner
    from dovetail.parsing.stack import Heads, Stacks
    from dovetail.quotient.machine import Machine


class Placeholders:
    """The placeholders of one language."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    @cached_property
    def header(self) -> str | None:
        """The shortest line that opens a block and may be followed by anything; None where there is no such line.

        It replaces a header that fits nothing, so that the block below it can be read.
        """
        machine = self.machine
        statement = machine.statement
        if statement is None:
            return None
        # The block has two statements. Before a single one the shortest text is `*\`, whose backslash joins the line to
        # it.
        block = f"\n {statement}\n {statement}\n"
        stacks = machine.stacks()
        header = read_right(machine, stacks, block).closings.closing(
            Configuration((stacks.bottom,), machine.lexer.start)
        )
        # The closing fits before the block. What follows the block has to fit too, as nothing does after that of a
        # `try:`.
        return header if header and machine.accepts(f"{header}{block}{statement}\n") else None

    @cached_property
    def comment(self) -> tuple[str, str] | None:
        """The shortest opening and end of a comment that may go over several lines; None where there is none."""
        lexer = self.machine.lexer
        scanner = lexer.scanners[lexer.modes.scanner_of[lexer.start.stack]]
        errors = {-1, *lexer.compiled.errors}
        delimited = scanner.delimited(lexer.compiled.errors)
        stacks = self.machine.stacks()
        nothing = self._heads_after(stacks, "\n")
        for state, opening in _shortest_texts(scanner, START):
            over_lines = scanner.steps[state]["\n"]
            if delimited[state] and over_lines >= 0 and delimited[over_lines]:
                ends = (text for after, text in _shortest_texts(scanner, state) if scanner.accepts[after] not in errors)
                end = next(ends, None)
                if end is not None and self._heads_after(stacks, f"{opening}\n{end}") == nothing:
                    return opening, end
        return None

    def _heads_after(self, stacks: Stacks, text: str) -> Heads:
        """Return the heads after a text that begins a program; none if it does not fit."""
        lexer = self.machine.lexer
        read = Configuration((stacks.bottom,), lexer.start).read(lexer, stacks, text)
        settled = None if read is None else lexer.settle(read.lexer)
        return () if read is None or settled is None else stacks.shift_all(read.heads, settled[1])

    @cached_property
    def prelude(self) -> str | None:
        """The shortest program, where the empty text is none: what every text has to begin with."""
        machine = self.machine
        stacks = machine.stacks()
        start = Configuration((stacks.bottom,), machine.lexer.start)
        return read_right(machine, stacks, "").closings.closing(start)


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
