"""Strayed branch: one with a condition in the column of a header that has no such branch, as `elif` behind `for`.

It was meant for a statement inside of the block, to stand above the branch that is the last one, or to begin a
statement of its own. Columns show which.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_at, content_end, line_column, line_end, line_start
from dovetail.diagnostics.mistakes.guess import alike
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.reported import line_and_column
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_WORD = re.compile(r"[^\W\d]\w*")
_WORDS = re.compile(r"([^\W\d]\w*)(?:[ \t]+([^\W\d]\w*))?")
_STATEMENT = "0"
"""The shortest statement."""
_MOST_LINES = 200
"""The most lines of the block above the branch."""


def find_strayed_branch(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the branch on the line of a fault whose header above has no such branch.

    None where columns mean nothing, or if the line fits with none of its meanings.
    """
    compiled = right.lexer.compiled
    start = line_start(text, offset)
    begin = content_at(text, start)
    words = _WORDS.match(text, begin)
    if compiled.layout is None or offset >= len(text) or words is None or words[1] not in compiled.literals:
        return None
    above = _lines_above(text, begin)
    if not above or line_column(text, above[-1]) != line_column(text, begin):
        return None
    header = _WORD.match(text, above[-1])
    at = _read(right, text, start)
    if header is None or header.group() not in compiled.literals or at is None:
        return None
    known = {word for word in compiled.literals if word is not None and word.isalpha()}
    is_of_two = words[2] in known
    written = words.group() if is_of_two else words[1]
    rest = text[begin + len(written) : line_end(text, begin)]
    blanks = text[start:begin]
    for branch in alike(known, written) if is_of_two else [written]:
        opener = next((word for word in sorted(known) if _goes_on(right, at, blanks, word, branch)), None)
        if opener is None or fits(right, at, f"{blanks}{branch}{rest}") or _is_statement(right, branch):
            continue  # It is another mistake: the branch fits here, or is none.
        if not fits(right, at, f"{blanks}{opener}{rest}"):
            continue
        place = _place(right, text, above, f"{branch}{rest}")
        goes_on = place is None and is_of_two and _goes_on_below(right, at, text, begin, f"{opener}{rest}")
        if goes_on and fits(right, at, f"{blanks}{words[1]}:\n"):
            told = f"`{words[1]}` behind `{header.group()}` has no condition; write `{words[1]}:`"
            end = content_end(text, line_end(text, begin))
            return Hint(begin, told, Meant(begin, end, f"{words[1]}:", is_sure=True))
        remedy = f"write `{opener}`"
        if place is not None:
            remedy = f"put it {place}" if branch == written else f"write `{branch}`, {place}"
        told = f"`{written}` does not fit behind `{header.group()}`; {remedy}"
        return Hint(begin, told, Meant(begin, begin + len(written), opener, is_sure=True))
    return None


def _goes_on_below(right: RightSide, at: Configuration, text: str, begin: int, header: str) -> bool:
    """Return whether the next line in the column of a line goes on with the statement around, as `finally` does.

    `at`: the configuration before the line. `header`: another one in its place, with which that line does not go on.
    """
    blanks = text[line_start(text, begin) : begin]
    below = re.compile(rf"^{blanks}[^\W\d].*", re.MULTILINE).search(text, line_end(text, begin))
    if below is None:
        return False
    line = below.group().rstrip()
    others = (f"{blanks}{_STATEMENT}", f"{blanks}{header}\n{blanks} {_STATEMENT}")
    return fits(right, at, f"{line}\n") and not any(fits(right, at, f"{other}\n{line}\n") for other in others)


def _place(right: RightSide, text: str, above: list[int], line: str) -> str | None:
    """Return words for the place where a line fits: in the column of a line of the block above, or above its header.

    `above`: the places of the contents of the lines above, the nearest first, the header last.
    """
    column = line_column(text, above[0]) + 1
    end = line_end(text, above[0])
    at = _read(right, text, end)
    for place in above[:-1]:
        if line_column(text, place) >= column:
            continue  # Another line below it has ended its block.
        column = line_column(text, place)
        word = _WORD.match(text, place)
        if word is not None and at is not None and fits(right, at, f"\n{text[line_start(text, place) : place]}{line}"):
            return f"in the column of `{word.group()}` on line {line_and_column(text, place)[0]}"
    start = line_start(text, above[-1])
    at = _read(right, text, start)
    blanks, header = text[start : above[-1]], _WORD.match(text, above[-1])
    # A header that may stand behind any statement is no last part of another one.
    is_part = at is not None and header is not None and not fits(right, at, f"{blanks}0\n{blanks}{header.group()} ")
    if at is None or not is_part or not fits(right, at, f"{blanks}{line}"):
        return None
    return f"above line {line_and_column(text, start)[0]}"


def _is_statement(right: RightSide, word: str) -> bool:
    """Return whether a word with a condition is a statement by itself, as `match` is."""
    return fits(right, Configuration((right.stacks.bottom,), right.lexer.start), f"{word} 0:\n")


def _goes_on(right: RightSide, at: Configuration, blanks: str, opener: str, branch: str) -> bool:
    """Return whether a statement with a condition that begins with a word goes on with a branch."""
    header = f"{blanks}{opener} 0:\n"
    return fits(right, at, header) and fits(right, at, f"{header}{blanks} 0\n{blanks}{branch} 0:\n")


def _read(right: RightSide, text: str, end: int) -> Configuration | None:
    """Return the configuration at an offset of a text."""
    return Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:end])


def _lines_above(text: str, begin: int) -> list[int]:
    """Return the places of the contents of the lines above one, the nearest first, up to one that is no deeper."""
    found: list[int] = []
    start = line_start(text, begin)
    for _ in range(_MOST_LINES):
        above = len(text[:start].rstrip())
        if above == 0:
            break
        start = line_start(text, above - 1)
        found.append(content_at(text, start))
        if line_column(text, found[-1]) <= line_column(text, begin):
            break
    return found
