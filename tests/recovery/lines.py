"""Readers of left texts, for the tests of recovery."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.parsing.configuration import Configuration
from dovetail.recovery.bracket_reader import read_lines
from dovetail.recovery.checkpoint import Checkpoint
from dovetail.recovery.fix import Misfit
from dovetail.recovery.left import LeftReader
from dovetail.recovery.line_ends import line_ends
from dovetail.recovery.placeholders import Placeholders

if TYPE_CHECKING:
    from dovetail import Language


def reader_at_start(language: Language) -> LeftReader:
    """Return a reader that has read nothing yet."""
    machine = language.machine
    stacks = machine.stacks()
    start = Checkpoint(0, Configuration((stacks.bottom,), machine.lexer.start), begins=True)
    return LeftReader(read_lines(machine, Placeholders(machine), stacks), [start])


def first_misfit(language: Language, text: str, *, is_cursor_line: bool = False) -> tuple[LeftReader, Misfit]:
    """Return a reader before the first line of a text that does not fit after those before it, and that line."""
    left = reader_at_start(language)
    ends = [*line_ends(text, 0, len(text))]
    ends += [] if text.endswith("\n") else [len(text)]
    while left.read(text, ends[0]):
        del ends[0]
    history = left.history(text)
    return left, Misfit(history, history.last_begun(), ends, is_cursor_line)
