"""Lost quotes: those that open or close a string, whose text is then read as code, and the code after it as text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.broken_lexeme import find_broken_lexeme
from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import find_flaw
from dovetail.diagnostics.line_places import content_after, line_end, line_ends, line_start
from dovetail.diagnostics.reported import NEVER_CLOSED, line_and_column
from dovetail.lexing.lexemes import lexemes
from dovetail.quotient.quoted import quoted

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.diagnostics.flaw import Flaw
    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.machine import Machine

_OPENER = re.compile(r"\w*([^\w\s]+)")
_QUOTES = re.compile(r"\w*([\"'`]+)")
_LONG_BRACKET = re.compile(r"\[(=*)\[")
_BRACKET = re.compile(r"\]=*")
_BREAK = re.compile(r"[\r\n]")
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_CONTENT = re.compile(r"\S")
_BOUNDARY = re.compile(r"\b|(?<=[^\w\s])|(?=[^\w\s])")

_LONG = 3
"""The quotes that open a string of several lines, at least."""

_MOST_PLACES = 60
"""The most places of a line at which quotes are put in."""

_MOST_ABOVE = 5
"""The most lines above a fault in which the text of a string may begin that is read as code."""


def mend_quotes(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend for quotes that are lost, with which most of the text fits; None if none helps."""
    found = (
        _half_closed(machine, text, fault),
        _closed(machine, text, fault),
        _opened(machine, text, fault),
        _closed_on_line(machine, text, fault),
        _closed_below(machine, text, fault),
        _closed_long_bracket(machine, text, fault),
    )
    return max((mend for mend in found if mend is not None), key=lambda mend: mend.reach, default=None)


