"""Lost bracket: the one that opens the value of a key, in a language of nothing but values, such as JSON.

The first value of the list is read as that of the key, and the second one does not fit; or the first key of the inner
object stands where a value may end. What closes the lost bracket stands further down, and closes nothing, or another
bracket.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import MIRRORED, OPENERS, brackets_of, find_flaw, signs
from dovetail.diagnostics.line_places import content_at, content_end
from dovetail.diagnostics.mends.lost_closer import is_of_values
from dovetail.diagnostics.reported import line_and_column
from dovetail.quotient.quoted import quoted

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_COLON = ":"
_KEY = re.compile(r"(\"(?:[^\"\\\r\n]|\\.)*\")\s*\Z")
_BEHIND = re.compile(r"[ \t]*(?:(?P<end>[\r\n])\s*)?(?P<value>\"(?:[^\"\\\r\n]|\\.)*\"|[\w.+-]+|\S)")
"""The text behind a colon: perhaps the end of the line, and the first lexeme of the value."""


def mend_lost_bracket(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend that opens the value of the last key before a fault; None if it does not help."""
    flaw = find_flaw(machine.lexer, text) if is_of_values(machine) else None
    if flaw is None or not flaw.is_stray:
        return None
    element = _mended_element(machine, text, fault, flaw.offset)
    if element is not None:
        return element
    colon = _last_colon(machine, text, fault.offset)
    value = None if colon is None else _BEHIND.match(text, colon + 1)
    if value is None or colon is None or value.start("value") > max(fault.offset, flaw.offset):
        return None
    without = Change(flaw.offset, flaw.offset + 1, " ")
    behind = min(content_at(text, flaw.offset + 1), len(text) - 1)
    if not value["end"] and best_change(machine, text, [without], max(fault.offset, behind)):
        return None  # What closes it may as well be too many.
    closer = text[flaw.offset]
    sign = OPENERS[closer]
    place = colon + 1 if value["end"] else value.start("value")
    best = best_change(machine, text, [Change(place, place, sign)], max(flaw.offset, fault.offset))
    if best is None:
        return None
    line, _ = line_and_column(text, flaw.offset)
    why = f", for `{closer}` on line {line} closes nothing"
    if value["end"]:
        place = content_end(text, value.start("end"))
        return mended(named(fault, text, place, f"expected `{sign}` at the end of this line{why}"), text, best)
    word = value["value"]
    is_comment = text.startswith(machine.compiled.comment or "//", place)
    told = f"perhaps `{sign}` is missing before {'the comment' if is_comment else quoted(word)}{why}"
    return mended(named(fault, text, place, told), text, best)


def _mended_element(machine: Machine, text: str, fault: Fault, stray: int) -> Mend | None:
    """Return the mend that opens an object of a list before its first key, whose colon does not fit; else None.

    `stray`: the offset of what closes the object.
    """
    key = _KEY.search(text, 0, fault.offset)
    opened = brackets_of(machine.lexer, text[: fault.offset]).opened
    if key is None or not text.startswith(_COLON, fault.offset) or not opened or opened[-1][1] != "[":
        return None
    place = key.start(1)
    best = best_change(machine, text, [Change(place, place, "{")], max(stray, fault.offset))
    if best is None:
        return None
    line, _ = line_and_column(text, stray)
    told = f"perhaps `{{` is missing before {quoted(key[1])}, for `{text[stray]}` on line {line} closes nothing"
    return mended(named(fault, text, place, told), text, best)


def _last_colon(machine: Machine, text: str, offset: int) -> int | None:
    """Return the offset of the last colon directly inside of the innermost bracket at an offset; None if none is."""
    colons: list[int | None] = [None]
    for start, sign in signs(machine.lexer, text[:offset]):
        if sign in MIRRORED:
            colons.append(None)
        elif sign in OPENERS and len(colons) > 1:
            colons.pop()
        elif sign == ":":
            colons[-1] = start
    return colons[-1]
