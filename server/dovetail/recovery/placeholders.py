"""Texts that stand in for lines that fit nothing."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from dovetail.parsing.configuration import Configuration
from dovetail.quotient.right_side import read_right

if TYPE_CHECKING:
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
    def prelude(self) -> str | None:
        """The shortest program, where the empty text is none: what every text has to begin with."""
        machine = self.machine
        stacks = machine.stacks()
        start = Configuration((stacks.bottom,), machine.lexer.start)
        return read_right(machine, stacks, "").closings.closing(start)
