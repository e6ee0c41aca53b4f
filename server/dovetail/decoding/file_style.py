r"""The style of a file: which quotes it has, and whether its statements end with a sign that may be left out.

It is read from the file's own text near the cursor, without the cursor's line, by what the language's description says
(`Habits`). A habit counts if it is found three times as often as the other one. It is read roughly, without a parser:
where this is wrong, no habit is found or a rare one.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.grammar.habits import Habits, Quotes, Terminator

_NEAR = 20_000
"""Characters on each side of the cursor that are read."""

_SURE = 3
"""A habit has to be found so many times as often as all others together."""

_BEFORE = 40
"""Characters before a string that tell to which quotes it belongs."""


class FileStyle:
    """The style of one file, found when it is first asked for."""

    def __init__(self, habits: Habits, left: str, right: str, comment: str | None = None) -> None:
        """Take the texts around the cursor; `comment`: the sign that begins a comment."""
        self.terminator: Terminator | None = habits.terminator
        self._quotes = habits.quotes
        self.comment = comment
        """The sign that begins a comment; None if there is none."""
        self._left, self._right = left, right
        kinds = {kind for quotes in habits.quotes for kind in quotes.kinds}
        self.quotes = "".join(sorted(kinds)).encode()
        """All quotes that mean the same as others."""
        self.signs = self.quotes + (b"" if habits.terminator is None else habits.terminator.sign.encode())
        """The characters that the file may have a habit about."""

    @cached_property
    def writes_terminator(self) -> bool | None:
        """True if statements end with their sign; None if the file does not say, or the language has none."""
        if self.terminator is None:
            return None
        written = left_out = 0
        for part in self._parts:
            written += len(re.findall(self.terminator.written, part, re.MULTILINE))
            left_out += len(re.findall(rf"(?m:^){_inline(self.terminator.left_out)}", part))
        if written == left_out == 0 or max(written, left_out) < _SURE * min(written, left_out):
            return None
        return written > left_out

    def quote(self, before: str, quote: str) -> str:
        """Return the quote that the file has where a text ends and a string begins by `quote`; that one if unknown."""
        group = self._group(before)
        if group is None or quote not in group.kinds:
            return quote
        counts = self._counts[group]
        most, count = max(counts.items(), key=lambda entry: entry[1], default=(quote, 0))
        return most if count and count >= _SURE * (sum(counts.values()) - count) else quote

    @cached_property
    def _parts(self) -> tuple[str, str]:
        """The text above the cursor's line, and the one below it."""
        above = self._left[-_NEAR:]
        above = above[: max(above.rfind("\n"), above.rfind("\r")) + 1]
        below = re.search(r"[\r\n]+", self._right[:_NEAR])
        return above, "" if below is None else self._right[below.end() : _NEAR]

    @cached_property
    def _counts(self) -> dict[Quotes, Counter[str]]:
        """Quotes → how many strings of the file have each kind."""
        counts = {quotes: Counter[str]() for quotes in self._quotes}
        kinds = self.quotes.decode()
        comment = rf"{re.escape(self.comment)}[^\r\n]*|" if self.comment else ""
        one = "|".join(rf"{kind}(?:[^{kind}\\\r\n]|\\.)*{kind}" for kind in map(re.escape, kinds))
        three = "|".join(rf"{kind * 3}(?s:.*?){kind * 3}" for kind in map(re.escape, kinds))
        token = re.compile(rf"{comment}{three}|(?<![\w\\])\w{{0,2}}(?P<text>{one})(?!\w)")
        for part in self._parts:
            for match in token.finditer(part):
                text = match["text"]
                group = None if text is None else self._group(part[max(0, match.start() - _BEFORE) : match.start()])
                # A text that holds another kind of quotes had no choice.
                if group is not None and not set(text[1:-1]) & set(kinds):
                    counts[group][text[0]] += 1
        return counts

    def _group(self, before: str) -> Quotes | None:
        """Return the quotes of a string that begins after a text: the last ones in the description that apply."""
        tail = before[-_BEFORE:]
        fitting = (each for each in reversed(self._quotes) if not each.after or re.search(rf"(?:{each.after})\Z", tail))
        return next(fitting, None)


def _inline(pattern: str) -> str:
    """Return a pattern as a part of another; flags at its beginning hold for that part."""
    flags = re.match(r"\(\?([a-z]+)\)", pattern)
    return f"(?:{pattern})" if flags is None else f"(?{flags[1]}:{pattern[flags.end() :]})"
