"""Spoilt header: a part of the header of a block that fits nothing, as the value in Lua's `function f(x, y = 1)`.

Without its header, the lines of a block, and what closes it, would be reported too. So as little as possible of the
header is left out, from the fault on, that lets the block below it fit.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.engine.change import Change, best_change, mended
from dovetail.engine.line_places import content_after, line_end, line_start

if TYPE_CHECKING:
    from dovetail.engine.change import Mend
    from dovetail.engine.fault import Fault
    from dovetail.quotient.machine import Machine

_LEXEME = re.compile(r"\w+|[^\w\s]|\Z")
_WORD = re.compile(r"\w+")
_SIGNS = (" ", " x ", ") ", " x) ")
"""The texts that stand in the place of what is left out: the end of the parameters, and a name before it."""
_MOST = 20
"""The most places of a header up to which it is left out."""


def mend_header(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that leaves out a part of the header that a fault stands in; None where no block begins below."""
    start, end = line_start(text, fault.offset), line_end(text, fault.offset)
    line = text[start:end].rstrip()
    # The text stops fitting behind a word that may begin a name.
    at = fault.reported.offset if start <= fault.reported.offset < fault.offset else fault.offset
    openers = machine.compiled.mistakes.closed_by
    is_header = any(word.group() in openers for word in _WORD.finditer(text, start, at))
    if not (is_header or (machine.brackets.has_blocks and line.endswith("{"))):
        return None
    places = [found.start() for found in _LEXEME.finditer(text, at, start + len(line))]
    changes = [Change(at, place, sign) for place in places[:_MOST] for sign in _SIGNS]
    # The block has to fit.
    best = best_change(machine, text, changes, line_end(text, content_after(text, end)) - 1)
    return None if best is None else mended(fault, text, best)
