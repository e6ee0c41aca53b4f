"""Change: a sign put into a broken text, taken out or exchanged, and how much of the text fits with it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from dovetail.diagnostics.reach import find_reach
from dovetail.diagnostics.reported import reported_at
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.right_side import read_right

if TYPE_CHECKING:
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine


class Change(NamedTuple):
    """A sign that takes the place of a part of a text."""

    start: int
    end: int
    sign: str

    def made(self, text: str) -> str:
        """Return the text with the change."""
        return text[: self.start] + self.sign + text[self.end :]


class Tried(NamedTuple):
    """A change that was tried."""

    change: Change
    reach: int
    """The offset, in the text without the change, up to which the text fits with it; one more than its end for all."""


class Mend(NamedTuple):
    """A fault with the text in which it is mended."""

    fault: Fault
    """The fault, reported where the sign is lost or stray."""
    text: str
    start: int
    """The offset from which on the text is another one."""
    added: int
    """The number of characters that the text is longer."""
    reach: int
    """The offset, in the text without the mend, up to which the text fits with it."""


def best_change(machine: Machine, text: str, changes: list[Change], least: int) -> Tried | None:
    """Return the change after which most text fits, the first of several; None if none fits beyond `least`.

    `least`: an offset of the text without the change.
    """
    right = read_right(machine, machine.stacks(), "")
    beginning = Configuration((right.stacks.bottom,), machine.lexer.start)
    begin = min((change.start for change in changes), default=0)
    at = beginning.read(right.lexer, right.stacks, text[:begin])
    if at is None:
        return None
    best = None
    for change in changes:
        made = change.made(text)
        reach = begin + find_reach(right, at, made[begin:]) - (len(made) - len(text))
        # What a string or a bracket takes in is no text that fits after it.
        if reach > least and (best is None or reach - change.start > best.reach - best.change.start):
            best = Tried(change, reach)
    return best


def mended(fault: Fault, text: str, best: Tried) -> Mend:
    """Return the mend that a change makes."""
    made = best.change.made(text)
    return Mend(fault, made, best.change.start, len(made) - len(text), best.reach)


def named(fault: Fault, text: str, offset: int, message: str) -> Fault:
    """Return a fault that is reported elsewhere, in other words."""
    return replace(fault, reported=reported_at(text, offset, message))
