"""Strayed tag: one that nothing closes before the sign of a condition, as in `{a && <b>&& (`.

All behind it is read as its text, or as its attributes, and what closes the brackets around it closes nothing.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from dovetail.diagnostics.broken_lexeme import shortened
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_end
from dovetail.diagnostics.markup.tags import is_in_content, is_in_tag
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.quoted import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.quotient.right_side import RightSide

_ATTRIBUTE = r"[ \t]+[A-Za-z][\w-]*(?:=(?:\"[^\"\r\n]*\"|'[^'\r\n]*'|\{[^{}\r\n]*\}))?"
_SIGN = r"&&|\|\||\?\?|\?(?!\.)"
_TAG = re.compile(
    rf"(?:({_SIGN})[ \t]*)?(</?(?:[A-Za-z][\w.]*(?:{_ATTRIBUTE})*)?[ \t]*>?)"
    rf"[ \t]*((?<![<\w])[A-Za-z_$][\w.$]*[ \t]*)?({_SIGN})"
)
"""A tag, or half of one, before a sign, with the sign before it and the value behind it if there are any."""
_MOST = 4
"""The most tags above a fault that are tried."""


def find_strayed_tag(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a tag before a sign, at or above a fault, without which the text fits beyond the fault.

    One of two signs around it is left out with it.
    """
    if not right.lexer.compiled.mistakes.elements:
        return None
    begun = Configuration((right.stacks.bottom,), right.lexer.start)
    above = reversed([found for found in _TAG.finditer(text) if found.start(2) < offset])
    for found in islice(above, _MOST):
        before = begun.read(right.lexer, right.stacks, text[: found.start()])
        at = begun.read(right.lexer, right.stacks, text[: found.start(2)])
        if before is None or at is None or is_in_content(right, at) or is_in_tag(right, at):
            continue
        last = max(offset, found.end())
        stops = (line_end(text, content_after(text, last)), line_end(text, last))
        for start, end in _parts(found):
            made = text[found.start() : start] + " " * (end - start)
            if any(fits(right, before, f"{made}{text[end:stop]}\n") for stop in stops):
                words = f"{quoted(shortened(text[start:end].rstrip()))} does not fit here; leave it out"
                return Hint(start, words, Meant(start, end, " " * (end - start), is_sure=True))
    return None


def _parts(found: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield the parts that are left out with a tag, by their beginnings and ends, the likeliest first.

    Of two signs that differ, the second one goes on with the line.
    """
    is_before_value = found[3] is not None
    if not is_before_value and found[1] is not None and found[1] != found[4]:
        yield found.start(1), found.end(2)
    yield found.start(2), found.end(2)
    if not is_before_value:
        yield found.start(2), found.end(4)
