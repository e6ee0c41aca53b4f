"""Lost switch: labels such as `case` that stand in no `switch`, for the line with its brace is lost above them.

One report for the first label, and none for the others, nor for the brace that closes what is lost.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED, brackets_of, signs
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_WORD = re.compile(r"[^\W\d]\w*")
_VALUES = ("", "a ", "(a) ", "a.(type) ")
"""Texts that may stand between the word and the brace of a header."""
_STATEMENT = "a()\n"
_MOST_LINES = 400
"""The most lines that the block may have."""


def find_lost_switch(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a label at a fault if its block is closed below, by a brace that nothing else needs.

    None where the line above may be the header, and where a brace right above has closed the block too early.
    """
    compiled = right.lexer.compiled
    start = line_start(text, offset)
    label = _WORD.match(text, content_at(text, start))
    if label is None or label.group() not in compiled.labels or offset < label.start():
        return None
    if text[label.end() : offset].strip():
        return None  # What comes right behind may be what does not fit, where the word itself is a name.
    closer = _closer(text, label.start())
    opened = brackets_of(right.lexer, text[:start]).opened
    if closer is None or (opened and line_column(text, opened[-1][0]) >= line_column(text, closer)):
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
    # The line above has to be whole.
    is_whole = at is not None and (not opened or fits(right, at, "}"))
    headers = [] if at is None or not is_whole else _headers(right, at, text[start : closer + 1])
    words = {word for word, _ in headers}
    if not headers or _has_header(right, text[:start], words) or _is_ended_early(right, text, label.start(), words):
        return None
    word, header = headers[0]
    told = f"`{label.group()}` stands in no `{word}`; perhaps a line `{word} … {{` is missing above this one"
    return Hint(label.start(), told, Meant(label.start(), label.start(), header, is_sure=True))


def _headers(right: RightSide, at: Configuration, block: str) -> list[tuple[str, str]]:
    """Return the words with the headers that they begin, below which a block fits, and no other statement.

    Of a block with another mistake the first label and the line below it have to fit.
    """
    part = block[: line_end(block, content_after(block, 0))]
    found: list[tuple[str, str]] = []
    holds = right.lexer.compiled.mistakes.labels_with
    words = [each for each in right.lexer.compiled.literals if each is not None and each.isalpha()]
    # Those whose labels hold what these do come first.
    blanks = block[: content_at(block, 0)]
    lines = [line for line in re.split(r"[\r\n]+", block) if re.match(rf"{blanks}\S", line)]
    labels = "\n".join(lines)
    words = [word for word in words if word not in holds or re.search(holds[word], labels)]
    for word in sorted(words, key=lambda word: word not in holds):
        for value in _VALUES:
            header = f"{word} {value}{{ "
            if fits(right, at, f"{header}{part}\n") and not fits(right, at, f"{header}{_STATEMENT}"):
                found.append((word, header))
    whole = [each for each in found if fits(right, at, each[1] + block)]
    return whole or found


def _closer(text: str, label: int) -> int | None:
    """Return the brace that begins the first line below a label that is further to the left, or is in its column.

    None if another line is, which is no label.
    """
    column, at = line_column(text, label), label
    for _ in range(_MOST_LINES):
        at = content_after(text, at)
        if at >= len(text):
            return None
        if text[at] == "}" and line_column(text, at) <= column:
            return at
        if line_column(text, at) < column:
            return None
    return None


def _has_header(right: RightSide, above: str, words: set[str]) -> bool:
    """Return whether the line right above may be the header, or closes a block that a line with one of the words opens.

    `above`: the text up to the line of the label.
    """
    end = len(above.rstrip())
    begun = _WORD.match(above, content_at(above, line_start(above, end)))
    if begun is not None and any(word.startswith(begun.group()) for word in words):
        return True
    if not above[:end].endswith("}"):
        return False
    opened: list[int] = []
    last = None
    for place, sign in signs(right.lexer, above):
        if sign in MIRRORED:
            opened.append(place)
        elif sign in MIRRORED.values():
            last = opened.pop() if opened else None
    first = None if last is None else _WORD.match(above, content_at(above, line_start(above, last)))
    return first is not None and first.group() in words


def _is_ended_early(right: RightSide, text: str, label: int, words: set[str]) -> bool:
    """Return whether a block above a label, which a line with one of the words opens, ends by a brace deeper than that.

    The line that the brace ends is lost, and the label is one of the block.
    """
    opened: list[int] = []
    for place, sign in signs(right.lexer, text[: line_start(text, label)]):
        if sign in MIRRORED:
            opened.append(place)
        elif sign in MIRRORED.values() and opened:
            opener = opened.pop()
            begun = _WORD.match(text, content_at(text, line_start(text, opener)))
            is_deeper = line_column(text, place) > line_column(text, opener)
            is_around = line_column(text, opener) <= line_column(text, label)
            if is_deeper and is_around and begun is not None and begun.group() in words:
                return True
    return False
