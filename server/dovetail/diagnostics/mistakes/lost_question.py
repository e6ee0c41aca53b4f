"""Lost question: the first sign of a condition such as `a ? b : c` that is lost, or doubled, above the second one.

Over several lines the text stops fitting only at the second sign, which begins a line of its own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED, OPENERS, signs
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.reported import line_and_column
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_FIRST, _SECOND, _DOUBLED = "?", ":", "??"
_AS_SIGN = re.compile(r"[)\]}]?[ \t]*:")
"""The beginning of a line that goes on with a condition."""


def find_lost_question(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the sign of a condition that is lost or doubled above the second one, which is at an offset.

    None if there is none.
    """
    literals = right.lexer.compiled.literals
    begin = content_at(text, line_start(text, offset))
    if not text.startswith(_SECOND, offset) or not {_FIRST, _DOUBLED}.issubset(literals):
        return None
    if _AS_SIGN.fullmatch(text, begin, offset + 1) is None:
        return None
    stops = (line_end(text, content_after(text, offset)), line_end(text, offset))
    doubled = _doubled_before(right, text, offset)
    above = content_at(text, line_start(text, len(text[:begin].rstrip())))
    for start, end in ((doubled, doubled + len(_DOUBLED)), (above, above)):
        if start < 0 or start >= begin:
            continue
        at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
        if at is None or not any(fits(right, at, f"{_FIRST} {text[end:stop]}\n") for stop in stops):
            continue
        meant = Meant(start, end, f"{_FIRST} " if start == end else _FIRST, is_sure=True)
        if start < end:
            return Hint(start, f"`{_DOUBLED}` does not fit here; perhaps `{_DOUBLED}` should be `{_FIRST}`", meant)
        line, _ = line_and_column(text, offset)
        return Hint(start, f"perhaps a `{_FIRST}` is missing here, for `{_SECOND}` on line {line} has none", meant)
    return None


def _doubled_before(right: RightSide, text: str, offset: int) -> int:
    """Return the offset of the last doubled sign before another, in the same bracket; -1 for none."""
    found = [-1]
    for start, sign in signs(right.lexer, text[:offset]):
        if sign in MIRRORED:
            found.append(-1)
        elif sign in OPENERS and len(found) > 1:
            found.pop()
        elif sign.strip() == _DOUBLED:
            found[-1] = start
    return found[-1]
