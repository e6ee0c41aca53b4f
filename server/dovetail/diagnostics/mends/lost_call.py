"""Lost call: the bracket behind a name that opens an empty call, or an empty list of a type: `db.commit)`, `T]`.

The end that is left closes nothing. Where the line says something without it too, as `return a)` does, it may as well
be one too many, so both are named.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import OPENERS
from dovetail.diagnostics.line_places import line_end, line_start

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.quotient.machine import Machine

_STRAY = re.compile(r"`([)\]])` (?:closes nothing|does not close `.` of line \d+)\Z")
"""The message about a bracket that has lost its opener, or is too many."""
_NAME = re.compile(r"(?P<name>[^\W\d][\w.:]*(?<=\w))(?P<closers>[)\]]*)\Z")
"""A name, with or without dots, and brackets right behind it."""
_TYPE = re.compile(r"[\w>\]](?P<closers>)\Z")
_VALUE = re.compile(r"[ \t]*(?:[\w.]+[ \t]+)*(?:[\w.]+[ \t]*:?=)?(?:[ \t]*[^\W\d]\w*)?[ \t]*\Z")
"""The beginning of a line of which a name is the whole value."""
_TYPED = re.compile(r":[ \t]*[^\W\d]")
"""The part of a line behind the parameters of a method that gives a type."""
_WORDS = re.compile(r"[ \t]*(?:[^\W\d]\w*[ \t]+)*\Z")
_ENDS = re.compile(r"[ \t]*;?[ \t]*(?=[\r\n]|\Z)")


def mend_lost_call(machine: Machine, text: str, mend: Mend) -> Mend:
    """Return a mend of a stray bracket that names the opener lost before it; the mend itself if none may be lost."""
    told = mend.fault.reported
    stray = _STRAY.match(told.message)
    at = told.offset
    if stray is None or not text.startswith(stray[1], at):
        return mend
    start, is_call = line_start(text, at), stray[1] == ")"
    before = (_NAME if is_call else _TYPE).search(text, start, at)
    if before is None:
        return mend
    place = at - len(before["closers"])
    best = best_change(machine, text, [Change(place, place, OPENERS[stray[1]])], line_end(text, at) - 1)
    if best is None or best.reach < mend.reach:
        return mend
    words = f"perhaps `{OPENERS[stray[1]]}` is missing before it"
    is_sure = True
    if is_call:
        begin, ends = text[start : before.start()], _ENDS.match(text, at + 1) is not None
        is_statement = not begin.strip() and ends
        is_label = begin.lstrip(" \t").startswith(machine.compiled.labels)
        is_method = _WORDS.match(begin) and not is_label and _TYPED.match(text, at + 1)
        without = best_change(machine, text, [Change(at, at + 1, " ")], line_end(text, at) - 1)
        is_sure = bool(not before["closers"] and (is_statement or is_method)) or without is None
        is_value = not before["closers"] and ends and _VALUE.match(begin) is not None
        if not (is_sure or is_value or "." in before["name"]):
            return mend
        words = f"perhaps `(` is missing behind `{before['name']}`" if before["closers"] else words
    words = words if is_sure else f"leave it out, or {words}"
    return mended(named(mend.fault, text, at, f"{told.message}; {words}"), text, best)
