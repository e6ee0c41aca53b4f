"""Half a word: a keyword that is not written to its end, the last of a line, above the block that it heads.

It is read as a name, and the block as no block: `} catc` and `go fun`. With the whole word and the beginning of a block
the text fits.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.line_places import content_after, content_end, line_column, line_end, line_start
from dovetail.quotient.quoted import quoted

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_LAST_WORD = re.compile(r"(?<![\w.])[^\W\d]\w+(?=[ \t]*\Z)")
_BEFORE = re.compile(r"[ \t]*(?:\}[ \t]*)?")
"""The text before the first word of a statement, or before one that goes on behind a block."""
_HEADERS = (" {", "() {", " (a) {", " a() {", " a {")
"""Texts that may stand between a keyword and a block, the shortest first."""


def mend_half_word(machine: Machine, text: str, fault: Fault, other: Mend | None) -> Mend | None:
    """Return the mend that ends the last word on the line of a fault, or of another mend, and begins its block.

    None if no more of the text fits than with the other one, unless that makes the word alone the header of a block.
    """
    if not machine.brackets.has_blocks:
        return None
    found = [] if other is None else [_whole_word(machine, text, fault, other.start, other)]
    found.append(_whole_word(machine, text, fault, fault.offset, other))
    return max((mend for mend in found if mend is not None), key=lambda mend: mend.reach, default=None)


def _whole_word(machine: Machine, text: str, fault: Fault, at: int, other: Mend | None) -> Mend | None:
    """Return the mend that ends the last word on the line of an offset, at it or before it; None if none helps."""
    end = content_end(text, line_end(text, at))
    start, below = line_start(text, end), content_after(text, end)
    word = _LAST_WORD.search(text, start, end)
    if word is None or at < word.start() or word.group() in machine.compiled.literals:
        return None
    if line_column(text, below) <= line_column(text, start):
        return None  # What follows is no block of it.
    is_header = other is not None and other.start == end and _BEFORE.fullmatch(text, start, word.start()) is not None
    least = line_end(text, below) if other is None else other.reach - is_header
    words = [each for each in machine.compiled.literals if each is not None and each.startswith(word.group())]
    changes = [Change(*word.span(), f"{each}{header}") for each in words for header in _HEADERS]
    best = best_change(machine, text, changes, least)
    if best is None or best.reach == len(text):
        return None  # A block that nothing closes takes in all that follows.
    meant = next(each for each in words if best.change.sign.removeprefix(each) in _HEADERS)
    message = f"{quoted(word.group())} does not fit here; perhaps it should be {quoted(meant)}"
    return mended(named(fault, text, word.start(), message), text, best)
