"""Mend: a sign put into a broken text, or taken out, with which the text fits beyond the fault.

One lost or stray sign makes several places misfit: the closing bracket whose opener is lost, all lines of an argument
list, every other line up to the next quotes of a long string. With the sign mended, what is left are other mistakes.
Only a mend with which the text fits beyond the line of the fault counts.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import MIRRORED, OPENERS, brackets_of
from dovetail.diagnostics.line_places import (
    content_after,
    content_end,
    goes_deeper,
    line_end,
)
from dovetail.diagnostics.mends.bracket_changes import LAST_WORD
from dovetail.diagnostics.mends.closer_columns import mend_by_columns
from dovetail.diagnostics.mends.doubled_bracket import mend_doubled_bracket
from dovetail.diagnostics.mends.doubled_closer import mend_doubled, mend_empty_block
from dovetail.diagnostics.mends.doubled_lines import mend_doubled_lines
from dovetail.diagnostics.mends.half_child import mend_half_child
from dovetail.diagnostics.mends.half_line import leave_out_half_line
from dovetail.diagnostics.mends.half_opener import mend_half_opener
from dovetail.diagnostics.mends.half_statement import mend_half
from dovetail.diagnostics.mends.half_word import mend_half_word
from dovetail.diagnostics.mends.least_repair import mend_least
from dovetail.diagnostics.mends.lost_backtick import mend_backtick
from dovetail.diagnostics.mends.lost_block_line import mend_block_line
from dovetail.diagnostics.mends.lost_bracket import mend_lost_bracket
from dovetail.diagnostics.mends.lost_call import mend_lost_call
from dovetail.diagnostics.mends.lost_closer import is_of_values, mend_closer, mend_stray
from dovetail.diagnostics.mends.lost_closers import mend_lost_closers
from dovetail.diagnostics.mends.lost_header_line import mend_header_line
from dovetail.diagnostics.mends.lost_key_line import mend_lost_key_line
from dovetail.diagnostics.mends.lost_opener import mend_lost_opener
from dovetail.diagnostics.mends.lost_opening_line import mend_opening_line
from dovetail.diagnostics.mends.lost_quotes import mend_quotes
from dovetail.diagnostics.mends.mend_bracket import mend_bracket, mend_header_opener
from dovetail.diagnostics.mends.open_block import mend_block
from dovetail.diagnostics.mends.spoilt_element import leave_out_element
from dovetail.diagnostics.mends.spoilt_header import mend_header
from dovetail.diagnostics.mends.wrong_closer import mend_wrong_closer
from dovetail.diagnostics.mends.wrong_column import mend_column
from dovetail.diagnostics.mends.wrong_opener import mend_wrong_opener
from dovetail.diagnostics.mistakes.foreign_form import up_to_foreign
from dovetail.diagnostics.mistakes.open_comment import COMMENTS
from dovetail.diagnostics.next_mistake import best_before_next

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.diagnostics.change import Mend, Tried
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_CUT = re.compile(r"(?<!\w)([^\W\d]\w*)[ \t]+\Z")
_BRACKETS = frozenset({*MIRRORED, *MIRRORED.values()})
_MISSING = re.compile(r"perhaps a `([^`]+)` is missing before it\Z")
_CALLED = re.compile(r"[\w)\]}]\Z")
_NAME_EXPECTED = re.compile(r"expected a name\b")
_MEMBER = "a"
"""The look of a member's name."""
_CALL = "()"
"""The arguments of a call, which may be lost behind a function."""
_HEADER_END = ":"
"""The sign that ends a header where columns make blocks."""
_MOST_LOST = 20
"""The most words, each of its own kind, that are put in where one may be lost."""