def _half_closed(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend for a long string that is closed by less than its quotes, as in `'''text''`.

    The quotes that open the next one close it, so the text of that is read as code, and the last quotes close nothing.
    """
    at = fault.reported.offset
    below = line_end(text, at)
    strings = [
        (start, end, _quotes(text[start:end]))
        for start, end, terminal, _, _ in lexemes(machine.lexer, text[:below])
        if terminal is not None and _BREAK.search(text, start, end)
    ]
    found = _long_string(machine.lexer, text, at)
    if found is not None and found[0] == at:
        strings.append((at, len(text), found[1]))  # it is never closed
    for start, end, quotes in reversed(strings):
        if len(quotes) < _LONG:
            continue
        half = re.compile(rf"(?<!{quotes[0]}){quotes[0]}{{1,{len(quotes) - 1}}}(?=[ \t]*[\r\n])")
        halves = {half.end(): half.start() for half in half.finditer(text, start + len(quotes), end)}
        changes = [Change(stop, stop, quotes[stop - begin :]) for stop, begin in halves.items()]
        best = best_change(machine, text, changes, below)
        if best is not None:
            begin = halves[best.change.start]
            words = f"`{text[begin : best.change.start]}` does not close `{quotes}`; write `{quotes}`"
            return mended(named(fault, text, begin, words), text, best)
    return None


def _closed(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend for a long string that is closed too late: by the quotes that open the next one, or not at all.

    The fault is where the string begins, or in the first content after the quotes that close it.
    """
    at = fault.reported.offset
    found = _long_string(machine.lexer, text, at)
    if found is None:
        return None
    start, closer = found
    # With all quotes in pairs, lexemes alone nearly always show no mistake but brackets.
    flaw = find_flaw(machine.lexer, text) if start < at else None
    if start < at and (flaw is None or flaw.is_open or flaw.is_stray or _is_by_itself(machine.lexer, flaw, text, at)):
        return None
    changes = [Change(end, end, closer) for end in line_ends(text, start + len(closer), len(text))]
    best = best_change(machine, text, changes, fault.offset if start < at else at)
    # Beyond the line of the quotes at least one more has to fit: a line of prose may begin with a word that does.
    if best is None or best.reach <= line_end(text, content_after(text, best.change.start)):
        return None
    closed = fault if start == at else named(fault, text, start, f"{quoted(closer)} is never closed")
    return mended(closed, text, best)


def _opened(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend for a long string of which only the quotes that close it are left.

    Its text is read as code, and does not fit. The quotes then open a string, up to those of the next.
    """
    at = fault.reported.offset
    flaw = find_flaw(machine.lexer, text)
    if flaw is None or _is_by_itself(machine.lexer, flaw, text, at):
        return None
    found = _next_long_string(machine.lexer, text, line_start(text, at))
    if found is None:
        return None
    end, quotes = found
    least = line_end(text, content_after(text, end + len(quotes))) - 1
    begins, best = line_start(text, at), None
    # The line of the fault comes first: quotes further up take more in, and prove less.
    for _ in range(_MOST_ABOVE):
        content = _CONTENT.search(text, begins)
        places = {begins, begins if content is None or content.start() > at else content.start()}
        changes = [Change(place, place, quotes) for place in sorted(places, reverse=True) if place < end]
        best = best_change(machine, text, changes, least)
        if best is not None or begins == 0:
            break
        begins = line_start(text, begins - 1 - text.startswith("\r\n", begins - 2))
    if best is None:
        return None
    line, _ = line_and_column(text, end)
    misfit = fault.reported.misfit()
    words = f"{misfit}; perhaps `{quotes}` is missing, for `{quotes}` on line {line} closes nothing"
    return mended(named(fault, text, at, words), text, best)


def _closed_below(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend for a string of one line with a line end in it, which is left out; None for another fault."""
    at = fault.reported.offset
    end = line_end(text, at)
    line_break = _LINE_BREAK.match(text, end)
    opener = _short_opener(machine.lexer, text, at)
    if opener is None or line_break is None or opener[1] not in text[end : line_end(text, line_break.end())]:
        return None
    best = best_change(machine, text, [Change(end, line_break.end(), "")], line_end(text, line_break.end()) - 1)
    if best is None:
        return None
    message = f"{fault.reported.message}; perhaps it goes on in the next one"
    return mended(named(fault, text, at, message), text, best)


def _closed_on_line(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend for quotes that lack the others on their line: put in behind them, or before them."""
    at = fault.reported.offset
    stop = line_end(text, at)
    opener = _short_opener(machine.lexer, text, at)
    if opener is None:
        return None
    start, quotes = opener
    # Behind a sign of equality they open a string. In the text of an element further ones fit everywhere.
    begin = start if text[start - 1 : start] == "=" else line_start(text, at)
    before = [found.start() for found in _BOUNDARY.finditer(text, begin, start) if found.start() < start]
    after = [found.start() for found in _BOUNDARY.finditer(text, start + len(quotes), stop)]
    places = sorted({*before[-_MOST_PLACES:], *after[-_MOST_PLACES:], stop})
    changes = [Change(place, place, quotes) for place in places]
    best = best_change(machine, text, changes, line_end(text, content_after(text, at)) - 1)
    return None if best is None else mended(fault, text, best)


def _closed_long_bracket(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that closes a long bracket, such as `[[` of Lua, on its line, where its last sign may be left."""
    start = fault.reported.offset
    opened = _LONG_BRACKET.match(text, start)
    if opened is None or not fault.reported.message.endswith(NEVER_CLOSED):
        return None
    closer, stop = f"]{opened[1]}]", line_end(text, start)
    changes = [Change(found.start(), found.end(), closer) for found in _BRACKET.finditer(text, opened.end(), stop)]
    changes += [Change(found.start(), found.start(), closer) for found in _BOUNDARY.finditer(text, opened.end(), stop)]
    best = best_change(machine, text, [*changes, Change(stop, stop, closer)], line_end(text, content_after(text, stop)))
    return None if best is None else mended(fault, text, best)


def _is_by_itself(lexer: Lexer, flaw: Flaw, text: str, at: int) -> bool:
    """Return whether a flaw is the fault at an offset, and no string begins there: no other quotes are to blame."""
    return flaw.offset == at and not flaw.is_stray and not flaw.is_open and _short_opener(lexer, text, at) is None


def _short_opener(lexer: Lexer, text: str, offset: int) -> tuple[int, str] | None:
    """Return offset and quotes of the string of one line that begins at an offset and is not closed there."""
    for start, _, terminal, stack, _ in lexemes(lexer, text):
        if start > offset:
            break
        if start == offset and terminal is None:
            broken = find_broken_lexeme(lexer, stack, text, start)
            opener = None if broken is None or not broken.is_open else _OPENER.match(broken.opener)
            return None if opener is None else (start + opener.start(1), opener[1])
    return None


def _long_string(lexer: Lexer, text: str, offset: int) -> tuple[int, str] | None:
    """Return offset and quotes of a string that begins at an offset, or ends there or above it.

    It is never closed, or of several lines; None if there is no such string.
    """
    found = None
    for start, end, terminal, stack, _ in lexemes(lexer, text):
        if start > offset:
            break
        if terminal is None and start == offset:
            broken = find_broken_lexeme(lexer, stack, text, offset)
            quotes = "" if broken is None else _quotes(broken.opener)
            return (start, quotes) if quotes else found
        is_above = end <= offset and not text[end : max(line_start(text, offset), end)].strip()
        if (start == offset or is_above) and _BREAK.search(text, start, end) and text[start:end].strip():
            quotes = _quotes(text[start:end])
            found = (start, quotes) if quotes else found
    return found


def _next_long_string(lexer: Lexer, text: str, offset: int) -> tuple[int, str] | None:
    """Return offset and quotes of the first long string after an offset, closed or not; None if there is none."""
    for start, end, terminal, stack, _ in lexemes(lexer, text):
        if start < offset:
            continue
        if terminal is None:
            broken = find_broken_lexeme(lexer, stack, text, start)
            is_long = broken is not None and broken.is_open and not _BREAK.search(broken.opener)
            opener = _QUOTES.match(broken.opener) if broken is not None and is_long else None
            if opener is not None and len(opener[1]) > 1:
                return start + opener.start(1), opener[1]
        elif _BREAK.search(text, start, end) and (quotes := _quotes(text[start:end])):
            return text.index(quotes, start), quotes
    return None


def _quotes(string: str) -> str:
    """Return the text that opens and closes a string; empty if other signs close it than open it."""
    match = _QUOTES.match(string)
    quotes = "" if match is None else match[1]
    while quotes and not string.endswith(quotes):
        quotes = quotes[:-1]
    return quotes
