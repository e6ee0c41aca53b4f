"""Changes that put brackets in: the openers that may be lost around a fault, and what closes several at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change
from dovetail.diagnostics.flaw import MIRRORED, OPENERS, brackets_of
from dovetail.diagnostics.line_places import content_after, line_start

if TYPE_CHECKING:
    from dovetail.quotient.machine import Machine

LAST_WORD = re.compile(r"[\w.]+\Z")
_FIRST_WORD = re.compile(r"\w+[ \t]+(?=\S)")


def closers_up_to(machine: Machine, text: str, at: int) -> list[str]:
    """Return what closes the brackets up to the one that a bracket at an offset closes, if they are several."""
    opened = [sign for _, sign in brackets_of(machine.lexer, text[:at]).opened]
    if OPENERS[text[at]] not in opened:
        return []
    last = len(opened) - opened[::-1].index(OPENERS[text[at]])
    return ["".join(MIRRORED[each] for each in reversed(opened[last:]))] if len(opened) - last > 1 else []


def openers(machine: Machine, text: str, at: int, closer: str) -> list[Change]:
    """Return the changes that put the opener of a bracket at an offset, or right before it.

    Or at the last bracket on the line, or right in it, which is closed there: `f{ a }, b)` and `List[a], b]`. In a
    language whose columns make blocks also behind the first word of the line: `case "a": b}:`.
    """
    opener = OPENERS[closer]
    last = brackets_of(machine.lexer, text[:at]).last
    inner = last[0] if last is not None and last[0] >= line_start(text, at) else at
    before = len(text[:at].rstrip())
    word = LAST_WORD.search(text, 0, before)
    first = content_after(text, line_start(text, at) - 1) if line_start(text, at) else 0
    places = [at, before, before if word is None else word.start(), min(first, at), inner, min(inner + 1, at)]
    header = None if machine.compiled.layout is None else _FIRST_WORD.match(text, first, at)
    places += [] if header is None else [header.end()]
    return [Change(place, place, opener) for place in places]
