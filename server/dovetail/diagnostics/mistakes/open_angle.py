"""Open angle: the `<` before arguments or parameters of a type that nothing closes.

What follows is read as further ones, so the text stops fitting at the sign behind them, or lines below.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED, OPENERS
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_column, line_end, rest_of_line
from dovetail.diagnostics.reach import fits
from dovetail.lexing.lexemes import lexemes
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_OPENER, _CLOSER, _COMMA, _VALUE = "<", ">", ",", "="
_ENDS = re.compile(r"[=;:,(){}\[\]|&]|\w|[\r\n]")
"""The signs that may stand behind arguments of a type, or behind the first word of what follows them."""
_BREAK = re.compile(r"[\r\n]")
_ARGUMENTS, _PARAMETERS = "<a[]>", "<a extends b[]>"
"""The look of arguments and parameters of types, which no values that are compared have."""
_CONDITION = " ? a : b>"
"""The rest of arguments whose last one is a condition, as which a second `extends` is read."""
_CALL = "f()"
"""The look of a value that is no type."""
_LONG = 40
"""The most characters of arguments that a message shows."""
_MOST_ENDS = 6
"""The most signs and words above a fault before which the arguments may end."""


def find_open_angle(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the `<` before a fault at an offset that is never closed; None if none explains the fault.

    Closed before the fault, or before a comma, `=` or keyword above it, it makes the line of the fault fit.
    """
    last = len(text[:offset].rstrip()) - 1
    if text.startswith(_OPENER, last) and _is_half_line(text, last):
        begun = _read(right, text, last)
        if begun is not None and all(fits(right, begun, each) for each in (_CALL, _ARGUMENTS)):
            return Hint(last, f"`{_OPENER}` is never closed")
    at = _read(right, text, offset)
    if at is None or not _ENDS.match(text, offset):
        return None
    # A comma behind the last arguments is one of the list around them. Before a second `extends` they end.
    may_close = text[:offset].rstrip().endswith(_COMMA) or any(fits(right, at, each) for each in (_CLOSER, _CONDITION))
    if not may_close:
        return None
    stops = (line_end(text, content_after(text, offset)), line_end(text, offset))
    opened = _opened(right, text, offset)
    innermost = opened[0][1] if opened else []
    for depth, (opener, ends) in enumerate(opened, 1):
        begun = _read(right, text, opener)
        if begun is None or not any(fits(right, begun, types) for types in (_ARGUMENTS, _PARAMETERS)):
            continue
        if _is_half_line(text, opener):
            return Hint(opener, f"`{_OPENER}` is never closed")
        last = len(text[:offset].rstrip())
        places = [(last, _CLOSER), *((end, _CLOSER) for end in ends[: -_MOST_ENDS - 1 : -1])]
        places += [(end, _CLOSER * depth) for end in (last, *(innermost[: -_MOST_ENDS - 1 : -1] if depth > 1 else ()))]
        for place, closers in places:
            before = _read(right, text, place)
            if before is None or not any(fits(right, before, f"{closers}{text[place:stop]}\n") for stop in stops):
                continue
            arguments = text[opener:place]
            if not _are_types(right, begun, arguments, closers):
                continue  # Both signs compare.
            words = f"`{_OPENER}` is never closed"
            if len(arguments) <= _LONG and not _BREAK.search(arguments):
                words += f"; write `{arguments}{closers}`"
            return Hint(opener, words, Meant(place, place, closers, is_sure=True))
    return None


def _are_types(right: RightSide, begun: Configuration, arguments: str, closers: str) -> bool:
    """Return whether further arguments, or parameters, of a type may stand behind some, which begin with `<`.

    `begun`: the configuration before them. `closers`: what closes them.
    """
    before = arguments.rstrip(f"{_COMMA} \t\r\n")
    return any(fits(right, begun, f"{before},{types[1:-1]}{closers}") for types in (_ARGUMENTS, _PARAMETERS))


def _is_half_line(text: str, opener: int) -> bool:
    """Return whether a sign is the last one of a line that the next one does not go on with, by columns."""
    below = content_after(text, opener)
    return not rest_of_line(text, opener + 1).strip() and line_column(text, below) <= line_column(text, opener)


def _opened(right: RightSide, text: str, offset: int) -> list[tuple[int, list[int]]]:
    """Return the signs that may open arguments before an offset, in the innermost bracket there, the last first.

    With each come the places between its arguments at which these may end: before commas, `=` and keywords.
    """
    keywords = {word for word in right.lexer.compiled.literals if word is not None and word.isalpha()}
    opened: list[tuple[int, str, list[int]]] = []
    for start, end, terminal, _, _ in lexemes(right.lexer, text[:offset]):
        sign = "" if terminal is None else text[start:end].strip()
        if sign == _OPENER or sign in MIRRORED:
            opened.append((start, sign, []))
        elif sign == _CLOSER and opened and opened[-1][1] == _OPENER:
            opened.pop()
        elif sign in OPENERS:
            while opened and opened.pop()[1] == _OPENER:
                pass
        elif opened and (sign in (_COMMA, _VALUE) or sign in keywords):
            opened[-1][2].append(len(text[:start].rstrip()))
    found: list[tuple[int, list[int]]] = []
    while opened and opened[-1][1] == _OPENER:
        start, _, ends = opened.pop()
        found.append((start, ends))
    return found


def _read(right: RightSide, text: str, offset: int) -> Configuration | None:
    """Return the configuration at an offset of a text; None if nothing fits there."""
    return Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:offset])
