"""Lost opening line: the line that opens a bracket, above the lines that stand in it and the one that closes it.

Each of them stops fitting then, as the fields of a type in Go, or the entries of a list in Python. The shortest text
with which they fit says what such a line ends with.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import MIRRORED, OPENERS, brackets_of, find_flaw
from dovetail.diagnostics.line_places import content_at, line_column, line_end, line_start
from dovetail.diagnostics.reported import line_and_column
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.right_side import read_right

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_CONTENT = re.compile(r"^[ \t]*(\S)", re.MULTILINE)
_ARROW = "=>"
_BEGUN = re.compile(r"\w*")
"""The part of a line before a fault in its first word, which may begin as another word does."""
_STATEMENT = "0\n"
"""A statement, which a header above may need."""
_LONGEST = 4_000
"""The most characters of the lines between the lost one and the bracket that closes it."""


def mend_opening_line(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that puts in a line above the one at a fault; None if no bracket below tells what it opened."""
    lines = _lines(machine, text, fault)
    if lines is None or _ARROW in machine.compiled.literals:
        return None  # Where functions are values, columns tell more (`closer_columns.py`).
    start, closer = lines
    content = content_at(text, start)
    flaw = find_flaw(machine.lexer, text)
    if flaw is None or not flaw.is_stray or text[:start].rstrip()[-1:] in MIRRORED:
        return None
    blanks = text[line_start(text, closer) : closer]
    opened = [sign for _, sign in brackets_of(machine.lexer, text[:start]).opened]
    if not all(sign in MIRRORED for sign in opened):
        return None
    ends = "".join(MIRRORED[sign] for sign in reversed(opened))
    if not any(machine.accepts(f"{text[:start]}{each}{ends}") for each in ("", f"{blanks}{_STATEMENT}")):
        return None  # It is the line above that is not finished.
    stacks = machine.stacks()
    right = read_right(machine, stacks, f"{text[start : line_end(text, closer)]}\n{ends}")
    at = Configuration((stacks.bottom,), machine.lexer.start).read(machine.lexer, stacks, text[:start] + blanks)
    line = None if at is None else right.closings.closing(at)
    opener = OPENERS[text[closer]]
    if line is None or "\n" in line or not line.rstrip().endswith(opener):
        return None
    best = best_change(machine, text, [Change(start, start, f"{blanks}{line}\n")], closer)
    if best is None:
        return None
    below, _ = line_and_column(text, closer)
    words = f"perhaps a line that ends with `{opener}` is missing above this one"
    words += f", for `{text[closer]}` on line {below} closes nothing"
    return mended(named(fault, text, content, words), text, best)


def _lines(machine: Machine, text: str, fault: Fault) -> tuple[int, int] | None:
    """Return the beginning of the first line that the lost one opened, and the bracket that closes them."""
    start = line_start(text, fault.offset)
    content = content_at(text, start)
    if content == fault.offset and text[content : content + 1] in OPENERS:
        # Below a header of which columns make the block, they were read as that.
        first = _first_deeper(text, content) if machine.compiled.layout is not None else content
        return (line_start(text, first), content) if first < content else None
    if content == start or not _BEGUN.fullmatch(text, content, fault.offset):
        return None
    closer = _closer_below(text, content)
    return None if closer is None else (start, closer)


def _closer_below(text: str, content: int) -> int | None:
    """Return the bracket that begins the first line further to the left than one with some content; None for others."""
    column = line_column(text, content)
    for found in _CONTENT.finditer(text, line_end(text, content), content + _LONGEST):
        if line_column(text, found.start(1)) < column:
            return found.start(1) if found[1] in OPENERS else None
    return None


def _first_deeper(text: str, content: int) -> int:
    """Return the content of the first of the lines right above one that are deeper than it; its own if none is."""
    column, begin, first = line_column(text, content), line_start(text, content), content
    while begin > 0:
        begin = line_start(text, begin - 1)
        above = content_at(text, begin)
        if not text[above : above + 1].strip():
            continue
        if line_column(text, above) <= column:
            break
        first = above
    return first
