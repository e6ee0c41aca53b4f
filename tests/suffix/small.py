"""Small grammars, and the parts of the suffix parse made for them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import dovetail
from dovetail.suffix.builder import SuffixBuilder
from dovetail.suffix.seam import Seam

if TYPE_CHECKING:
    from dovetail.parsing.stack import Heads, Stacks
    from dovetail.quotient.machine import Machine
    from dovetail.suffix.automaton import SuffixAutomaton

HERE = Path(__file__).parent
NESTED = dovetail.load_language(HERE / "nested.lark").machine
"""`x` in any number of brackets."""
ARITHMETIC = dovetail.load_language(HERE.parent / "exhaustive" / "arithmetic.lark").machine
"""Sums of products of numbers and bracketed sums, with blanks between them."""
INDENTED = dovetail.load_language(HERE.parent / "exhaustive" / "indented.lark").machine
"""Statements `a`, blocks `b:`, and brackets in which line ends mean nothing."""

PAIR = dovetail.load_language(HERE / "pair.lark")
"""`a` on a line below `b`."""


def automaton_of(machine: Machine, right: str) -> SuffixAutomaton:
    """Return the automaton of a right context."""
    return SuffixBuilder(machine.suffix_grammar, Seam(machine.lexer, right)).build()


def stacks_after(machine: Machine, stacks: Stacks, left: str) -> Heads:
    """Return the stacks after a left text whose last lexeme is complete."""
    read = machine.lexer.lex(machine.lexer.start, left)
    assert read is not None
    settled = machine.lexer.settle(read[0])
    assert settled is not None
    return stacks.shift_all((stacks.bottom,), read[1] + settled[1])
