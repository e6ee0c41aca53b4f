"""Faults: all places of a text that are wrong by themselves.

Error recovery knows what to leave out of a broken text so that the rest parses (`recovery/left.py`). The first fault is
that of the whole text. What recovery leaves out for it becomes blank, so that all offsets stay, and the fault of the
text is looked for once more. Where a sign that is lost or stray explains the fault (`mend.py`), it is put in or taken
out instead, and recovery reads the text anew.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from dovetail.diagnostics.above import OPEN, is_above
from dovetail.diagnostics.comments import before_comment
from dovetail.diagnostics.fault import Fault, find_bare_fault, find_fault
from dovetail.diagnostics.line_places import content_at, line_start, rest_of_line
from dovetail.diagnostics.markup.misnamed import find_misnamed
from dovetail.diagnostics.markup.module_comments import find_module_comments, with_module_comments
from dovetail.diagnostics.markup.open_element import SIDE_BY_SIDE
from dovetail.diagnostics.markup.tags import tags
from dovetail.diagnostics.mend import find_mend
from dovetail.diagnostics.mends.strayed_line import leave_out_line
from dovetail.diagnostics.mistakes.function_words import find_misplaced_words
from dovetail.diagnostics.mistakes.line_cut_short import at_line_cut_short
from dovetail.diagnostics.mistakes.outside_loops import is_of_broken_loop
from dovetail.diagnostics.reported import line_and_column
from dovetail.recovery.checkpoints import Checkpoints

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail.diagnostics.change import Mend
    from dovetail.quotient.machine import Machine
    from dovetail.quotient.omission import Omission
    from dovetail.recovery.placeholders import Placeholders

_FIRST_SIGN = re.compile(r"`([({\[,])` ")
"""The sign that a message is about."""
_LINE_LOST = re.compile(r"perhaps a line that .* is missing above this one\b")
"""The beginning of a message about a line that is lost."""
_BEREFT = re.compile(r"(`\w+`) has no `\w+`\Z")
"""The message about a part of a statement whose beginning is missing."""
_TAG = re.compile(r"</?\s*[\w$.:-]*")
_WORD = re.compile(r"[^\W\d]\w*[ \t]*")
_LINE = re.compile(r"(\blines? |(?<=\d )(?:and|to) )(\d+)\b")
"""The number of a line that a message names."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_MARKUP_COMMENT = re.compile("<!--")
_AT_END = re.compile(r"expected .* at the end of this line\Z")
_MOST_MENDS = 50
"""The most mends of a text. Each leads further into it but for those that only add what then lacks something else."""


class Added(NamedTuple):
    """Characters that a mend or a placeholder has added."""

    offset: int
    """The place where it stands, in the text as it was when it was added."""
    length: int
    """The number by which it made the text longer; negative where it took more out."""


def find_faults_of_program(machine: Machine, text: str) -> Iterator[Fault]:
    """Yield the faults of a text that fits the grammar.

    Those are comments of HTML in a module with elements, elements that end by another name, and words in a function
    that does not allow them.
    """
    yield from find_module_comments(machine.lexer, text)
    yield from find_misnamed(machine.lexer, text)
    yield from (word.fault for word in find_misplaced_words(machine, text))


