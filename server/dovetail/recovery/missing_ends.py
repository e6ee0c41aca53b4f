"""The end that the cursor's line lacks: that of a header, or a comma. The places for it, and what may stand there.

A header is most often typed before its body. An editor has closed its brackets, and it has no end yet, as in
`if len()`, or an end and no body, as in `def f(a, ):`. What is typed above other elements of a list has no comma yet.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.quotient.omission import Omission
from dovetail.recovery.limits import HEADER_LINES
from dovetail.recovery.line_ends import line_end

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CLOSED = re.compile(r"[\"'`]?[)\]}][)\]} \t]*|[\"'`][ \t]*")
"""A line of which an editor has written all."""
SEPARATOR = ","
"""The sign that an element of a list lacks: tried where no end of a header fits."""

_BRACE_ALONE = re.compile(r"\s*\}(?=[ \t]*(?:[\r\n]|\Z))")
"""The end of a block right below the cursor."""

_PARENTHESIS = re.compile(r"([(\[])|[)\]]")


def missing_brace_ends(text: str, offset: int, ends: Sequence[str]) -> list[Omission]:
    r"""Return what may be put in behind the brace that ends the block around an offset, below all that it holds.

    `ends`: the texts that may be missing there.

    >>> missing_brace_ends("go func() {\n\n}\n", 13, ["()"])
    [Omission(start=14, end=14, instead='()', unread=False)]
    >>> missing_brace_ends("go func() {\n\n}()\n", 13, ["()"])
    []
    """
    brace = _BRACE_ALONE.match(text, offset) if ends else None
    return [] if brace is None else [_at(brace.end(), put_in) for put_in in ends]


def missing_ends(text: str, offset: int, ends: Sequence[str], comment: str | None) -> list[Omission]:
    """Return what may be put in after an offset to end the header or the element there, the likeliest first.

    `ends`: the texts that end a header of the language, alone and with an empty block. Behind closing brackets each of
    them may stand; behind one of them, what another has more. Nothing says that the offset is in a header or in a list:
    a reader has to try.

    >>> [put_in.instead for put_in in missing_ends("if len()", 7, (":", ": pass"), "#")]
    [':', ': pass', ',']
    >>> missing_ends("if len():  # longer", 7, (":", ": pass"), "#")
    [Omission(start=9, end=9, instead=' pass', unread=False)]
    >>> missing_ends("x = len() + 1", 8, (":", ": pass"), "#")
    []
    """
    found: list[Omission] = []
    commas: list[Omission] = []
    for start, line in _lines(text, offset):
        code = line.rstrip()
        # A sign in a text would cut it short, and no reading with what is put in there fits.
        before = line.partition(comment)[0].rstrip() if comment else code
        for part in dict.fromkeys((code, before)):
            found += [_at(start + len(part), put_in) for put_in in _behind(part.lstrip(), ends)]
            commas += [_at(start + len(part), SEPARATOR)] if _CLOSED.fullmatch(part.lstrip()) else []
    return [*found, *commas]


def _lines(text: str, offset: int) -> Iterator[tuple[int, str]]:
    """Yield the rest of the cursor's line, and those after it that close a bracket around the cursor, with offsets."""
    depth, start = 0, offset
    for number in range(HEADER_LINES):
        end = line_end(text, start)
        line = text[start:end]
        outside = False
        for sign in _PARENTHESIS.finditer(line):
            depth += 1 if sign[1] else -1
            outside = outside or depth < 0
            depth = max(depth, 0)
        if number == 0 or outside:
            yield start, line
        start = end
        if start == len(text):
            return


def _behind(code: str, ends: Sequence[str]) -> Iterator[str]:
    """Yield what may be missing behind the code of a line."""
    if _CLOSED.fullmatch(code):
        yield from ends
    for end in ends:
        if code.endswith(end.strip()):
            yield from (other[len(end) :] for other in ends if other != end and other.startswith(end))


def _at(place: int, put_in: str) -> Omission:
    return Omission(place, place, put_in)
