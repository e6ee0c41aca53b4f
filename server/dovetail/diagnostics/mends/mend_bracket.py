"""Bracket mend: a bracket put in where its opener or its end is lost.

A bracket that closes nothing lacks its opener, at the fault or above it; one that is never closed lacks its end. The
columns and the other brackets of the text say which of the two it is.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from dovetail.diagnostics.brace_columns import unclosed_brace
from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import MIRRORED, OPENERS, brackets_of, closer_of, find_flaw
from dovetail.diagnostics.line_places import (
    content_after,
    content_at,
    line_column,
    line_end,
    line_ends,
    line_ends_above,
    line_start,
)
from dovetail.diagnostics.mends.bracket_changes import LAST_WORD, closers_up_to, openers
from dovetail.diagnostics.mends.early_closer import mend_early_closer
from dovetail.diagnostics.mends.whole_label import is_whole_label
from dovetail.diagnostics.mends.wrong_column import shortest_header
from dovetail.diagnostics.reported import line_and_column
from dovetail.lexing.lexemes import lexemes

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.diagnostics.flaw import Flaw
    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.machine import Machine

_ARROW = re.compile(r"[ \t]*=>")
_BREAK = re.compile(r"[\r\n]")
_WORD = re.compile(r"[^\W\d]\w*")
_BRACKETS = frozenset({*MIRRORED, *MIRRORED.values()})
_QUOTES = ('"', "'", "`")
_MOST_LOST = 20
"""The most words before which an opener is tried."""
_PARENTHESIS = "`(`"
"""The name of what the condition of a header begins with."""
_BLANKS = re.compile(r"[ \t]+(?=\S)")
_MOST_BLANKS = 12
"""The most blanks before which the end of a condition is tried."""
_INDEX = "0]"
"""The look of the rest of an index."""


def mend_bracket(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend for the first bracket of a text that closes nothing, or for one that is never closed."""
    at = fault.reported.offset
    flaw = find_flaw(machine.lexer, text)
    if text[at : at + 1] in MIRRORED and _BREAK.search(text, at, fault.offset):
        return _closed_innermost(machine, text, fault, at)
    if flaw is not None and flaw.is_open and flaw.offset <= at:
        is_block = machine.brackets.has_blocks and text[flaw.offset] == "{"
        opened = unclosed_brace(machine.lexer, text, flaw.offset) if is_block else flaw.offset
        return _closed_innermost(machine, text, fault, opened)
    if flaw is not None and flaw.is_open:
        return _closed_above(machine, text, fault)
    if flaw is None or not flaw.is_stray or flaw.offset < at:
        return None
    if flaw.offset == at:
        signs = (" ", MIRRORED[flaw.opener]) if flaw.opener in MIRRORED else (" ",)
        changes = [Change(at, at + 1, sign) for sign in signs]
        if flaw.opener in MIRRORED:
            # The bracket that is open may lack its end on a line above.
            ends = line_ends(text, flaw.opened + 1, at)
            words = [word.start() - 1 for word in _WORD.finditer(text, max(flaw.opened + 1, line_start(text, at)), at)]
            places = sorted({place for end in ends for place in (end - 1, end) if flaw.opened < place < at})
            places += [place for place in words[:_MOST_LOST] if text[place].isspace()]
            changes += [Change(place, place, MIRRORED[flaw.opener]) for place in (at, *places)]
            changes += [Change(at, at, closers) for closers in closers_up_to(machine, text, at)]
        changes += openers(machine, text, fault.offset, text[at])
        swapped = text[at : at + 2][::-1]
        is_swapped = _BRACKETS.issuperset(swapped) and MIRRORED.get(flaw.opener) == swapped[:1]
        changes += [Change(at, at + 2, swapped)] if is_swapped else []
        is_doubled = flaw.opener in MIRRORED and text.startswith(2 * flaw.opener, flaw.opened)
        changes += [Change(flaw.opened, flaw.opened + 1, " ")] if is_doubled else []
        empty = flaw.opened + 1  # As in `[]string`.
        changes += [Change(empty, empty, "]")] if flaw.opener == "[" else []
        best = best_change(machine, text, changes, line_end(text, at))
        plain = best_change(machine, text, changes[:1], line_end(text, at))
        best = plain if best is not None and plain is not None and plain.reach > best.reach else best
        if best is not None and best.change == Change(at, at + 2, swapped):
            fault = named(fault, text, at, f"`{text[at : at + 2]}` does not fit here; write `{swapped}`")
        if best is not None and is_doubled and best.change == Change(flaw.opened, flaw.opened + 1, " "):
            message = f"`{flaw.opener}` is one too many"
            if best_change(machine, text, [Change(at, at, MIRRORED[flaw.opener])], best.reach - 1) is not None:
                message += f", or `{MIRRORED[flaw.opener]}` is missing before `{text[at]}`"
            fault = named(fault, text, flaw.opened, message)
        spoilt = _without_header(machine, text, fault, flaw) if flaw.opener == "{" else None
        if spoilt is not None and (best is None or spoilt.reach > best.reach):
            return spoilt
        is_of_parameters = best is not None and _begins_parameters(text, fault, best.change)
        if best is not None and is_of_parameters:
            first = content_at(text, best.change.start)
            fault = named(fault, text, first, f"expected `{best.change.sign}` before `{text[first]}`")
        if best is not None and flaw.opener == "[" and best.change.start == empty:
            fault = named(fault, text, flaw.opened, "`[` is never closed")
        is_brace = flaw.opener.endswith("{")  # of a block, or of a field in a text
        if best is not None and machine.brackets.has_blocks and is_brace and "}" not in best.change.sign:
            fault = named(fault, text, at, f"`{text[at]}` closes nothing")  # the brace is closed further below
        elif best is not None and machine.brackets.has_blocks and best.change.sign == "}":
            opened = unclosed_brace(machine.lexer, text[:at], flaw.opened)
            if opened != flaw.opened:
                fault = named(fault, text, opened, "`{` is never closed")
        if best is not None and plain is None and not is_of_parameters:
            fault = _named_behind_word(fault, text, best.change, at)
        return None if best is None else mended(fault, text, best)
    found = _opened_bracket(machine, text, fault, flaw.offset)
    early = mend_early_closer(machine, text, fault, flaw.offset)
    found = early if early is not None and (found is None or early.reach >= found.reach) else found
    if flaw.opener in MIRRORED and not (machine.brackets.has_blocks and flaw.opener == "{"):
        # The bracket that the other one does not close may lack its end above the fault.
        closed = _closed_bracket(machine, text, fault, flaw.opened) if flaw.opened <= at else None
        found = closed if closed is not None and (found is None or closed.reach > found.reach) else found
    elif flaw.opener == "{" and text[at] == "," and "`}`" in fault.expected:
        # Behind the block of a callback another argument follows, as in `}, []);`.
        best = best_change(machine, text, [Change(at, at, "}")], line_end(text, fault.offset))
        if best is not None and (found is None or best.reach > found.reach):
            found = mended(named(fault, text, at, "expected `}` before `,`"), text, best)
    return found


