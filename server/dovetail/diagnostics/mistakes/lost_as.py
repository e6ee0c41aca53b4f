"""Lost `as`: the word between what is imported and its name here, as in `import { a b } from "c"`.

A comma would fit as well. Which of the two it is the rest of the file tells: behind `as` only the second name is used.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_start, rest_of_line
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_AS = "as"
_LINE = re.compile(r"[ \t]*(?:import|from)\b")
_BEFORE = re.compile(r"(?<![\w$])(?P<name>[^\W\d][\w$]*)[ \t]+\Z")
_NAME = re.compile(r"[^\W\d][\w$]*")


def find_lost_as(right: RightSide, text: str, start: int) -> Hint | None:
    """Return the hint for the word that is lost before the name at an offset; None if a comma is as likely."""
    begin = line_start(text, start)
    before, name = _BEFORE.search(text, begin, start), _NAME.match(text, start)
    if _AS not in right.lexer.compiled.literals or not _LINE.match(text, begin) or before is None or name is None:
        return None
    others = text[:begin] + text[start + len(rest_of_line(text, start)) :]
    if _is_used(before["name"], others) or not _is_used(name.group(), others):
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
    rest = f"{_AS} {rest_of_line(text, start)}\n"
    if at is None or before["name"] in right.lexer.compiled.literals or not fits(right, at, rest):
        return None
    words = f"`{name.group()}` does not fit here; perhaps `{_AS}` is missing before it"
    return Hint(start, words, Meant(start, start, f"{_AS} ", is_sure=True))


def _is_used(name: str, text: str) -> bool:
    """Return whether a name stands in a text by itself, and not as that of a member."""
    return re.search(rf"(?<![\w$.]){re.escape(name)}(?![\w$])", text) is not None
