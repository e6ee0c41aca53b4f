"""Lost line of a block: the header of deeper lines, in a language whose blocks end by words, such as Lua.

The `end` below these lines closes the block around them, and the text stops fitting further down. Columns tell it: no
line above that end opens a block in its column, and the block that it would close is further to the left.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import find_flaw
from dovetail.diagnostics.line_places import line_column, line_end, line_start
from dovetail.diagnostics.mends.open_block import OpenWords, words_of_blocks
from dovetail.diagnostics.mistakes.outside_loops import OUTSIDE
from dovetail.diagnostics.reported import line_and_column, words_of_lost_line
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.right_side import read_right

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.diagnostics.mends.open_block import Word
    from dovetail.quotient.machine import Machine

_MISSING_HERE = re.compile(r"perhaps (`\w+`) is missing here\b")
"""The beginning of a message about a word that is lost before its line."""
_TABLE = "{"
_CONTENT = re.compile(r"^[ \t]*(\S)", re.MULTILINE)
_LEAST_STEP = 2
"""The least number of blanks by which a block is deeper, where it is not a slip of the hand."""


class _Line(NamedTuple):
    """A line, by its first word, and whether it opens a block that goes on below it."""

    first: Word
    is_opening: bool


def mend_block_line(machine: Machine, text: str, fault: Fault, other: Mend | None) -> Mend | None:
    """Return the mend that puts a header above the lines which have lost theirs; None if columns do not tell them.

    `other`: the best mend so far. It stays unless it calls what ends these lines too many, or their first line theirs.
    """
    if not machine.compiled.mistakes.closed_by or (other is not None and not _is_about_end(machine, text, other)):
        return None
    lost = _find_lost(machine, text, _end_of_search(machine, text, fault))
    if lost is None:
        return None
    above, below, closer = lost
    if below.offset > fault.offset:
        return None
    stacks = machine.stacks()
    empty = read_right(machine, stacks, "")
    at = Configuration((stacks.bottom,), machine.lexer.start).read(machine.lexer, stacks, text[: below.line])
    ends = None if at is None else empty.closings.closing(at)
    if at is None or ends is None:
        return None
    ends = f"{_closer_of_part(machine, closer.text)}\n{ends}"
    right = read_right(machine, stacks, f"{text[below.line : line_end(text, closer.offset)]}\n{ends}")
    header = right.closings.closing(at)
    if not header or "\n" in header.strip():
        return None
    change = Change(below.line, below.line, f"{closer.blanks}{header.strip()}\n")
    least = fault.offset if other is None else max(fault.offset, other.reach - 1)
    best = best_change(machine, text, [change], least)
    if best is None:
        return None
    line, _ = line_and_column(text, closer.offset)
    why = f"for `{closer.text}` on line {line} closes nothing"
    word = None if other is None else _MISSING_HERE.match(other.fault.reported.message)
    if word is not None:
        words = f"perhaps {word[1]} is missing here, or a line that begins a block is missing below this one, {why}"
        return mended(named(fault, text, above.offset, words), text, best)
    words = words_of_lost_line(text, "begins a block", closer.text, closer.offset)
    return mended(named(fault, text, below.offset, words), text, best)


def _end_of_search(machine: Machine, text: str, fault: Fault) -> int:
    """Return the offset up to which an end that closes nothing is looked for: that of a fault.

    In a table no statement fits, and outside of loops no `break`: then it is the next line that is not as deep as that
    of the fault.
    """
    end = max(fault.offset, fault.reported.offset)
    opened = find_flaw(machine.lexer, text[: line_start(text, fault.offset)])
    is_in_table = opened is not None and opened.is_open and text[opened.offset] == _TABLE
    if not is_in_table and not fault.reported.message.endswith(OUTSIDE):
        return end
    column = line_column(text, fault.offset)
    for line in _CONTENT.finditer(text, line_end(text, fault.offset)):
        if line_column(text, line.start(1)) < column:
            return max(end, line.start(1))
    return end


def _closer_of_part(machine: Machine, word: str) -> str:
    """Return the word that ends the block of which another one begins a further part; empty for none such."""
    mistakes = machine.compiled.mistakes
    if word in mistakes.closed_by.values():
        return ""
    return next((mistakes.closed_by[each] for each in mistakes.goes_on.get(word, ()) if each in mistakes.closed_by), "")


def _is_about_end(machine: Machine, text: str, mend: Mend) -> bool:
    """Return whether a mend is about a word that ends a block, or puts one before the line that is not deeper."""
    told = mend.fault.reported
    closers = (*machine.compiled.mistakes.closed_by.values(), *machine.compiled.mistakes.goes_on)
    is_deeper = line_start(text, told.offset) < told.offset
    is_told = told.message.endswith(OUTSIDE) or text.startswith(closers, told.offset)
    return is_told or (is_deeper and _MISSING_HERE.match(told.message) is not None)


def _find_lost(machine: Machine, text: str, end: int) -> tuple[Word, Word, Word] | None:
    """Return the line above a lost one, the line below it, and what ends its block; None if columns tell no such."""
    mistakes = machine.compiled.mistakes
    enders = {*mistakes.closed_by.values(), *(mistakes.goes_on.keys() - mistakes.closed_by.keys())}
    opened = OpenWords(mistakes)
    lines: list[_Line] = []
    for word in words_of_blocks(machine, text):
        if word.offset > end:
            break
        if word.is_first():
            if lines:
                before = lines[-1].first
                lines[-1] = _Line(before, any(each.line == before.line for each in opened.words))
            outer = opened.words[-1] if opened.words else None
            if word.text in enders and (outer is None or outer.column() < word.column()):
                found = _places(lines, word)
                if found is not None:
                    return (*found, word)
            lines.append(_Line(word, is_opening=False))
        opened.read(word)
    return None


def _places(lines: list[_Line], word: Word) -> tuple[Word, Word] | None:
    """Return the lines above and below the lost header of deeper lines above an end; None if theirs may be there."""
    column = word.column()
    below = None
    for line in reversed(lines):
        if line.first.column() > column:
            below = line.first
            continue
        if below is None or (line.first.column() == column and line.is_opening):
            return None
        step = column - line.first.column()
        return (line.first, below) if step == 0 or step >= _LEAST_STEP else None
    return None
