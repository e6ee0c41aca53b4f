"""Mend: a sign put into a broken text, or taken out, with which the text fits beyond the fault.

One lost or stray sign makes several places misfit: the closing bracket whose opener is lost, all lines of an argument
list, every other line up to the next quotes of a long string. With the sign mended, what is left are other mistakes.
Only a mend with which the text fits beyond the line of the fault counts.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from dovetail.engine.broken_lexeme import find_broken_lexeme
from dovetail.engine.change import Change, best_change, mended, named
from dovetail.engine.flaw import MIRRORED, find_flaw
from dovetail.engine.lexemes import lexemes
from dovetail.engine.open_block import mend_block
from dovetail.engine.reported import line_and_column
from dovetail.engine.wrong_column import mend_column

if TYPE_CHECKING:
    from dovetail.engine.change import Mend
    from dovetail.engine.fault import Fault
    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.machine import Machine

_MOST_LINES = 60
"""The most lines at whose ends a bracket or a long string may have been closed."""

_OPENER = re.compile(r"\w*([^\w\s]+)")
_CUT = re.compile(r"(?<!\w)([^\W\d]\w*)[ \t]+\Z")
_BRACKETS = frozenset({*MIRRORED, *MIRRORED.values()})
_LAST_WORD = re.compile(r"[\w.]+\Z")
_CONTENT = re.compile(r"\S")
_BREAK = re.compile(r"[\r\n]")
_LINE_END = re.compile(r"(?<![ \t])[ \t]*(?=\r\n|(?<!\r)\n|\r|\Z)")


def find_mend(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend of the first fault of a text with which most of the text fits; None if none goes on further."""
    found = (
        _mended_bracket(machine, text, fault),
        _closed_string(machine, text, fault),
        _mended_word(machine, text, fault),
        mend_column(machine, text, fault),
        mend_block(machine, text, fault),
    )
    return max((mend for mend in found if mend is not None), key=lambda mend: mend.reach, default=None)


