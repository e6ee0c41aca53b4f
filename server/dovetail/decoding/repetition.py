"""Detection of text that repeats itself without end."""

from __future__ import annotations

import re
from itertools import pairwise

_TIMES = 3
_LEAST = 24
"""The fewest bytes of all repeated parts together: `0, 0, 0` is a list, forty more of it are a loop."""

_TAIL = _LEAST // 2
"""Bytes at the end of a repeated text that are also found one part before."""

_LINES = 16
"""The fewest bytes, without blanks at the ends, of lines that nobody writes twice in a row."""

_LONGEST = 400
"""Bytes of the longest part whose repetition is noticed."""

_DEEPEST = 100
"""Columns of blanks that no line begins with."""

_NUMBERED = 2
"""Lines that differ from earlier ones in the number of a name alone: one more variable is no loop."""

_WORD = re.compile(rb"\w+|\W")
_DIGITS = b"0123456789"
_OPENING = re.compile(rb"<[\w.:-]*(?:\s[^<>]*)?(?<!/)>")
"""The tag that opens an element, alone on its line."""


def repetition(text: bytes) -> int | None:
    r"""Return where the second of three or more equal parts at the end of a text begins, or None.

    Two equal parts are enough if they are whole lines that are not short. Lines that differ in the number of a name are
    equal, if there are several. Parts of one and the same character do not count: lines of dashes are made of them, and
    indentation. Only a last line of so many blanks that no indentation is as deep does: the text before it is returned.

    >>> repetition(b"x = [" + b"first, " * 4)
    12
    >>> repetition(b"total = add(total, 1)\n" * 2)
    22
    >>> repetition(b"total = 1\n" + b"\t" * 30)
    9
    """
    end = len(text)
    if end < _LEAST:
        return None
    line_end = text.rfind(b"\n")
    if line_end >= 0 and len(text[line_end:].expandtabs(4)) > _DEEPEST and not text[line_end:].strip():
        return len(text.rstrip())
    # Two parts at least, and `_LEAST` bytes in all: the bytes after the first part are half of them or more, and each
    # stands one part before too. So the last `_TAIL` bytes show every part, and in most texts they stand nowhere else.
    tail = text[-_TAIL:]
    nearest = max(0, end - _TAIL - _LONGEST)
    place = text.rfind(tail, nearest, end - 1)
    while place >= 0:
        period = end - _TAIL - place
        part = text[end - period :]
        times = 2 if b"\n" in part and len(part.strip()) >= _LINES else _TIMES
        if text.endswith(part * times) and (len(set(part)) > 1 or part == b"\n"):
            start = end - times * period
            while text.endswith(part, 0, start):
                start -= period
            if end - start >= _LEAST:
                return start + period
        place = text.rfind(tail, nearest, place + _TAIL - 1)
    if not text[-1:].isspace() or text[text.rfind(b"\n") :].strip():
        return None
    nested = _nested(text)
    return _numbered(text) if nested is None else nested


def _nested(text: bytes) -> int | None:
    r"""Return where the second of some equal lines, or pairs of lines, begins, each within the last; or None.

    Three lines at the end of the text, or two pairs. They are within one another if each is deeper than the last, or
    opens an element.

    >>> _nested(b'"a": {\n  "a": {\n    "a": {\n      ')
    7
    >>> _nested(b"<ul>\n  <li>\n    <ul>\n      <li>\n        ")
    12
    >>> _nested(b"<ul>\n<li>\n<ul>\n<li>\n")
    10
    """
    end = text.rfind(b"\n") + 1
    every = text[:end].splitlines(keepends=True)
    for period, times in ((1, _TIMES), (2, 2)):
        lines = every[-period * times :]
        contents = [line.strip() for line in lines]
        # The first line of a text begins behind blanks that are there already.
        depths = [len(line) - len(line.lstrip()) for line in lines]
        is_within = all(depth < below for depth, below in pairwise(depths)) or all(map(_OPENING.fullmatch, contents))
        if len(lines) == period * times and contents == contents[:period] * times and is_within and all(contents):
            return end - sum(map(len, lines[period:]))
    return None


def _numbered(text: bytes) -> int | None:
    r"""Return where the first line begins that differs from an earlier one in the number of one name alone.

    None if there are fewer than `_NUMBERED` such lines.

    >>> text = b"key = right[name]\nkey2 = right[name]\nkey3 = right[name]\n"
    >>> _numbered(text), _numbered(text[:-20])
    (18, None)
    """
    first, count, offset = None, 0, 0
    seen: list[list[bytes]] = []
    for line in text.splitlines(keepends=True):
        words = _WORD.findall(line.strip())
        if len(line.strip()) >= _LINES:
            if any(_differ_in_number(words, other) for other in seen):
                first, count = offset if first is None else first, count + 1
            seen.append(words)
        offset += len(line)
    return first if count >= _NUMBERED else None


def _differ_in_number(words: list[bytes], others: list[bytes]) -> bool:
    if len(words) != len(others):
        return False
    pairs = [(word, other) for word, other in zip(words, others, strict=True) if word != other]
    if len(pairs) != 1:
        return False
    name, other = (word.rstrip(_DIGITS) for word in pairs[0])
    return name == other != b""
