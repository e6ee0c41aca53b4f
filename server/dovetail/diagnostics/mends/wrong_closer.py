"""Wrong closer: a word that ends blocks, below a block that ends with another one, as `end` below `repeat` in Lua.

Columns tell it from a block that is never closed: it stands below the word that opened the block. A block that is never
closed is followed by the end of the block around it, further to the left, or more of the text fits with its closer.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.line_places import line_column, line_end, line_start
from dovetail.diagnostics.mends.open_block import find_open_words
from dovetail.diagnostics.reported import line_and_column

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_WORD = re.compile(r"[^\W\d]\w*")
_VALUE = " 0"
"""The look of what follows a closer with a value, as `until`."""


def mend_wrong_closer(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend for the word at a fault that closes another kind of block; None if that is not the mistake."""
    closed_by = machine.compiled.mistakes.closed_by
    at = fault.reported.offset
    word = _WORD.match(text, at)
    if word is None or word.group() not in closed_by.values():
        return None
    opened = find_open_words(machine, text[:at])
    closer = closed_by[opened[-1].text] if opened else ""
    if closer in ("", word.group()):
        return None
    opener = opened[-1]
    is_first = not text[line_start(text, at) : at].strip()
    if is_first and line_column(text, at) != opener.column():
        return None
    # With the word goes the value that it has, as that of `until`.
    stops = (word.end(), line_end(text, at))
    changes = [Change(at, stop, f"{closer}{value}") for stop in stops for value in ("", _VALUE)]
    best = best_change(machine, text, changes, line_end(text, at) - 1)
    if best is None:
        return None
    line, _ = line_and_column(text, opener.offset)
    needed = f"`{closer}` and a condition" if best.change.sign.endswith(_VALUE) else f"`{closer}`"
    words = f"`{word.group()}` does not close `{opener.text}` of line {line}; write {needed}"
    return mended(named(fault, text, at, words), text, best)
