"""Label: the line above a statement that a colon ends, as `outer:` or `default:`, which opens no brace in Go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.right_side import read_right

if TYPE_CHECKING:
    from dovetail.quotient.machine import Machine

_LABEL_END = ":"
_BELOW = "\nx := 0\n"
"""A statement of a language with labels that open no braces: it fits below them, and not behind the key of a value."""


def is_whole_label(machine: Machine, text: str, end: int) -> bool:
    """Return whether the line that ends at an offset is a label which opens no brace."""
    if not text.endswith(_LABEL_END, 0, end):
        return False
    right = read_right(machine, machine.stacks(), "")
    at = Configuration((right.stacks.bottom,), machine.lexer.start).read(machine.lexer, right.stacks, text[:end])
    return at is not None and fits(right, at, _BELOW)