def find_faults(machine: Machine, placeholders: Placeholders, text: str, most: int) -> list[Fault]:
    """Return the faults of a text in its order, at most `most`; none that only follows from an earlier one.

    In a text that fits the grammar they are those of `find_faults_of_program`.
    """
    if machine.accepts(text):
        return list(islice(find_faults_of_program(machine, text), most))
    faults: list[Fault] = []
    given = without_comments = text
    passed, mends = -1, 0
    mended = range(0)  # The lines of the last fault that was mended.
    added: list[Added] = []
    moved = 0  # The number of characters that placeholders have added since recovery read the text.
    left_out = list(_left_out(machine, placeholders, text))
    while True:
        omission = left_out.pop(0) if left_out else None
        # The mistakes further down are looked at by themselves.
        horizon = None
        if omission is not None:
            horizon = left_out[0].start + moved if left_out else len(text)
        if faults and not text.strip():
            break  # All that there was is reported.
        fault_of = find_bare_fault(machine, text, horizon=horizon)
        if fault_of is None:
            if passed < 0 and _TAG.findall(given) == _TAG.findall(text):
                # With all else mended, elements that end by another name are mistakes of their own. An element whose
                # beginning is there may have been read as a comparison.
                named = [each for each in find_misnamed(machine.lexer, text) if not _is_begun(machine, text, each)]
                places = {each.reported.offset for each in faults}
                moved_back = [_moved_back(each, given, text, added) for each in named]
                # A closing tag that is half-written, as `</fo`, lacks the end of its name, too.
                faults += [each for each in moved_back if each.reported.offset not in places]
            if passed < 0:
                faults += list(_misplaced_words(machine, given, text, added, faults))
            faults.sort(key=lambda each: each.reported.offset)
            break
        fault, bare = fault_of
        without_comments = _also_blank(without_comments, text, bare, added)
        commented, text = text, bare
        mend = None
        # What lies in a part that is blank already, or before it, is what that part has left behind.
        if fault.reported.offset > passed:
            mend = leave_out_line(machine, text, fault) or find_mend(machine, text, fault)
            told = at_line_cut_short(machine, text, fault if mend is None else mend.fault)
            found = _moved_back(told, given, text, added)
            found = replace(found, reported=before_comment(found.reported, given, without_comments))
            # The block below a mended line may be missing because the line was not finished.
            follows = fault.reported.header in mended
            if follows:
                mended = range(0)
            elif faults and _is_put_in(found, given):
                pass  # The rest of a line that a mend has begun anew, as with a brace that is to be closed.
            elif faults and _is_bereft(found, faults[-1]):
                pass  # Something above has ended the statement that goes on here, and was left out with it.
            elif faults and _is_opened_above(found, faults[-1], given):
                pass  # The line that is said to be missing is there, and was left out with its mistake.
            elif faults and _is_of_half_line(found, faults[-1], given):
                pass  # One line that is half-written, as `f(x, func() {`, leaves all open that it opens.
            elif is_of_broken_loop(
                machine.compiled.mistakes, found.reported.message, [each.reported.offset for each in faults], given
            ):
                pass  # The loop around the word was left out with its header.
            elif not faults or found.reported.offset > faults[-1].reported.offset:
                faults.append(found)
            elif mend is not None and is_above(found, faults, given, is_last=mend.reach > len(text)):
                faults.append(found)
                faults.sort(key=lambda each: each.reported.offset)
            else:
                # A mend of what is reported already leads back to it, again and again.
                mend = None
        if len(faults) >= most:
            break
        if mend is not None and mends < _MOST_MENDS:
            mends += 1
            more = mend.text.count("\n") - text.count("\n")
            mended = range(min(fault.line, mend.fault.reported.line), fault.line + more + 1)
            text, moved = _with_markup_comments(mend, commented, bare), 0
            added.append(Added(mend.start, mend.added))
            left_out = list(_left_out(machine, placeholders, text))
            continue
        if omission is None or omission.unread:
            break
        start, end = omission.start + moved, omission.end + moved
        instead = _instead(omission.instead, text[start:end])
        text = text[:start] + instead + text[end:]
        added.append(Added(start, len(instead) - (end - start)))
        moved += len(instead) - (end - start)
        passed = max(start + len(instead) - 1, passed)
    return with_module_comments(machine.lexer, given, faults)[:most]


def _with_markup_comments(mend: Mend, text: str, bare: str) -> str:
    """Return the text that a mend makes, with the comments of HTML behind it as in a text, blank in the one it was of.

    Before the mend they may have been read as comments of code, and in an element they are mistakes.
    """
    for found in _MARKUP_COMMENT.finditer(text):
        start = found.start()
        if bare[start].isspace() and mend.text[start + mend.added :] == bare[start:]:
            return mend.text[: start + mend.added] + text[start:]
    return mend.text


def find_fault_before(machine: Machine, placeholders: Placeholders, text: str, offset: int) -> Fault | None:
    """Return the first fault of a text that lies before an offset, in the words in which all faults are listed.

    None if what stands before the offset is the beginning of a program.
    """
    fault = find_fault(machine, text[:offset], whole=False)
    if fault is None or fault.offset >= offset:
        return None
    first = next(iter(find_faults(machine, placeholders, text, 1)), fault)
    return first if max(first.offset, first.reported.offset) < offset else fault


def _is_put_in(fault: Fault, given: str) -> bool:
    """Return whether the bracket or comma that a fault is about does not stand in the given text."""
    sign = _FIRST_SIGN.match(fault.reported.message)
    return sign is not None and not given.startswith(sign[1], fault.reported.offset)


def _is_bereft(fault: Fault, last: Fault) -> bool:
    """Return whether a fault is a part of a statement that could go on at the last fault, had it not been left out.

    What was surely meant there is mended, and leaves nothing out.
    """
    part = _BEREFT.match(fault.reported.message)
    is_mended = last.meant is not None and last.meant.is_sure
    return part is not None and part[1] in last.expected and not is_mended


def _is_opened_above(fault: Fault, last: Fault, text: str) -> bool:
    """Return whether a fault says that a line is missing above it, where the last fault is about the line there."""
    if not _LINE_LOST.match(fault.reported.message):
        return False
    above = text[: line_start(text, fault.reported.offset)].rstrip()
    return last.reported.line == line_and_column(text, max(len(above) - 1, 0))[0]


