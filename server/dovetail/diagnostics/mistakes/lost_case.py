"""Lost case: the first statement of a block that holds labels alone, as of `switch` or `match`, whose label is lost."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_WORD = re.compile(r"[^\W\d]\w*")
_BRACE, _COLON = "{", ":"
_VALUE = "0"
"""The look of the value of a label."""
_MOST_LINES = 200
"""The most lines that the statements below a label may have."""


def find_lost_case(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a label that is lost between a line that opens a block and a fault below it; None for others.

    With the label, the lines of the statement fit up to the next label, or its own line and the next one do.
    """
    start = line_start(text, offset)
    content = content_at(text, start)
    word = _WORD.match(text, content)
    above = len(text[:start].rstrip())
    opener = _BRACE if right.lexer.compiled.layout is None else _COLON
    if word is None or not content <= offset <= word.end() or not text.endswith(opener, 0, above):
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
    blanks = _blanks_of_label(text, content, above)
    if at is None or fits(right, at, f"{blanks}{word.group()} "):
        return None
    stops = (line_end(text, content_after(text, content)), line_end(text, content))
    for label in _labels(right):
        if label.startswith(word.group()):
            continue  # It is half a label.
        header = f"{blanks}{label} {_VALUE}{_COLON}\n"
        if fits(right, at, f"{blanks}{_VALUE}\n") or not fits(right, at, header):
            continue
        if any(fits(right, at, f"{header}{text[start:stop]}\n") for stop in stops):
            words = f"perhaps a line that begins with `{label}` is missing above this one"
            return Hint(content, words, Meant(start, start, header, is_sure=True))
    return None


def _labels(right: RightSide) -> list[str]:
    """Return the words that may begin a label with a value; where columns make blocks, all words of the language."""
    compiled = right.lexer.compiled
    if compiled.layout is None:
        return list(compiled.labels)
    return [word for word in compiled.literals if word is not None and word.isalpha()]


def _blanks_of_label(text: str, content: int, above: int) -> str:
    """Return the blanks before the label of a statement at an offset: those of the next label, or half of its own.

    `above`: where the line ends that opens the block.
    """
    width, below = line_column(text, content), content
    for _ in range(_MOST_LINES):
        below = content_after(text, below)
        if below >= len(text) or line_column(text, below) < width:
            break
    start = line_start(text, below)
    if below < len(text) and line_column(text, above - 1) < line_column(text, below) < width:
        return text[start:below]
    begin, outer = line_start(text, content), line_start(text, above - 1)
    count = len(text[outer : content_at(text, outer)])
    return text[begin:content][: (count + content - begin + 1) // 2]
