"""Doubled closer: a brace that was written twice, as `}}` at a line's end or on two lines.

The second one closes a block that goes on below, and the text stops fitting far from it, at what closes nothing. On a
line of its own it stands deeper than the line of the brace that it closes, or right above a label such as `case`, whose
`switch` it has closed. A brace that ends an empty block (`{}`) above a deeper line is one too many as well.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import find_flaw, signs
from dovetail.diagnostics.line_places import line_column, line_start

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_DOUBLED = re.compile(r"^[ \t]*\}(\})[ \t]*(?=[\r\n]|\Z)", re.MULTILINE)
_AT_STRAY = re.compile(r"[ \t]*\}\}")
_EMPTY = re.compile(r"^([ \t]*)\S[^\r\n]*\{[ \t]*(\})[ \t]*(?:\r\n|\r|\n)(?=\1[ \t]+\S)", re.MULTILINE)
"""An empty block at the end of a line above a deeper one."""
_MOST = 12
"""The most doubled braces above a fault that are tried, the nearest ones."""


def mend_doubled(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that leaves out the second of two braces above a fault; None if none explains what is stray."""
    if not machine.brackets.has_blocks:
        return None
    end = max(fault.offset, fault.reported.offset)
    places = [found.start(1) for found in _DOUBLED.finditer(text, 0, end)]
    flaw = find_flaw(machine.lexer, text)
    if flaw is not None and flaw.is_stray and _AT_STRAY.fullmatch(text, line_start(text, flaw.offset), flaw.offset + 1):
        places.append(flaw.offset)  # As in `}}, [a]);`, where the first one closes its block.
    places += _above_label(machine, text, fault.reported.offset)
    return _without(machine, text, fault, sorted({*places, *_too_deep(machine, text, end)}))


def mend_empty_block(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that leaves out the end of an empty block above a fault if a deeper line follows; else None."""
    end = max(fault.offset, fault.reported.offset)
    places = [found.start(2) for found in _EMPTY.finditer(text, 0, end)] if machine.brackets.has_blocks else []
    return _without(machine, text, fault, places) if places else None


def _without(machine: Machine, text: str, fault: Fault, places: list[int]) -> Mend | None:
    """Return the mend that leaves out the brace at one of some places; None if none explains what is stray."""
    flaw = find_flaw(machine.lexer, text)
    if flaw is None or not flaw.is_stray:
        return None
    changes = [Change(place, place + 1, " ") for place in places[-_MOST:]]
    best = best_change(machine, text, changes, flaw.offset)
    if best is None:
        return None
    return mended(named(fault, text, best.change.start, "`}` is one too many"), text, best)


def _above_label(machine: Machine, text: str, offset: int) -> list[int]:
    """Return the offset of the brace that ends the line above a label that begins its line; empty if there is none."""
    above = text[: line_start(text, offset)].rstrip()
    is_label = text[line_start(text, offset) : offset].isspace() and text.startswith(machine.compiled.labels, offset)
    return [len(above) - 1] if is_label and above.endswith("}") else []


def _too_deep(machine: Machine, text: str, end: int) -> Iterator[int]:
    """Yield the offsets of closing braces that begin a line which is deeper than that of the brace that they close."""
    opened: list[int] = []
    for offset, lexeme in signs(machine.lexer, text):
        if offset >= end:
            return
        if lexeme == "{":
            opened.append(line_column(text, offset))
        elif lexeme == "}" and opened:
            is_first = not text[line_start(text, offset) : offset].strip()
            if opened.pop() < line_column(text, offset) and is_first:
                yield offset
