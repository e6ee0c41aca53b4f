"""Above: a mistake that shows only after those below it are mended.

An element that is open since a line above the last mistake stops the text below it, a comma may be too many once what
stood behind it is left out, and two words may open a block that nothing closes. The end of a block whose header is
mended closes one above no more.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED, OPENERS
from dovetail.diagnostics.line_places import content_at, line_column, line_start

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.diagnostics.fault import Fault

OPEN = re.compile(r"(?:`[^`]*`|a backtick) is never closed\b")
"""The beginning of a message about what is open."""
_LONG_BRACKET = "[["
_OPENS_MORE = re.compile(r"`(\w+ \w+)` opens a further block\b")
_BRACE = "{"


def is_above(fault: Fault, faults: Sequence[Fault], text: str, *, is_last: bool) -> bool:
    """Return whether a fault of a text is another mistake than those that are known, though the last lies below it.

    `is_last`: whether all of the text fits with its mend.
    """
    if is_last and _is_brace_above(fault, faults, text):
        return True
    return any(each(fault, faults, text) for each in (_is_open_since, _is_comma_above, _is_of_words_above))


def _is_brace_above(fault: Fault, faults: Sequence[Fault], text: str) -> bool:
    """Return whether a fault is a brace that is never closed, above the header of a block that is no deeper.

    The last of some faults is on that header's line.
    """
    at, last = fault.reported.offset, faults[-1].reported.offset
    start = line_start(text, last)
    begin = content_at(text, start)
    is_header = text[start:].split("\n", 1)[0].rstrip().endswith(_BRACE) and text[begin] not in OPENERS
    is_open = OPEN.match(fault.reported.message) is not None and text.startswith(_BRACE, at)
    is_first = all(fault.reported.line < each.reported.line for each in faults)
    return is_header and is_open and is_first and line_column(text, last) <= line_column(text, at)


def _is_open_since(fault: Fault, faults: Sequence[Fault], text: str) -> bool:
    """Return whether a fault is about an element that is open since a line above the last of some faults in a text.

    Or about a long bracket, such as `[[`, which is one sign where it is closed, and brackets where it is not.
    A bracket that is open there may be so only because of a half line, as `} else if (`, that was left out.
    """
    at = fault.reported.offset
    is_long = _LONG_BRACKET in text[max(at - 1, 0) : at + 2]
    is_element = OPEN.match(fault.reported.message) is not None and (is_long or text[at : at + 1] not in MIRRORED)
    return is_element and all(fault.reported.line != each.reported.line for each in faults)


def _is_comma_above(fault: Fault, faults: Sequence[Fault], text: str) -> bool:
    """Return whether a fault is a comma that is too many once what some faults behind it are about is left out."""
    at = fault.reported.offset
    behind = [each for each in faults if each.reported.offset >= at]
    is_comma = text.startswith(",", at) and _is_left_out(fault)
    return is_comma and all(each.reported.offset > at and _is_left_out(each) for each in behind)


def _is_of_words_above(fault: Fault, faults: Sequence[Fault], text: str) -> bool:
    """Return whether a fault is about two words above some faults that open a further block, as `else if` in Lua."""
    written = _OPENS_MORE.match(fault.reported.message)
    is_there = written is not None and text.startswith(written[1], fault.reported.offset)
    return is_there and all(fault.reported.line < each.reported.line for each in faults)


def _is_left_out(fault: Fault) -> bool:
    """Return whether a fault is about a part that can hardly be meant at all."""
    return fault.meant is not None and fault.meant.is_sure and not fault.meant.text.strip()
