"""Doubled lines: the end of a block that stands twice, as after pasting it once more, so that one closes nothing.

So it is with a line that opens brackets: then one of them is never closed. A line such as `} else {` does both.

A line that opened the second block may be lost as well, but that the lines are the same is known.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import MIRRORED, OPENERS, find_flaw
from dovetail.diagnostics.line_places import content_at, line_start
from dovetail.diagnostics.reported import line_and_column

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_CLOSERS = re.compile(r"[ \t]*([)\]}]+)")
_CONTENT = re.compile(r"[^\r\n]")
_WORD = re.compile(r"\w")
_MOST_LINES = 12
"""The most lines that stand twice."""
_MOST_COPIES = 8
"""The most copies above a fault that are tried, the nearest ones."""


def mend_doubled_lines(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that leaves out the second of two equal ends of a block, or of two equal opening lines.

    None if neither explains what is closed once too often, or never.
    """
    if not machine.brackets.has_blocks:
        return None
    flaw = find_flaw(machine.lexer, text)
    if flaw is None or not flaw.is_stray:
        return _mend_going_on(machine, text, fault) or _mend_opening_line(machine, text, fault)
    copies = [copy for copy in _copies(text, flaw.offset) if copy.start <= fault.offset][:_MOST_COPIES]
    best = best_change(machine, text, copies, flaw.offset)
    if best is None:
        return None
    copy = best.change
    closers = _CLOSERS.match(text, line_start(text, copy.end))
    assert closers is not None, "a copy ends with a line that closes something"
    (line, _), (last, _) = line_and_column(text, copy.start), line_and_column(text, copy.end)
    count = last - line + 1
    lines = f"lines {line - count} {'and' if count == 2 else 'to'} {line - 1}"
    words = f"{lines} stand twice: `{closers[1]}` closes nothing"
    return mended(named(fault, text, content_at(text, copy.start), words), text, best)


def _mend_opening_line(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that leaves out the second of two equal lines that open brackets; None if that is not all."""
    places = [copy for copy in _second_lines(text) if _balance([text[copy.start : copy.end]]) < 0]
    best = best_change(machine, text, places[:_MOST_COPIES], len(text))
    if best is None:
        return None
    start = content_at(text, best.change.start)
    number, _ = line_and_column(text, start)
    words = f"line {number - 1} stands twice: a bracket that it opens is never closed"
    return mended(named(fault, text, start, words), text, best)


def _mend_going_on(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that leaves out the second of two lines such as `} else {`, in which a fault lies, or None."""
    for copy in _second_lines(text):
        line = text[copy.start : copy.end]
        goes_on = _CLOSERS.match(line) and _WORD.search(line) and not _balance([line])
        if goes_on and copy.start <= fault.offset < copy.end:
            best = best_change(machine, text, [copy], copy.end)
            start = content_at(text, copy.start)
            number, _ = line_and_column(text, start)
            found = named(fault, text, start, f"line {number - 1} stands twice")
            return None if best is None else mended(found, text, best)
    return None


def _second_lines(text: str) -> Iterator[Change]:
    """Yield the changes that leave out a line right below an equal one."""
    for above, line in pairwise(_LINE.finditer(text)):
        if line.group().rstrip() == above.group().rstrip():
            yield Change(line.start(), line.end(), _CONTENT.sub(" ", line.group()))


def _copies(text: str, offset: int) -> Iterator[Change]:
    """Yield the changes that leave out lines up to an offset right below the same lines, the nearest first.

    They close more than they open, and say more than a closing bracket does.
    """
    found = [line for line in _LINE.finditer(text) if line.start() <= offset]
    lines = [line.group().rstrip() for line in found]
    for end in range(len(lines), 3, -1):
        if not _CLOSERS.match(lines[end - 1]):
            continue
        for count in range(2, min(_MOST_LINES, end // 2) + 1):
            copy = lines[end - count : end]
            if copy == lines[end - 2 * count : end - count] and _closes(copy) and copy[0]:
                start, stop = found[end - count].start(), found[end - 1].start() + len(lines[end - 1])
                yield Change(start, stop, _CONTENT.sub(" ", text[start:stop]))
                break


def _closes(lines: list[str]) -> bool:
    """Return whether lines have a word, and more closing brackets than opening ones."""
    return _balance(lines) > 0 and _WORD.search("".join(lines)) is not None


def _balance(lines: list[str]) -> int:
    """Return how many more brackets some lines close than they open."""
    return sum((sign in OPENERS) - (sign in MIRRORED) for line in lines for sign in line)
