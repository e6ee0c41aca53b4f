"""Half a child: a tag, a brace or a value in an element that is not written to its end.

The closing tag below it is read as less-than and what a regular expression begins with, or as a part of the tag, and so
is all that follows. Without what is written of the child, the element around it ends where it should.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.fault import find_bare_fault
from dovetail.diagnostics.flaw import find_flaw
from dovetail.diagnostics.line_places import content_after, line_column, line_end, line_start
from dovetail.diagnostics.markup.open_parts import open_parts
from dovetail.diagnostics.markup.tags import is_behind_same, is_in_content, is_in_tag, tag_name
from dovetail.diagnostics.mistakes.open_template import left_open
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.quoted import quoted
from dovetail.quotient.right_side import read_right

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.machine import Machine

_CONTENT = re.compile(r"[^\r\n]")
_TAG = re.compile(r"<\s*/?\s*[\w$.:-]*")
_SIGN = "="
_EMPTY = '""'
_MISLED = re.compile(r"\A`(?:<…|<|/|</.*)` does not fit here\Z|\Aexpected a backtick(?! before)")
_NOT_KEPT = re.compile(
    r"\Aexpected a backtick| cannot stand in | closes nothing\Z| does not close |does not fit here"
    r"|`<` is never closed|is not closed on this"
)
"""The words of messages that only say what the half child was read as."""
_IS_WHOLE = re.compile(r"; write `|; leave it out\Z|`{` is one too many\Z|\Aexpected .* before the value\Z")
"""The words of messages about something that is whole with another sign."""
_OF_TAGS = ("tag", "end", "content")
"""The kinds of parts that tags open."""
_CLOSERS = (")", "]", "}")
_TAKES_IN = ("`", "${")
_MOST_TEMPLATES = 2
"""The most templates above a fault in which the child may end."""
_MOST = 8
"""The most open parts around a fault that are tried."""
_MOST_DEEPER = 40
"""The most lines that a half child may go on."""


def mend_half_child(machine: Machine, text: str, fault: Fault, other: Mend | None) -> Mend | None:
    """Return the mend that leaves out what is written of a child around a fault; None if another one goes as far."""
    if not machine.compiled.mistakes.elements:
        return None
    if other is not None and _is_misled(text, other):
        other = None
    if other is not None and (other.reach > len(text) or _is_whole(text, other.fault)):
        return None
    right = read_right(machine, machine.stacks(), "")
    begun = Configuration((right.stacks.bottom,), machine.lexer.start)
    least = line_end(text, content_after(text, fault.offset)) - 1
    least = least if other is None else max(least, other.reach)
    at_fault = fault.reported.offset
    found = None
    for offset, kind in _parts(machine.lexer, text, fault):
        if _is_closed_below(text, offset):
            continue  # What is wrong lies inside.
        # Behind the sign of an attribute only a value may stand.
        before = len(text[:offset].rstrip())
        is_value = kind == "{" and text.startswith(_SIGN, before - 1)
        at = begun.read(right.lexer, right.stacks, text[: before - 1 if is_value else offset])
        is_child = at is not None and not is_value and is_in_content(right, at)
        is_alone = not is_child and kind in _OF_TAGS  # As behind the arrow of a callback.
        if at is None or not (is_child or is_alone or (kind == "{" and is_in_tag(right, at))):
            continue
        # Behind a value the tag goes on. Where an element is a value, a whole one may stand below the half one.
        for end in [line_end(text, offset)] if is_value else _ends(machine.lexer, text, offset, kind):
            empties = [_EMPTY] if is_value else ["", _EMPTY] if is_alone else [""]
            changes = [Change(offset, end, each + _CONTENT.sub(" ", text[offset:end])[len(each) :]) for each in empties]
            best = best_change(machine, text, changes, least)
            is_taken_in = best is not None and best.reach == len(text) and text.startswith(_TAKES_IN, at_fault)
            if best is None or is_taken_in:
                continue
            if other is not None and other.start <= offset and _leads_to_whole(machine, other, offset):
                return None  # The child is another mistake, in words of its own.
            is_all = best.reach > len(text)
            # A whole element with a mistake in it is none that is left out.
            if is_all or (found is None and (kind != "content" or end == line_end(text, offset))):
                found = mended(_named(machine.lexer, text, fault, best.change, kind), text, best)
            if is_all:
                return found
    return found


def _is_misled(text: str, other: Mend) -> bool:
    """Return whether a mend is only about what a half child was read as, or takes all text into a template."""
    at = other.fault.reported
    return _MISLED.search(at.message) is not None or (
        other.reach == len(text) and text.startswith(_TAKES_IN, at.offset)
    )


def _is_whole(text: str, fault: Fault) -> bool:
    """Return whether a fault is surely about something that is whole with another sign, so that it was no half child.

    It may be a closing tag behind another one of its name.
    """
    at = fault.reported
    if fault.meant is None or not fault.meant.is_sure:
        return False
    return _IS_WHOLE.search(at.message) is not None or is_behind_same(text, at.offset)


def _leads_to_whole(machine: Machine, other: Mend, offset: int) -> bool:
    """Return whether a mend leads to a fault at an offset that is surely about something whole with another sign.

    The offset is one of the text without the mend.
    """
    following = find_bare_fault(machine, other.text)
    if following is None or following[0].reported.offset != offset + other.added:
        return False
    return _is_whole(following[1], following[0])


def _parts(lexer: Lexer, text: str, fault: Fault) -> Iterator[tuple[int, str]]:
    """Yield the offsets and the kinds of what is open at a fault, or where it is reported, the innermost first."""
    stops = {fault.offset, min(fault.offset, line_end(text, fault.reported.offset))}
    # A template takes in all that follows, up to the next backtick.
    stops |= {min(opener + 1, fault.offset) for opener in list(left_open(lexer, text, fault.offset))[-_MOST_TEMPLATES:]}
    found: dict[int, str] = {}
    for stop in stops:
        for part in open_parts(lexer, text[:stop]):
            found[part.offset] = part.kind
            if part.kind == "end":
                found[part.begun] = "content"
    yield from sorted(found.items(), reverse=True)[:_MOST]


def _ends(lexer: Lexer, text: str, offset: int, kind: str) -> Iterator[int]:
    """Yield where a child that begins at an offset may end: on its line, and below the lines that are deeper.

    An element that begins its line goes on below if it has deeper lines, and is half-written if the last of these
    leaves something open too.
    """
    column, first = line_column(text, offset), line_end(text, offset)
    end = first
    for _ in range(_MOST_DEEPER):
        content = content_after(text, end)
        if content == len(text) or line_column(text, content) <= column:
            break
        end = line_end(text, content)
    is_behind = bool(text[line_start(text, offset) : offset].strip())
    if kind != "content" or end == first or is_behind:
        yield first
    if end != first and (kind != "content" or _is_left_open(lexer, text[:end], offset)):
        yield end


def _is_left_open(lexer: Lexer, text: str, offset: int) -> bool:
    """Return whether the last line of a text leaves a part open within the one that begins at an offset."""
    inside = [part.offset for part in open_parts(lexer, text) if part.offset > offset]
    return bool(inside) and inside[-1] >= line_start(text, len(text.rstrip()))


def _is_closed_below(text: str, offset: int) -> bool:
    """Return whether the next line below a child that is no deeper closes it, or brackets, in its column."""
    name = tag_name(text, offset)
    closers = (*_CLOSERS, f"</{name}>") if name else _CLOSERS
    column, end = line_column(text, offset), line_end(text, offset)
    for _ in range(_MOST_DEEPER):
        content = content_after(text, end)
        if content == len(text) or line_column(text, content) <= column:
            return text.startswith(closers, content) and line_column(text, content) == column
        end = line_end(text, content)
    return False


def _named(lexer: Lexer, text: str, fault: Fault, child: Change, kind: str) -> Fault:
    """Return a fault as one of a child that a change leaves out, in its own words if they are about its lines."""
    at, offset = fault.reported.offset, child.start
    is_here = line_start(text, offset) <= at <= child.end
    message = fault.reported.message
    if is_here and (not _NOT_KEPT.search(message) or message.endswith(f"` of line {fault.reported.line}")):
        return fault
    is_element = kind == "content"
    half = text[: child.end if is_element else line_end(text, offset)]
    flaw = find_flaw(lexer, half)
    if flaw is not None and flaw.is_open and flaw.offset >= offset and text[flaw.offset] != "<":
        return named(fault, text, flaw.offset, flaw.message)
    opened = open_parts(lexer, half) if is_element else []
    if opened and opened[-1].offset > offset:
        offset, kind = opened[-1].offset, opened[-1].kind
    tag = _TAG.match(text, offset)
    if tag is None:
        return named(fault, text, offset, f"{quoted(text[offset])} is never closed")
    words = "".join(tag.group().split())
    if kind == "content":
        return named(fault, text, offset, f"`{words}>` is never closed")
    return named(fault, text, offset, f"{quoted(words)} is never closed by `{'>' if words[1:2] == '/' else '/>'}`")
