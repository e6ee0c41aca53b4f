"""Lost closer: a bracket that lacks its end, in a language of nothing but values, such as JSON.

What follows is read as a part of what is open, and stops fitting there or further below. With the bracket closed at
the right place all of it fits, so each place is tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.diagnostics.brace_columns import unclosed_brace
from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import MIRRORED, OPENERS, find_flaw
from dovetail.diagnostics.line_places import content_after, content_at, line_end
from dovetail.diagnostics.reported import line_and_column
from dovetail.lexing.lexemes import lexemes

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend, Tried
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_MOST_OPEN = 4
"""The most brackets that are tried, from the innermost on."""
_MOST_PLACES = 30
"""The most places at which the end of a bracket is tried."""


def is_of_values(machine: Machine) -> bool:
    """Return whether a language knows nothing but values: neither blocks nor columns nor words that close something."""
    return (
        machine.compiled.layout is None and not machine.brackets.has_blocks and not machine.compiled.mistakes.closed_by
    )


def mend_closer(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that closes a bracket before a fault, reported where the bracket opens; None if none helps."""
    if not is_of_values(machine):
        return None
    flaw = find_flaw(machine.lexer, text)
    if flaw is None or not (flaw.is_open or (flaw.is_stray and flaw.opener)):
        return None
    opened = _opened(machine, text, fault.offset)[: -_MOST_OPEN - 1 : -1]
    if flaw.is_open and text[flaw.offset] in MIRRORED:
        by_column = unclosed_brace(machine.lexer, text, flaw.offset)
        if by_column != flaw.offset:
            opened = [by_column]
        elif fault.offset == len(text):
            return None  # Any of those that are open may be meant: the outermost is reported.
    # What closes the bracket has to help further than to the next line.
    least = min(line_end(text, content_after(text, fault.offset)), len(text) - 1)
    best: tuple[int, Tried] | None = None
    for bracket in opened:
        tried = best_change(machine, text, _closed(machine, text, bracket, fault.offset), least)
        if tried is not None and (best is None or tried.reach > best[1].reach):
            best = (bracket, tried)
    if best is None:
        return None
    bracket, tried = best
    if flaw.is_stray and flaw.offset < tried.reach - 1:
        # One bracket may be written for the other.
        instead = [Change(flaw.offset, flaw.offset + 1, MIRRORED[flaw.opener])] if flaw.opener in MIRRORED else []
        other = best_change(machine, text, instead, tried.reach - 1)
        if other is not None:
            return None
    return mended(named(fault, text, bracket, f"`{text[bracket]}` is never closed"), text, tried)


def mend_stray(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend of a closing bracket that closes nothing, with which all of the text fits; None if none does.

    The bracket at the fault or before it is one too many, or one is lost before the key or value there.
    """
    flaw = find_flaw(machine.lexer, text) if is_of_values(machine) else None
    if flaw is None or not flaw.is_stray or (flaw.opener and flaw.offset != fault.offset):
        return None
    before = len(text[: fault.offset].rstrip())
    seen = [each for each in lexemes(machine.lexer, text[: fault.offset]) if text[each.start : each.end].strip()]
    for place in (before - 1, fault.offset):
        if text[place : place + 1] not in OPENERS:
            continue
        # With it, the comma behind it may be one too many.
        comma = content_at(text, place + 1)
        ends = (place + 1, comma + 1) if text.startswith(",", comma) else (place + 1,)
        best = best_change(machine, text, [Change(place, end, " ") for end in ends], len(text))
        if best is not None:
            return mended(named(fault, text, place, f"`{text[place]}` is one too many"), text, best)
    if flaw.opener:
        return None
    changes = [Change(each.start, each.start, OPENERS[text[flaw.offset]]) for each in seen[-2:]]
    best = best_change(machine, text, changes, len(text))
    if best is None:
        return None
    start, sign = best.change.start, best.change.sign
    word = next(text[each.start : each.end] for each in seen if each.start == start)
    line, _ = line_and_column(text, flaw.offset)
    why = f"perhaps `{sign}` is missing before it, for `{text[flaw.offset]}` on line {line} closes nothing"
    return mended(named(fault, text, start, f"`{word}` does not fit here; {why}"), text, best)


def _opened(machine: Machine, text: str, offset: int) -> list[int]:
    """Return the offsets of the brackets that are open at an offset, the innermost last."""
    opened: list[int] = []
    for start, end, terminal, _, _ in lexemes(machine.lexer, text[:offset]):
        sign = "" if terminal is None else text[start:end]
        if sign in MIRRORED:
            opened.append(start)
        elif sign in MIRRORED.values() and opened:
            opened.pop()
    return opened


def _closed(machine: Machine, text: str, bracket: int, offset: int) -> list[Change]:
    """Return the changes that close a bracket at what is inside of it, the last place before a fault first.

    A comma may be lost with the bracket.
    """
    closer = MIRRORED[text[bracket]]
    places: list[int] = []
    depth = 0
    for start, end, terminal, _, _ in lexemes(machine.lexer, text[:offset]):
        sign = "" if terminal is None else text[start:end]
        if start < bracket or not text[start:end].strip():
            continue
        depth += (sign in MIRRORED) - (sign in MIRRORED.values())
        if depth <= 1:
            places.append(end)
    nearest = places[: -_MOST_PLACES - 1 : -1]
    return [Change(place, place, sign) for place in nearest for sign in (closer, f"{closer},")]
