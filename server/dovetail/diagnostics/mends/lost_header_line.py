"""Lost header line: one like another line of the file, as `type X interface {`, above the lines of its block.

Which line they need can be told by no short text with which they fit (`lost_opening_line.py`) where that is one of
another kind. A file has other headers of the same kind more often than not, and those are tried.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import OPENERS, find_flaw
from dovetail.diagnostics.line_places import content_after, content_at, line_end, line_start
from dovetail.diagnostics.mends.lost_opening_line import closer_below
from dovetail.diagnostics.reported import words_of_lost_line

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_HEADER = re.compile(r"^[ \t]*(\S[^\r\n]*\{)[ \t]*\r?$", re.MULTILINE)
_FIRST_WORD = re.compile(r"\w+[ \t]+(?=\w)")
_ARROW = "=>"
_BRACE = "{"
_MOST = 24
"""The most lines of a file that are tried."""


def mend_header_line(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that puts in a line like another one above that of a fault; None if none makes its block fit."""
    compiled = machine.compiled
    if compiled.layout is not None or not machine.brackets.has_blocks or _ARROW in compiled.literals:
        return None  # Where functions are values, columns tell more (`closer_columns.py`).
    start = line_start(text, fault.offset)
    content = content_at(text, start)
    flaw = find_flaw(machine.lexer, text)
    closer = closer_below(text, content)
    if closer is None or flaw is None or not flaw.is_stray or OPENERS.get(text[closer]) != _BRACE:
        return None
    blanks = text[line_start(text, closer) : closer]
    whole = list(dict.fromkeys(found[1] for found in _HEADER.finditer(text)))[:_MOST]
    # In a group of declarations the first word stands above them all.
    lines = [*whole, *(_FIRST_WORD.sub("", line, count=1) for line in whole)]
    changes = [Change(start, start, f"{blanks}{line}\n") for line in lines if line[0] not in OPENERS]
    best = best_change(machine, text, changes, line_end(text, content_after(text, closer)) - 1)
    if best is None:
        return None
    words = words_of_lost_line(text, f"ends with `{_BRACE}`", text[closer], closer)
    return mended(named(fault, text, content, words), text, best)