def _without_header(machine: Machine, text: str, fault: Fault, flaw: Flaw) -> Mend | None:
    """Return the mend that leaves out the header of a block that is never closed, by the columns above a stray bracket.

    The end of the block is not all that is missing: behind that of a `try` something has to go on.
    """
    at = flaw.offset
    brace = unclosed_brace(machine.lexer, text[:at], flaw.opened) if machine.brackets.has_blocks else flaw.opened
    header = content_at(text, line_start(text, brace))
    if brace == flaw.opened or text[header] in OPENERS or text[brace + 1 : line_end(text, brace)].strip():
        return None
    change = Change(header, brace + 1, " " * (brace + 1 - header))
    best = best_change(machine, text, [change], line_end(text, at))
    return None if best is None else mended(named(fault, text, brace, "`{` is never closed"), text, best)


def _named_behind_word(fault: Fault, text: str, change: Change, closer: int) -> Fault:
    """Return a fault in words about an opener that a change puts between two words of a line, as in `f a);`.

    `closer`: what closes nothing without it. Elsewhere the fault stays as it is.
    """
    place = len(text[: change.start].rstrip(" \t"))
    word = LAST_WORD.search(text, 0, place)
    if word is None or change.sign != OPENERS[text[closer]] or content_at(text, place) != fault.offset:
        return fault
    line, _ = line_and_column(text, closer)
    why = f"for `{text[closer]}` on line {line} closes nothing"
    return named(fault, text, place, f"perhaps `{change.sign}` is missing after `{word.group()}`, {why}")