def _mended_word(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend for a word or sign that was meant otherwise, for one that is cut in two, or for one that is lost.

    The message stays: only what follows from the mistake is to be known.
    """
    at = fault.reported.offset
    # The line that follows has to fit too: below a header without its colon, the block.
    least = _line_end(text, _content_after(text, fault.offset)) - 1
    if fault.found in ("\r", "\n") and at == fault.offset:
        signs = [name.strip("`") for name in fault.expected if name.startswith("`")]
        changes = [Change(at, at, sign) for sign in signs if len(sign) == 1 and sign not in _BRACKETS]
    elif fault.meant is not None:
        changes = [Change(*fault.meant)]
        if text[fault.meant.start : fault.meant.end] in machine.compiled.mistakes.meant:
            least = fault.offset  # Another sign of that kind may follow on this line.
    else:
        cut = _CUT.search(text, 0, at)
        changes = [Change(cut.end(1), at, "")] if cut is not None and text[at : at + 1].isidentifier() else []
        changes += [Change(at, at + 1, " ")] if text[at : at + 1] in MIRRORED else []
        changes += [Change(fault.offset, fault.offset, ", ")] if fault.found.strip() else []
    best = best_change(machine, text, changes, least)
    return None if best is None else mended(fault, text, best)


def _closed_string(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend for a long string that is closed too late: by the quotes that open the next one, or not at all.

    The fault is where the string begins, or right after the quotes that close it.
    """
    at = fault.reported.offset
    found = _long_string(machine.lexer, text, at)
    if found is None:
        return None
    start, closer = found
    changes = [Change(end, end, closer) for end in _line_ends(text, start + len(closer), len(text))]
    best = best_change(machine, text, changes, fault.offset if start < at else at)
    # Beyond the line of the quotes at least one more has to fit: a line of prose may begin with a word that does.
    if best is None or best.reach <= _line_end(text, _content_after(text, best.change.start)):
        return None
    closed = fault if start == at else named(fault, text, start, f"`{closer}` is never closed")
    return mended(closed, text, best)


def _mended_bracket(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend for the first bracket of a text that closes nothing, or for one that is never closed."""
    at = fault.reported.offset
    flaw = find_flaw(machine.lexer, text)
    if flaw is not None and flaw.is_open and flaw.offset <= at:
        return _closed_bracket(machine, text, fault, flaw.offset)
    if flaw is None or not flaw.is_stray or flaw.offset < at:
        return None
    if flaw.offset == at:
        signs = (" ", MIRRORED[flaw.opener]) if flaw.opener in MIRRORED else (" ",)
        best = best_change(machine, text, [Change(at, at + 1, sign) for sign in signs], _line_end(text, at))
        return None if best is None else mended(fault, text, best)
    return None if flaw.opener else _opened_bracket(machine, text, fault, flaw.offset)


def _closed_bracket(machine: Machine, text: str, fault: Fault, offset: int) -> Mend | None:
    """Return the mend for the bracket at an offset, which is never closed.

    It may lack its end at the fault, at the end of a line, or before the last sign of one, as before a colon.
    """
    if text[offset] not in MIRRORED:
        return None
    ends = _line_ends(text, offset + 1, _line_end(text, fault.offset) + 1)
    places = sorted({place for end in ends for place in (end - 1, end)} | {fault.reported.offset, fault.offset})
    changes = [Change(place, place, MIRRORED[text[offset]]) for place in places if place > offset]
    best = best_change(machine, text, changes, _line_end(text, fault.offset))
    if best is None:
        return None
    is_above = _BREAK.search(text, offset, fault.reported.offset) is not None
    at_opener = named(fault, text, offset, f"`{text[offset]}` is never closed") if is_above else fault
    return mended(at_opener, text, best)


def _opened_bracket(machine: Machine, text: str, fault: Fault, offset: int) -> Mend | None:
    """Return the mend for the closing bracket at an offset: its opener at the fault, or right before it."""
    at, closer = fault.reported.offset, text[offset]
    opener = next(opener for opener, closing in MIRRORED.items() if closing == closer)
    before = len(text[:at].rstrip())
    word = _LAST_WORD.search(text, 0, before)
    places = (at, before, before if word is None else word.start())
    best = best_change(machine, text, [Change(place, place, opener) for place in places], offset + 1)
    if best is None:
        return None
    line, _ = line_and_column(text, offset)
    misfit = fault.reported.message.split("; ")[0]
    words = f"{misfit}; perhaps `{opener}` is missing, for `{closer}` on line {line} closes nothing"
    return mended(named(fault, text, at, words), text, best)


def _long_string(lexer: Lexer, text: str, offset: int) -> tuple[int, str] | None:
    """Return offset and quotes of a string that begins or ends at an offset.

    It is never closed, or of several lines; None if there is no such string.
    """
    for start, end, terminal, stack, _ in lexemes(lexer, text):
        if start > offset:
            break
        if terminal is None and start == offset:
            broken = find_broken_lexeme(lexer, stack, text, offset)
            quotes = "" if broken is None else _quotes(broken.opener)
            return (start, quotes) if quotes else None
        if offset in (start, end) and _BREAK.search(text, start, end):
            quotes = _quotes(text[start:end])
            return (start, quotes) if quotes else None
    return None


def _quotes(string: str) -> str:
    """Return the text that opens and closes a string; empty if other signs close it than open it."""
    match = _OPENER.match(string)
    quotes = "" if match is None else match[1]
    while quotes and not string.endswith(quotes):
        quotes = quotes[:-1]
    return quotes


def _line_ends(text: str, start: int, stop: int) -> list[int]:
    """Return the offsets at which the lines from one offset to another end, without the blanks at their ends."""
    found = (match.start() for match in _LINE_END.finditer(text, start, stop))
    return list(islice(found, _MOST_LINES))


def _content_after(text: str, offset: int) -> int:
    """Return the offset of the next line after an offset that is not blank, or of the end of the text."""
    match = _CONTENT.search(text, _line_end(text, offset))
    return len(text) if match is None else match.start()


def _line_end(text: str, offset: int) -> int:
    return min((end for sign in "\r\n" if (end := text.find(sign, offset)) >= 0), default=len(text))
