"""Lost name of an attribute: the sign behind it stands alone, as in `<input ={value}>`, or before the name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_end
from dovetail.diagnostics.markup.tags import is_in_tag
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.quoted import quoted

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_SIGN = "="
_NAME = "a"
"""The look of an attribute's name."""
_SWAPPED = re.compile(r"=([\w-]+)(?=[{\"'])")
_VALUE = re.compile(r"=(?=[{\"'])")


def find_lost_attribute_name(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the sign of an attribute at a fault that has no name before it; None if it has one."""
    if not right.lexer.compiled.mistakes.elements or not text.startswith(_SIGN, offset):
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:offset])
    if at is None or not text[offset - 1].isspace() or not is_in_tag(right, at):
        return None
    rest = line_end(text, offset)
    swapped = _SWAPPED.match(text, offset)
    if swapped is not None and fits(right, at, f"{swapped[1]}{_SIGN}{text[swapped.end() : rest]}"):
        meant = f"{swapped[1]}{_SIGN}"
        words = f"{quoted(swapped.group())} does not fit here; write {quoted(meant)}"
        return Hint(offset, words, Meant(offset, swapped.end(), meant, is_sure=True))
    if _VALUE.match(text, offset) and fits(right, at, f"{_NAME}{text[offset:rest]}"):
        words = f"expected the name of an attribute before `{_SIGN}`"
        return Hint(offset, words, Meant(offset, offset, _NAME, is_sure=True))
    return None
