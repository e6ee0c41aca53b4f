"""Lost brace of an object: the first one of those that stand on a line with keys and the last brace.

As in `cone: body: cone, start: 1 },` and, in a list, `body: cone, start: 1 },`: the text stops fitting at a colon, and
the brace further ahead on the line closes something else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED, OPENERS
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_COLON, _OPENER, _CLOSER = ":", "{", "}"
_KEY = re.compile(r"(?:(?<![\w$.])[^\W\d][\w$]*|\"[^\"\r\n]*\"|'[^'\r\n]*')[ \t]*\Z")
_PART = re.compile(r"\"[^\"\r\n]*\"|'[^'\r\n]*'|`[^`\r\n]*`|[()\[\]{}]")


def find_lost_object_brace(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the key before the colon at an offset, before which a brace is lost; None for anything else.

    A brace further ahead on the line closes nothing of the line, and the line fits with one before the key.
    """
    if not text.startswith(_COLON, offset) or not right.lexer.compiled.blocks:
        return None
    key = _KEY.search(text, line_start(text, offset), offset)
    if key is None or not _is_closed(text, offset):
        return None
    place = key.start()
    if text[:place].rstrip().endswith(_OPENER):
        return None  # It is that of a block, or of a value in an element.
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:place])
    stops = (line_end(text, content_after(text, offset)), line_end(text, offset))
    meant = f"{_OPENER} "
    if at is None or not any(fits(right, at, f"{meant}{text[place:stop]}\n") for stop in stops):
        return None
    words = f"`{key.group().rstrip()}` does not fit here; perhaps a `{_OPENER}` is missing before it"
    return Hint(place, words, Meant(place, place, meant, is_sure=True))


def _is_closed(text: str, offset: int) -> bool:
    """Return whether the first bracket of a line that closes none of the line is a brace, behind an offset.

    Another bracket that is open there is closed behind it, so that the brace was not written for its end.
    """
    opened: list[str] = []
    end = line_end(text, offset)
    for part in _PART.finditer(text, line_start(text, offset), end):
        sign = part.group()
        if sign in MIRRORED:
            opened.append(sign)
        elif sign in OPENERS:
            opener = opened.pop() if opened else ""
            if opener != OPENERS[sign]:
                is_closed = not opener or MIRRORED[opener] in text[part.end() : end]
                return sign == _CLOSER and part.start() > offset and is_closed
    return False