def mend_header_opener(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend for the parenthesis that is expected at a fault, as behind `if`, and closed on its line.

    Where nothing else may stand, both may be lost, and the second one before a blank.
    """
    at = fault.reported.offset
    change = Change(at, at, "(")
    if fault.expected == (_PARENTHESIS,):
        blanks = _BLANKS.finditer(text, at, line_end(text, at))
        changes = [Change(at, found.start(), f"({text[at : found.start()]})") for found in islice(blanks, _MOST_BLANKS)]
        best = best_change(machine, text, changes, line_end(text, content_after(text, line_end(text, at))) - 1)
        if best is not None:
            return mended(fault, text, best)
    closer = closer_of(machine.lexer, change.made(text), at) if _PARENTHESIS in fault.expected else None
    if closer is None or closer > line_end(text, at):
        return None
    best = best_change(machine, text, [change], line_end(text, at))
    return None if best is None else mended(fault, text, best)


def _begins_parameters(text: str, fault: Fault, change: Change) -> bool:
    """Return whether a change puts in the bracket of parameters, which a pattern begins and an arrow or block follows.

    Without it the text stops fitting before the pattern, or an arrow stands behind the end of the bracket.
    """
    at, first = fault.reported.offset, content_at(text, change.start)
    is_pattern = text[first : first + 1] in ("{", "[") and first < at and change.sign == "("
    return is_pattern and (first == fault.offset or _ARROW.match(text, at + 1) is not None)


def _closed_above(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that closes a block above the line of a fault, which is no deeper than the line that opened it.

    Further below something else is open, as in a text whose end is not written yet.
    """
    start = line_start(text, fault.offset)
    flaw = find_flaw(machine.lexer, text[:start])
    if flaw is None or not flaw.is_open or text[flaw.offset] != "{" or not machine.brackets.has_blocks:
        return None
    if line_column(text, fault.offset) > line_column(text, flaw.offset):
        return None
    best = best_change(machine, text, [Change(start, start, "}\n")], line_end(text, fault.offset) - 1)
    if best is None:
        return None
    opened = unclosed_brace(machine.lexer, text[:start], flaw.offset)
    return mended(named(fault, text, opened, "`{` is never closed"), text, best)


def _closed_bracket(machine: Machine, text: str, fault: Fault, offset: int) -> Mend | None:
    """Return the mend for the bracket at an offset, which is never closed.

    It may lack its end at the fault, at the end of a line, or before the last sign of one, as before a colon.
    """
    if text[offset] not in MIRRORED:
        return None
    ends = line_ends(text, offset + 1, line_end(text, fault.offset) + 1)
    first = content_at(text, line_start(text, fault.offset))  # Of a word, the text may stop fitting at its end.
    places = sorted({place for end in ends for place in (end - 1, end)} | {fault.reported.offset, fault.offset, first})
    places = _outside_of_strings(machine.lexer, text, [place for place in places if place > offset])
    changes = [Change(place, place, MIRRORED[text[offset]]) for place in places]
    if text[offset] == "[":
        is_last = not text[offset + 1 : line_end(text, offset)].strip()
        changes.append(Change(offset + 1, offset + 1, _INDEX if is_last else "]"))  # Nothing is no index.
    if text[fault.offset : fault.offset + 1] == ";" and machine.brackets.has_blocks:
        changes.append(Change(fault.offset, fault.offset + 1, MIRRORED[text[offset]]))  # It was written for the end.
    if machine.brackets.has_blocks and text[offset] == "(":
        # With the end of a header, what opens its block may be lost: a brace, `then` or `do`.
        end = line_end(text, offset)
        openers_of_blocks = dict.fromkeys(opener for _, opener in machine.brackets.openers)
        changes += [Change(end, end, f") {opener}") for opener in openers_of_blocks if opener not in "()"]
    if machine.compiled.layout is not None:
        changes += _ends_of_header(machine, text, offset)
    best = best_change(machine, text, changes, line_end(text, fault.offset))
    if best is None:
        return None
    is_above = _BREAK.search(text, offset, fault.reported.offset) is not None
    # In `[]string` nothing shows where else the end should be.
    is_named = is_above or (text[offset] == "[" and best.change.start == offset + 1)
    at_opener = named(fault, text, offset, f"`{text[offset]}` is never closed") if is_named else fault
    return mended(at_opener, text, best)


def _outside_of_strings(lexer: Lexer, text: str, places: list[int]) -> list[int]:
    """Return the places of a text that lie in no string: a bracket before the last quotes leaves it open."""
    spans = [(start, end) for start, end, terminal, _, _ in lexemes(lexer, text) if terminal is not None]
    spans = [(start, end) for start, end in spans if text[end - 1] in _QUOTES]
    return [place for place in places if not any(start < place < end for start, end in spans)]


def _ends_of_header(machine: Machine, text: str, offset: int) -> list[Change]:
    """Return the changes that end the header of a block in the line of a bracket, with all brackets open in it."""
    header = shortest_header(machine)
    start, end = line_start(text, offset), line_end(text, offset)
    opened = [sign for place, sign in brackets_of(machine.lexer, text[:end]).opened if place >= start]
    if header is None or not opened:
        return []
    closers = "".join(MIRRORED[sign] for sign in reversed(opened))
    signs = (closers, f"{_INDEX}{closers[1:]}") if opened[-1] == "[" else (closers,)
    return [Change(end, end, f"{each}{header[-1]}") for each in signs]


def _closed_innermost(machine: Machine, text: str, fault: Fault, opened: int) -> Mend | None:
    """Return the mend for the bracket at an offset, or for the innermost one at a fault, if that is of the same line.

    What closes the inner one further down was meant for the bracket of a line above.
    """
    outer = _closed_bracket(machine, text, fault, opened)
    inner = find_flaw(machine.lexer, text[: fault.offset])
    if inner is None or not inner.is_open or inner.offset <= max(opened, line_start(text, fault.offset)):
        return outer
    sign = text[inner.offset]
    if sign not in MIRRORED or line_start(text, fault.offset) <= opened:
        return outer
    is_here = fault.reported.line == fault.line
    told = fault if is_here else named(fault, text, inner.offset, f"`{sign}` is never closed")
    closed = _closed_bracket(machine, text, told, inner.offset)
    return closed if closed is not None and (outer is None or closed.reach >= outer.reach) else outer


def _opened_bracket(machine: Machine, text: str, fault: Fault, offset: int) -> Mend | None:
    """Return the mend for the closing bracket at an offset, which closes nothing or another bracket.

    Its opener is lost at the fault, right before it, or at the end of a line above.
    """
    at, closer = fault.reported.offset, text[offset]
    opener = OPENERS[closer]
    changes = openers(machine, text, at, closer)
    if machine.brackets.has_blocks:
        ends = (end for end in line_ends_above(text, fault.offset) if _may_open(machine, text, end))
        changes += [Change(end, end, f" {opener}") for end in ends]
    best = best_change(machine, text, changes, offset + 1)
    if best is None:
        return None
    is_at_end = opener == "{" and best.change.start == at and text[at : at + 1] in ("\r", "\n")
    if machine.brackets.has_blocks and (best.change.start < line_start(text, at) or is_at_end):
        words = f"expected `{opener}` at the end of this line"
        return mended(named(fault, text, best.change.start, words), text, best)
    line, _ = line_and_column(text, offset)
    follows = f"for `{closer}` on line {line} closes nothing"
    place = best.change.start
    if fault.is_in_wrong_column and place < line_start(text, at):
        if text[place - 1] in (*_QUOTES, ")"):
            return None  # A text opens nothing, and neither does a call.
        # The line above opens what this one stands in.
        is_last = not text[place : line_end(text, place)].strip()
        words = f"expected `{opener}` at the end of this line" if is_last else f"perhaps `{opener}` is missing here"
        return mended(named(fault, text, place, f"{words}, {follows}"), text, best)
    words = f"{fault.reported.misfit()}; perhaps `{opener}` is missing, {follows}"
    return mended(named(fault, text, at, words), text, best)


def _may_open(machine: Machine, text: str, end: int) -> bool:
    """Return whether the line that ends at an offset may be meant to open a bracket.

    It opens no block yet, ends no statement, is no label, and the next line is as deep or deeper.
    """
    is_whole = text[end - 1] in ("{", "}", ";") or is_whole_label(machine, text, end)
    return not is_whole and line_column(text, content_after(text, end)) >= line_column(text, end)