def _is_of_half_line(fault: Fault, last: Fault, text: str) -> bool:
    """Return whether a fault is what a line lacks at its end that the last fault calls stray, or says is left open.

    It lacks the end of a bracket, the last sign of the line, or more words.
    """
    found, told = fault.reported, last.reported
    is_beside = told.message == SIDE_BY_SIDE
    is_opener = OPEN.match(found.message) and (is_beside or not rest_of_line(text, found.offset)[1:].strip())
    if found.line != told.line or not (is_opener or _AT_END.match(found.message)):
        return False
    is_stray = told.offset == content_at(text, line_start(text, told.offset))
    is_stray = is_stray or (is_beside and not is_opener)
    # A keyword at the end of the line may be the beginning of a longer word, as in `if (!for`.
    is_begun = bool(told.expected) and _WORD.fullmatch(rest_of_line(text, told.offset)) is not None
    is_stray = is_stray or (is_begun and not is_opener)
    return is_stray or OPEN.match(told.message) is not None


def _is_begun(machine: Machine, text: str, fault: Fault) -> bool:
    """Return whether what looks like a tag of the name of the closing one at a fault, above it, begins no element."""
    closing = _TAG.match(text, fault.reported.offset)
    name = "" if closing is None else closing.group().replace("/", "")
    alike = {found.start() for found in _TAG.finditer(text, 0, fault.reported.offset) if found.group() == name}
    return bool(alike) and not alike.issubset(place for place, begun, _ in tags(machine.lexer, text) if begun)


def _misplaced_words(
    machine: Machine, given: str, text: str, added: list[Added], faults: Sequence[Fault]
) -> Iterator[Fault]:
    """Yield the words that their functions do not allow, as faults of the given text; `text` is it with all mended.

    A function in which something was mended before the word may have been meant otherwise, and so may a lost line.
    """
    lost = [each.reported.offset for each in faults if _LINE_LOST.match(each.reported.message)]
    for word in find_misplaced_words(machine, text):
        fault = _moved_back(word.fault, given, text, added)
        begin, end = _offset_before(word.begin, added), fault.offset
        begin = min([begin, *(place for place in lost if place <= end)])
        if not any(begin <= place <= end for each in faults for place in (each.offset, each.reported.offset)):
            yield fault


def _moved_back(fault: Fault, text: str, made: str, added: list[Added]) -> Fault:
    """Return a fault as one of the given text, from which mends and placeholders have made another, the last last."""
    if not any(each.length for each in added):
        return fault

    def line_before(found: re.Match[str]) -> str:
        starts = [0, *(end.end() for end in _LINE_END.finditer(made))]
        start = starts[min(int(found[2]), len(starts)) - 1]
        return f"{found[1]}{line_and_column(text, _offset_before(start, added))[0]}"

    offset, reported = _offset_before(fault.offset, added), _offset_before(fault.reported.offset, added)
    line, column = line_and_column(text, offset)
    place = line_and_column(text, reported)
    message = _LINE.sub(line_before, fault.reported.message)
    at = replace(fault.reported, offset=reported, line=place[0], column=place[1], message=message)
    return replace(fault, offset=offset, line=line, column=column, reported=at)


def _also_blank(given: str, text: str, bare: str, added: list[Added]) -> str:
    """Return a given text with blanks for the characters that are blank in `bare` and were not in `text`.

    `added`: what mends and placeholders have made of the given text, so that it became `text`.
    """
    characters = list(given)
    if text != bare:
        for offset, (old, new) in enumerate(zip(text, bare, strict=True)):
            if old != new and given[(place := _offset_before(offset, added)) : place + 1] not in ("", "\r", "\n"):
                characters[place] = " "
    return "".join(characters)


def _offset_before(offset: int, added: list[Added]) -> int:
    """Return an offset as one of the text before all that was added, the last last."""
    for each in reversed(added):
        if offset > each.offset or (offset == each.offset and each.length < 0):
            offset = max(offset - each.length, each.offset)
    return offset


def _left_out(machine: Machine, placeholders: Placeholders, text: str) -> tuple[Omission, ...]:
    """Return the parts that recovery leaves out of a text, as far as it reads the text.

    Its last line is read as one that is finished: nobody is typing there.
    """
    if not text.endswith(("\n", "\r")):
        found = _left_out(machine, placeholders, f"{text}\n")
        return tuple(each._replace(end=min(each.end, len(text))) for each in found if each.start < len(text))
    checkpoints = Checkpoints(machine, placeholders)
    left = next(checkpoints.read(text, len(text)), None)
    if left is None or not left.reader.has_statements:
        return ()  # Where no statement can be left out, mends alone say what was meant.
    left_out = left.checkpoints[-1].left_out  # A block whose only line was left out at the end has no other.
    return tuple(sorted(left.checkpoints[-1].left_out if left.finish(text) else left_out))


def _instead(placeholder: str, part: str) -> str:
    """Return what stands in for a part that is left out: as many lines, blank but for the placeholder."""
    if not placeholder:
        return re.sub(r"[^\n\r]", " ", part)
    return placeholder + "\n" * (part.count("\n") - placeholder.count("\n"))
