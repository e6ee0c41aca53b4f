"""Lost opening line: the line that opens a bracket, above the lines that stand in it and the one that closes it.

Each of them stops fitting then, as the fields of a type in Go, or the entries of a list in Python. The shortest text
with which they fit says what such a line ends with.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import MIRRORED, OPENERS, brackets_of, find_flaw
from dovetail.diagnostics.line_places import content_at, line_column, line_end, line_start, line_start_above
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.reported import words_of_lost_line
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.right_side import read_right

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_CONTENT = re.compile(r"^[ \t]*(\S)", re.MULTILINE)
_ARROW = "=>"
_WORD = re.compile(r"[^\W\d]\w*")
_BEGUN = re.compile(r"\w*")
"""The part of a line before a fault in its first word, which may begin as another word does."""
_STATEMENT = "0\n"
"""A statement, which a header above may need."""
_CALLED = "x"
"""The look of what is called, or gets a value."""
_LONGEST = 4_000
"""The most characters of the lines between the lost one and the bracket that closes it."""


def mend_opening_line(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that puts in a line above the one at a fault; None if nothing below tells what it opened."""
    lines = _lines(machine, text, fault)
    if lines is None or _ARROW in machine.compiled.literals:
        return None  # Where functions are values, columns tell more (`closer_columns.py`).
    start, closer = lines
    content = content_at(text, start)
    flaw = find_flaw(machine.lexer, text)
    is_stray = text[closer] not in OPENERS or (flaw is not None and flaw.is_stray)
    if not is_stray or text[:start].rstrip()[-1:] in MIRRORED:
        return None
    blanks = _blanks(machine, text, start, closer)
    ends = _ends(machine, text, start)
    fits_above = ends is not None and any(
        machine.accepts(f"{text[:start]}{each}{ends}") for each in ("", f"{blanks}{_STATEMENT}")
    )
    fits_above = fits_above or (not ends and _may_begin_statement(machine, f"{text[:start]}{blanks}"))
    if ends is None or not fits_above or (text[closer] not in OPENERS and _opens_block(machine, text, start, ends)):
        return None  # It is the line above that is not finished, or that opens the block.
    stacks = machine.stacks()
    right = read_right(machine, stacks, f"{text[start : line_end(text, closer)]}\n{ends}")
    at = Configuration((stacks.bottom,), machine.lexer.start).read(machine.lexer, stacks, text[:start] + blanks)
    line = None if at is None else right.closings.closing(at)
    written = text[closer]
    opener = OPENERS.get(written, "")
    tried = [line] if line and "\n" not in line and line.rstrip().endswith(opener) else []
    if not tried and opener and machine.compiled.layout is not None:
        tried = [f"{_CALLED}{opener}", f"{_CALLED} = {opener}"]  # A block such as that of `try` lacks more than it.
    if not tried:
        return None
    best = best_change(machine, text, [Change(start, start, f"{blanks}{each}\n") for each in tried], closer)
    if best is None:
        return None
    looks = f"ends with `{opener}`" if opener else "begins a block"
    words = words_of_lost_line(text, looks, written if opener else _closing_word(machine, text, closer), closer)
    return mended(named(fault, text, content, words), text, best)


def _may_begin_statement(machine: Machine, text: str) -> bool:
    """Return whether a statement may follow a text, in a language whose columns make blocks."""
    right = read_right(machine, machine.stacks(), "")
    begun = Configuration((right.stacks.bottom,), machine.lexer.start)
    return machine.compiled.layout is not None and fits(right, begun, f"{text}{_STATEMENT}")


def _blanks(machine: Machine, text: str, start: int, closer: int) -> str:
    """Return the blanks before a lost line above another one: those before what closes its bracket.

    Where columns make blocks they are those of the line above if that is less deep, as below a lost header.
    """
    blanks = text[line_start(text, closer) : content_at(text, line_start(text, closer))]
    last = len(text[:start].rstrip())
    above = text[line_start(text, last) : content_at(text, line_start(text, last))]
    is_above = machine.compiled.layout is not None and text[closer] in OPENERS and text[:last].endswith(")")
    return above if is_above and len(above) < len(blanks) and blanks.startswith(above) else blanks


def _ends(machine: Machine, text: str, start: int) -> str | None:
    """Return what closes all that is open above a line; None if that is not brackets, or blocks that words end."""
    if machine.compiled.layout is None and machine.compiled.mistakes.closed_by:
        right = read_right(machine, machine.stacks(), "")
        at = Configuration((right.stacks.bottom,), machine.lexer.start).read(machine.lexer, right.stacks, text[:start])
        ends = None if at is None else right.closings.closing(at)
        words = machine.compiled.mistakes.closed_by.values()
        return ends if ends is not None and all(word in words for word in ends.split()) else None
    opened = [sign for _, sign in brackets_of(machine.lexer, text[:start]).opened]
    return "".join(MIRRORED[sign] for sign in reversed(opened)) if all(sign in MIRRORED for sign in opened) else None


def _opens_block(machine: Machine, text: str, start: int, ends: str) -> bool:
    """Return whether the line with content above one opens a block; `ends` closes all that is open below it."""
    above = line_start(text, len(text[:start].rstrip()))
    return len(ends) > len(_ends(machine, text, above) or "")


def _closing_word(machine: Machine, text: str, offset: int) -> str:
    """Return the word at an offset that ends a block; empty if none stands there."""
    word = _WORD.match(text, offset)
    is_closing = word is not None and word.group() in machine.compiled.mistakes.closed_by.values()
    return word.group() if word is not None and is_closing else ""


def _lines(machine: Machine, text: str, fault: Fault) -> tuple[int, int] | None:
    """Return the beginning of the first line that the lost one opened, and the bracket that closes them."""
    start = line_start(text, fault.offset)
    content = content_at(text, start)
    word = _closing_word(machine, text, content)
    if content == fault.offset and (word or text[content : content + 1] in OPENERS):
        # Below a header of which columns make the block, they were read as that.
        is_known = bool(word) or machine.compiled.layout is not None
        first = _first_deeper(text, content) if is_known else content
        return (line_start(text, first), content) if first < content else None
    if content == start or not _BEGUN.fullmatch(text, content, fault.offset):
        return None
    closer = closer_below(text, content)
    if closer is None and fault.is_in_wrong_column:
        closer = _closer_behind(machine, text, content)
    return None if closer is None else (start, closer)


def _closer_behind(machine: Machine, text: str, content: int) -> int | None:
    """Return the bracket that closes nothing behind other signs, on a line as deep as one with content; else None."""
    flaw = find_flaw(machine.lexer, text)
    if flaw is None or not flaw.is_stray or flaw.offset < content or text[flaw.offset] not in OPENERS:
        return None
    column = line_column(text, content)
    places = [found.start(1) for found in _CONTENT.finditer(text, line_start(text, content), flaw.offset)]
    return flaw.offset if all(line_column(text, place) >= column for place in places) else None


def closer_below(text: str, content: int) -> int | None:
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
        begin = line_start_above(text, begin)
        above = content_at(text, begin)
        if not text[above : above + 1].strip():
            continue
        if line_column(text, above) <= column:
            break
        first = above
    return first
