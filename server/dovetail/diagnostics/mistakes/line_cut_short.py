"""Line cut short: one that cannot end where it ends, above a line that fits nothing for that reason alone.

The text stops fitting at the first lexeme of the lower line, with which nothing is wrong. So what is expected is
expected at the end of the upper one, as `of` is in `for (const x` above a statement.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from dovetail.diagnostics.line_places import content_at, line_column, line_start
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.reported import reported_at
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.right_side import read_right

if TYPE_CHECKING:
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine
    from dovetail.quotient.right_side import RightSide

_EXPECTED = re.compile(r"; expected (?!nothing more\Z)(.*)\Z")
_ANEW = re.compile(r"\ba (?:declaration|statement|member)\b|the end of the line|`(?:\}|end)`")
"""Kinds of things that stand behind a line that has ended."""
_SIGN = re.compile(r"\??\.[^\W\d]|[*/%|&=<>]")
_GOES_ON = (",", "(", "[", "{")
"""The last signs of lines that go on below."""


def at_line_cut_short(machine: Machine, text: str, fault: Fault) -> Fault:
    """Return a fault, reported at the end of the line above it if that cannot end there.

    A line that may stand twice may end. One that is deeper goes on with the line above it; if it begins with a sign
    such as that of a member, a value is lost above.
    """
    told = fault.reported
    wanted = _EXPECTED.search(told.message)
    start = line_start(text, told.offset)
    above = len(text[:start].rstrip())
    if (
        wanted is None
        or _ANEW.search(wanted[1])
        or machine.compiled.layout is not None
        or text[start : told.offset].strip()
        or above == 0
    ):
        return fault
    first = content_at(text, line_start(text, above - 1))
    is_deeper = line_column(text, told.offset) > line_column(text, first)
    if (is_deeper and not _SIGN.match(text, told.offset)) or text.endswith(_GOES_ON, 0, above):
        return fault
    right = read_right(machine, machine.stacks(), "")
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:above])
    if at is None or fits(right, at, f"\n{text[first:above]}\n"):
        return fault
    names, expected = wanted[1], told.expected
    soonest = _soonest(right, at)
    if soonest and soonest not in names:
        names = f"{soonest}{', ' if ' or ' in names else ' or '}{names}"
        expected = (soonest, *expected)
    words = f"expected {names} at the end of this line"
    return replace(fault, reported=replace(reported_at(text, above, words), expected=expected))


def _soonest(right: RightSide, at: Configuration) -> str:
    """Return the sign that would end a text soonest where a line ends, as `=>` behind the type of a function.

    It may not stand on the next line. Empty if it is no sign or word.
    """
    ended = at.ended_as(right.lexer, right.stacks, at.lexer.accepted) or at
    closing = (right.closings.closing(ended) or "").lstrip()
    begun = [each for each in right.expecting.expectations(ended) if each.text.strip()]
    soonest = max(
        (each for each in begun if closing.startswith(each.text.strip())), key=lambda each: len(each.text), default=None
    )
    return soonest.name if soonest is not None and soonest.name.startswith("`") else ""
