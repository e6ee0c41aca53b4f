"""Lost backtick: the end of a template, or of a field in one, where it is lost on the line on which it opens.

The next template then closes this one, and its text is read as code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import MIRRORED
from dovetail.diagnostics.line_places import content_after, line_end, line_ends, line_start
from dovetail.lexing.lexemes import lexemes
from dovetail.quotient.quoted import quoted

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_BOUNDARY = re.compile(r"\b|(?<=[^\w\s])|(?=[^\w\s])")
_MOST_PLACES = 60
"""The most places of a line at which a sign is tried."""


class _TextWithFields(NamedTuple):
    """A text with fields, or a field in one, that is open at a place."""

    offset: int
    opener: str
    closer: str
    """Its closing sign; empty for others, such as a bracket."""


def mend_backtick(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend for a text with fields that lacks its end; None if none helps beyond the line of the fault."""
    begin = line_start(text, fault.offset)
    # At the end of the text all of it has to fit: what is put into a field lets the field go on.
    is_at_end = fault.offset == len(text)
    least = len(text) if is_at_end else line_end(text, content_after(text, fault.offset)) - 1
    found: list[Mend] = []
    for opened in _open_above(machine, text, begin, fault.offset):
        stop = line_end(text, opened.offset)
        places = [each.start() for each in _BOUNDARY.finditer(text, opened.offset + len(opened.opener), stop)]
        changes = [Change(place, place, opened.closer) for place in (*places[:_MOST_PLACES], stop)]
        if opened.closer == opened.opener:
            changes += [Change(end, end, opened.closer) for end in line_ends(text, stop + 1, begin)]
        best = best_change(machine, text, changes, least)
        if best is not None:
            words = f"{quoted(opened.opener)} is never closed"
            found.append(mended(named(fault, text, opened.offset, words), text, best))
    return max(found, key=lambda mend: mend.reach, default=None)


def _open_above(machine: Machine, text: str, begin: int, offset: int) -> list[_TextWithFields]:
    """Return what is opened above a line that begins at an offset, and closed in it or not at all, the innermost first.

    What comes after a second offset is not read.
    """
    tags = machine.compiled.mistakes.elements.get("open", ())
    names = machine.compiled.productions.names
    opened: list[_TextWithFields] = []
    found: list[_TextWithFields] = []
    for start, end, terminal, _, depth in lexemes(machine.lexer, text[:offset]):
        if terminal is not None and depth > 0:
            is_tag = names[terminal] in tags
            opened.append(_TextWithFields(start, text[start:end], "" if is_tag else _closer(text[start:end])))
        elif depth < 0:
            found += opened[depth:] if start >= begin else ()
            del opened[depth:]
    return sorted((each for each in (*opened, *found) if each.closer and each.offset < begin), reverse=True)


def _closer(opener: str) -> str:
    """Return what closes a text with fields, or a field in one.

    >>> _closer("`"), _closer("${"), _closer("(")
    ('`', '}', '')
    """
    if len(opener) == 1:
        return "" if opener in MIRRORED or opener.isalnum() else opener
    return MIRRORED.get(opener[-1], "")
