"""Misspelt opener: a word that opens a block or goes on with one, spelt so that its line is read as something else.

In Lua `local fucntion f(a)` is a name and a call, and the text stops fitting at the `end` of the function. `esle` on a
line of its own is a name as well.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_column, line_end, line_start
from dovetail.diagnostics.mistakes.guess import alike
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.quotient.right_side import RightSide

_WORD = re.compile(r"(?<![\w.:])[^\W\d]\w+")
_HEADER = re.compile(r"(?<![\w.:])[^\W\d]\w+(?=[ \t]*\([\w, \t.]*\)[ \t]*\Z)")
"""A call of a name at the end of a line: perhaps the header of a function."""
_WHOLE = r"(?<![\w.:])[^\W\d]\w+(?=[ \t]*\([\w, \t.]*\)[ \t]+\w[^\r\n]*\b%s\b[,;)} \t]*\Z)"
"""A call of a name before more of its line, which ends with the word of a block: perhaps a function on one line."""
_MOST_LINES = 60
"""The most lines above a fault that are searched."""


def find_misspelt_opener(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a misspelt word before a fault at an offset that explains it; None if there is none.

    With what is meant the line of the fault fits. The word stands on it, on the line above alone or before brackets at
    its end, or, above a word that closes nothing, on a line that is no deeper. One of another language counts as well.
    """
    mistakes = right.lexer.compiled.mistakes
    known = {*mistakes.closed_by, *mistakes.goes_on}
    begun = Configuration((right.stacks.bottom,), right.lexer.start)
    for found in _words(right, text, offset) if known else ():
        word = found.group()
        foreign = mistakes.meant.get(word)
        for meant in [foreign] if foreign in known else alike(known, word):
            at = begun.read(right.lexer, right.stacks, text[: found.start()])
            if at is not None and fits(right, at, f"{meant}{text[found.end() : line_end(text, offset)]}\n"):
                is_foreign = meant == foreign
                remedy = f"write `{meant}`" if is_foreign else f"perhaps it should be `{meant}`"
                place = Meant(found.start(), found.end(), meant, is_sure=True)
                return Hint(found.start(), f"`{word}` does not fit here; {remedy}", place)
    return None


def _words(right: RightSide, text: str, offset: int) -> Iterator[re.Match[str]]:
    """Yield the words before an offset that may be misspelt, but no keywords, the nearest line first."""
    compiled = right.lexer.compiled
    here = _WORD.match(text, offset)
    is_closer = here is not None and here.group() in compiled.mistakes.closed_by.values()
    start, stop = line_start(text, offset), offset
    is_above = False
    for _ in range(_MOST_LINES):
        words = list(_WORD.finditer(text, start, stop))
        is_alone = len(words) == 1 and text[start:stop].strip() == words[0].group()
        is_deeper = is_above and line_column(text, stop - 1) > line_column(text, offset)
        if not is_above or is_alone or (is_closer and not is_deeper):
            yield from (word for word in words if word.group() not in compiled.literals)
        elif (header := _HEADER.search(text, start, stop)) and header.group() not in compiled.literals:
            yield header
        elif is_closer and here is not None:
            whole = re.compile(_WHOLE % here.group()).search(text, start, stop)
            if whole is not None and whole.group() not in compiled.literals:
                yield whole
        if start == 0 or (is_above and words and not is_closer):
            return
        stop = start - 1 - text.startswith("\r\n", start - 2)
        start, is_above = line_start(text, stop), True