def find_mend(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend of the first fault of a text with which most of the text fits; None if none goes on further."""
    if fault.offset == len(text) and text.startswith(COMMENTS, fault.reported.offset) and fault.meant is not None:
        # Whatever else is left out, the comment takes in all that follows.
        closed = _mended_word(machine, text, fault)
        if closed is not None:
            return closed
    found = _best_mend(machine, text, fault)
    return None if found is None else mend_lost_call(machine, text, found)


def _best_mend(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend with which most of the text fits, in its first words; None if none goes on further."""
    best = _furthest(machine, text, fault)
    is_sure = fault.meant is not None and fault.meant.is_sure
    if (best is not None and best.reach > len(text)) or (is_sure and fault.own is None):
        return best
    own = fault if fault.own is None else replace(fault, reported=fault.own)
    others = list(_others(machine, text, own))
    if own is not fault:
        here = _furthest(machine, text, own)
        if best is None:
            # A bracket that nothing closes explains more than a sign that leads to another mistake.
            best = here if here is not None and here.reach > len(text) else None
        others.insert(0, here)
    if best is None:
        return None
    best = best_before_next(machine, best, others, _furthest)
    if own is fault or best.fault.reported not in (fault.reported, own.reported):
        return best
    # What does not fit by itself is mended where it stands by a sign, and a bracket above by its end, or without it.
    opener = fault.reported.offset
    closer = MIRRORED.get(text[opener], ">")
    is_of_bracket = best.start <= opener or best.added < -1 or best.text.count(closer) > text.count(closer)
    told = fault if is_of_bracket else own
    return best._replace(fault=replace(best.fault, reported=told.reported))


def _others(machine: Machine, text: str, fault: Fault) -> Iterator[Mend | None]:
    """Yield the mends of a fault, each for itself, those with the furthest reach first."""
    found = [mend for mend in _by_brackets(machine, text, fault) if mend is not None]
    word = _mended_word(machine, text, fault)
    found += [mend for mend in (word, mend_half_child(machine, text, fault, None)) if mend is not None]
    yield from sorted(found, key=lambda mend: -mend.reach)
    yield mend_least(machine, text, fault, None)


def _furthest(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend of the first fault of a text with the furthest reach; None if none goes on further."""
    found = _of_signs(machine, text, fault)
    half = leave_out_half_line(machine, text, fault, found)
    is_known = found is not None and (
        not machine.brackets.has_blocks or (fault.meant is not None and fault.meant.is_sure)
    )
    if is_known or any(mend is not None and mend.reach > len(text) for mend in (half, found)):
        return half or found
    is_here = found is not None and found.fault.reported.line == fault.reported.line
    header = mend_header(machine, text, found.fault if found is not None and is_here else fault)
    if found is not None:
        # Of a header that is spoilt more than once, the block is to fit.
        # Without the brace of its block, one above that is never closed would be closed by the end of the block.
        has_block = header is not None and header.text.count("{") == text.count("{")
        is_whole = header is not None and header.reach > len(text) and has_block
        is_more = is_whole or (header is not None and found.reach <= content_after(text, fault.offset))
        return half or (header if is_more else found)
    return leave_out_half_line(machine, text, fault, header) or header


def _of_signs(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend of the first fault by what is lost, stray or meant otherwise; None if none explains it."""
    word = _mended_word(machine, text, fault)
    if word is not None and fault.meant is not None and fault.meant.is_sure:
        # A bracket that is lost spoils lines that a form of another language would mend one by one, but not one with
        # brackets of its own.
        is_plain = _BRACKETS.isdisjoint(text[fault.meant.start : fault.meant.end])
        # Below a header that is lost each statement is such a form where only members may stand. Below one that lacks
        # a bracket it is read as a part of that.
        whole = mend_bracket if machine.compiled.layout is not None else mend_by_columns
        lost = whole(machine, text, fault) if word.reach <= len(text) else None
        # With as much of the text, columns tell more than brackets, and lines that stand twice more than columns.
        of_brackets = mend_bracket(machine, text, fault) if machine.brackets.has_blocks and is_plain else None
        # Where words end blocks, a brace is that of a table.
        is_alone = text[fault.offset : line_end(text, fault.offset)].strip() == "}"
        is_of_table = is_alone and bool(machine.compiled.mistakes.closed_by)
        lost = lost if lost is not None and (is_of_table or lost.reach > len(text)) else None
        doubled, lines = mend_doubled(machine, text, fault), mend_doubled_lines(machine, text, fault)
        likely = (lines, lost, doubled, of_brackets)
        further = [mend for mend in likely if mend is not None and mend.reach > word.reach]
        word = max(further, key=lambda mend: mend.reach, default=word)
        word = mend_least(machine, text, fault, word) or word
        return mend_half_child(machine, text, fault, word) or word
    found = (*_by_brackets(machine, text, fault), word, *_by_lines(machine, text, fault))
    best = max((mend for mend in found if mend is not None), key=lambda mend: mend.reach, default=None)
    best = mend_least(machine, text, fault, best) or best
    best = mend_doubled_bracket(machine, text, fault, best) or best
    best = mend_half_child(machine, text, fault, best) or mend_half_opener(machine, text, fault, best) or best
    best = mend_half_word(machine, text, fault, best) or best
    best = mend_block_line(machine, text, fault, best) or best
    if best is not None and not text.startswith("{", best.fault.reported.offset):
        return best
    # What closes a brace of an element may stand further down, with half a line between.
    spoilt = leave_out_element(machine, text, fault)
    best = spoilt if best is None or (spoilt is not None and spoilt.reach > best.reach) else best
    return best or _mended_line(machine, text, fault)


def _by_brackets(machine: Machine, text: str, fault: Fault) -> tuple[Mend | None, ...]:
    """Return the mends of a fault by a bracket or quotes."""
    return (
        mend_doubled_lines(machine, text, fault),
        mend_wrong_opener(machine, text, fault),
        mend_lost_closers(machine, text, fault),
        mend_lost_opener(machine, text, fault),
        mend_empty_block(machine, text, fault),
        mend_by_columns(machine, text, fault),
        mend_lost_key_line(machine, text, fault),
        mend_doubled(machine, text, fault),
        mend_closer(machine, text, fault),
        mend_lost_bracket(machine, text, fault),
        mend_stray(machine, text, fault),
        mend_bracket(machine, text, fault),
        mend_header_opener(machine, text, fault),
        mend_quotes(machine, text, fault),
        mend_backtick(machine, text, fault),
        mend_opening_line(machine, text, fault),
        mend_header_line(machine, text, fault),
    )


def _by_lines(machine: Machine, text: str, fault: Fault) -> tuple[Mend | None, ...]:
    """Return the mends of a fault by a line in another column, a block or half a statement."""
    return (
        mend_column(machine, text, fault),
        mend_block(machine, text, fault),
        mend_wrong_closer(machine, text, fault),
        mend_half(machine, text, fault),
    )


def _mended_line(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend for a sign that is missing at a fault, with which its line fits, and perhaps not the next one."""
    sign = _MISSING.search(fault.reported.message)
    at = fault.reported.offset
    changes = [] if sign is None else [Change(at, at, f"{sign[1]} ")]
    best = best_change(machine, text, changes, line_end(text, fault.offset) - 1)
    return None if best is None else mended(fault, text, best)


def _mended_word(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend for a word or sign that was meant otherwise, for one that is cut in two, or for one that is lost.

    The message stays: only what follows from the mistake is to be known.
    """
    at = fault.reported.offset
    # The line that follows has to fit too: below a header without its colon, the block.
    least = line_end(text, content_after(text, fault.offset)) - 1
    ahead = fault.offset + len(up_to_foreign(machine.compiled.mistakes, text, fault.offset))
    if is_of_values(machine) and ahead < line_end(text, fault.offset):
        # A word of another language further ahead on the line is another mistake.
        least = min(least, ahead - 1)
    block = content_after(text, fault.offset)
    is_above_block = machine.compiled.layout is not None and goes_deeper(text, fault.offset)
    header: Tried | None = None
    is_sure = fault.meant is not None and fault.meant.is_sure
    # Where a line end is a lexeme, that of Windows may begin with a blank.
    is_at_end = at == fault.offset or (text.startswith("\r\n", at) and at + 1 == fault.offset)
    if fault.found in ("\r", "\n") and is_at_end and not is_sure:
        at = content_end(text, at)
        signs = [name.strip("`") for name in fault.expected if name.startswith("`")]
        # Behind an operator they would be a value of their own.
        is_called = _CALLED.search(text, 0, at) is not None and _CALL[0] in signs
        changes = [Change(at, at, _CALL)] if is_called else []
        changes += [Change(at, at, sign) for sign in signs if len(sign) == 1 and sign not in _BRACKETS]
        if is_above_block and _HEADER_END in signs:
            # No other sign makes the line end fit as that of a header, whatever the first line of the block is.
            header = best_change(machine, text, [Change(at, at, _HEADER_END)], block - 1)
    elif fault.meant is not None:
        changes = [Change(*fault.meant[:3])]
        # The column of its block fits below a header alone, whose first line may be wrong by itself.
        least = min(least, block) if is_above_block else least
        # The line was tried, so what does not fit after it is another mistake.
        if fault.meant.is_sure:
            least = min(fault.offset, line_end(text, fault.meant.end))
    else:
        cut = _CUT.search(text, 0, at)
        changes = [Change(cut.end(1), at, "")] if cut is not None and text[at : at + 1].isidentifier() else []
        if text[at - 1 : at] == "." and _NAME_EXPECTED.search(fault.reported.message):
            # As in `f(items.)`, the name is not written yet; the line below may be another half.
            changes, least = [Change(at, at, _MEMBER)], line_end(text, fault.offset)
        else:
            changes += [Change(at, at + 1, " ")] if text[at : at + 1] in _BRACKETS else []
        if fault.found.strip():
            # A word that opens or closes a block would change what belongs to which block.
            mistakes = machine.compiled.mistakes
            blocks = {*mistakes.closed_by, *mistakes.closed_by.values(), *mistakes.goes_on}
            words = [word for word in fault.texts if word.isalnum() and word not in blocks]
            changes += [Change(fault.offset, fault.offset, f"{sign} ") for sign in (",", *words[:_MOST_LOST])]
    best = best_change(machine, text, changes, least) or header
    word = LAST_WORD.search(text, 0, at)
    # Behind a keyword a value is lost, whatever `()` would be there.
    is_keyword = word is not None and word.group() in machine.compiled.literals
    if best is not None and best.change.sign == _CALL and not is_keyword:
        fault = named(fault, text, at, f"expected `{_CALL}` at the end of this line")
    closer = text[at : at + 1]
    if best is not None and best.change == Change(at, at + 1, " ") and closer in OPENERS:
        opened = brackets_of(machine.lexer, text[:at]).opened
        is_listed = fault.reported.message.startswith(f"`{closer}` does not fit here; expected ")
        if is_listed and (not opened or MIRRORED.get(opened[-1][1]) != closer):
            fault = named(fault, text, at, f"`{closer}` closes nothing")
    return None if best is None else mended(fault, text, best)
