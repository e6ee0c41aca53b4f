"""Spoilt header: a part of the header of a block that fits nothing, as the value in Lua's `function f(x, y = 1)`.

Without its header, the lines of a block, and what closes it, would be reported too. So as little as possible of the
header is left out, from the fault on, that lets the block below it fit. In a language of braces it may be all
parameters, from a bracket of the header on. Where columns make blocks, the line above a deeper one is a header, and may
be begun with a half word, as `ca` in a `match`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended
from dovetail.diagnostics.flaw import brackets_of
from dovetail.diagnostics.line_places import content_after, line_column, line_end, line_start

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_LEXEME = re.compile(r"\w+|[^\w\s]|\Z")
_WORD = re.compile(r"\w+")
_SIGNS = (" ", " x ", ") ", " x) ")
"""The texts that stand in the place of what is left out: the end of the parameters, and a name before it."""
_COLUMN_SIGNS = (" 0:", ":")
"""The texts that end a header in the place of what is left out where columns make blocks."""
_PARAMETERS = "() "
"""The parameters that stand in the place of what is left out from their bracket on."""
_MOST = 20
"""The most places of a header up to which it is left out."""


def mend_header(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that leaves out a part of the header that a fault stands in; None where no block begins below."""
    has_columns = machine.compiled.layout is not None
    # A bracket of the header that is never closed makes the text stop fitting on a line below.
    wrong = fault.reported.offset if has_columns else fault.offset
    start, end = line_start(text, wrong), line_end(text, wrong)
    line = text[start:end].rstrip()
    # The text stops fitting behind a word that may begin a name.
    at = fault.reported.offset if start <= fault.reported.offset < wrong else wrong
    openers = machine.compiled.mistakes.closed_by
    is_header = any(word.group() in openers for word in _WORD.finditer(text, start, at))
    is_above_block = has_columns and line_column(text, content_after(text, end)) > line_column(text, start)
    if not (is_header or is_above_block or (machine.brackets.has_blocks and line.endswith("{"))):
        return None
    at = min(at, start + len(line))
    places = [found.start() for found in _LEXEME.finditer(text, at, start + len(line))][:_MOST]
    signs = (*_begun_words(fault), *_COLUMN_SIGNS) if has_columns else _SIGNS
    changes = [Change(at, place, sign) for place in places for sign in signs]
    if machine.brackets.has_blocks:
        changes += [
            Change(begin, place, _PARAMETERS) for begin in _begins(machine, text, start, at) for place in places
        ]
    # The block has to fit.
    best = best_change(machine, text, changes, line_end(text, content_after(text, end)) - 1)
    return None if best is None else mended(fault, text, best)


def _begun_words(fault: Fault) -> list[str]:
    """Return the headers of keywords that may stand at a fault, each with a value."""
    words = (name.strip("`") for name in fault.expected if name.startswith("`"))
    return [f"{word}{_COLUMN_SIGNS[0]}" for word in words if word.isalpha()]


def _begins(machine: Machine, text: str, start: int, at: int) -> list[int]:
    """Return where the parameters of a header may begin, on a line that begins at an offset.

    That is at the first bracket that is open at the fault, at the last one that is closed, or at the fault.
    """
    brackets = brackets_of(machine.lexer, text[:at])
    opened = [place for place, _ in brackets.opened if place >= start]
    closed = [] if brackets.last is None or brackets.last[0] < start else [brackets.last[0]]
    return [*(opened[:1] or [at]), *closed]
