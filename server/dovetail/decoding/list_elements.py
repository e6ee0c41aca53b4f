"""Elements between brackets: a key, an argument or a parameter that stands between the same two brackets already.

Brackets, commas and quotes are found in the text, roughly, without a parser: where this is wrong a repetition is
missed. A value may come as often as it likes (`0, 0, 0`), a long word or a quoted text not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_OPENERS, _CLOSERS = "([{", ")]}"

_LINES = 60
"""Lines above the cursor among which the bracket around it is looked for."""

_BEYOND = 2000
"""Characters of the right text in which elements are looked for."""

_LONG = 8
"""Fewest characters of an element without a key that may not come again."""

_KEY = re.compile(r"""(?P<key>\*{0,2}[^\W\d]\w*|"[^"\r\n]*"|'[^'\r\n]*'|\d+)\s*(?:=(?!=)|:(?![:=]))""")
_TEXT = re.compile(r"""\w{0,2}["'].*["']""", re.DOTALL)
_LETTERS = re.compile(r"[^\W\d_]")
_ROW = re.compile(r"[(\[{]")

_TOKEN = (
    r'"""(?:[^\\]|\\.)*?"""|'
    r"'''(?:[^\\]|\\.)*?'''|"
    r'"(?:[^"\\\r\n]|\\.)*"?|'
    r"'(?:[^'\\\r\n]|\\.)*'?|"
    r"{comment}[()\[\]{{}},]"
)


@dataclass(slots=True)
class _Bracket:
    """The elements between two brackets."""

    opener: str
    opened: int
    """The offset after the opener."""
    begin: int
    """The offset of the element that is read."""
    elements: list[tuple[int, int]] = field(default_factory=list)
    """The beginning and end of each."""


class ListElements:
    """The elements around a cursor, with which those of a text are compared."""

    def __init__(self, left: str, right: str, depth: int, comment: str | None) -> None:
        """Take the texts; `depth`: brackets that are open at the cursor, in its block."""
        self._left, self._right, self._depth = left, right[:_BEYOND], depth
        sign = rf"{re.escape(comment)}[^\r\n]*|" if comment else ""
        self._token = re.compile(_TOKEN.format(comment=sign), re.DOTALL)
        self._comment = comment
        self._around: str | None = None

    def find_repeated(self, text: str) -> int | None:
        """Return where the first element of a text begins that stands in its brackets already; None without one."""
        if self._around is None:
            self._around = self._from_bracket()
        whole, start = self._around + text + self._right, len(self._around)
        end = start + len(text)
        found = [
            place for bracket in self._brackets(whole, start, end) for place in _repeated(whole, bracket, start, end)
        ]
        return min(found) - start if found else None

    def _from_bracket(self) -> str:
        """Return the left text from the line on that opens the bracket around the cursor; else the cursor's line."""
        lines = re.split(r"(?<=[\r\n])", self._left[-_BEYOND * 2 :])[-_LINES:]
        if self._depth == 0:
            return lines[-1]
        missing = 0
        for place in range(len(lines) - 1, -1, -1):
            for match in reversed(list(self._token.finditer(lines[place]))):
                if match[0] in _CLOSERS:
                    missing += 1
                elif match[0] in _OPENERS:
                    missing -= 1
                if missing < 0:
                    return "".join(lines[place:])
        return lines[-1]

    def _brackets(self, whole: str, start: int, end: int) -> list[_Bracket]:
        """Return the brackets that have an element between two offsets."""
        brackets, open_ones = [], [_Bracket("", 0, 0)]
        for match in self._token.finditer(whole):
            sign, place = match[0], match.start()
            if place >= end and len(open_ones) == 1:
                break
            if sign in _OPENERS:
                open_ones.append(_Bracket(sign, place + 1, place + 1))
            elif sign in _CLOSERS:
                if len(open_ones) == 1:
                    continue
                bracket = open_ones.pop()
                bracket.elements.append((bracket.begin, place))
                if bracket.opened < end and place > start:
                    brackets.append(bracket)
            elif self._comment and sign.startswith(self._comment):
                if not whole[open_ones[-1].begin : place].strip():
                    open_ones[-1].begin = match.end()
            elif sign == ",":
                bracket = open_ones[-1]
                bracket.elements.append((bracket.begin, place))
                bracket.begin = place + 1
        return [*brackets, *open_ones[1:]]


def _repeated(whole: str, bracket: _Bracket, start: int, end: int) -> list[int]:
    """Return where elements between two offsets begin that are not the only ones of their kind in a bracket."""
    seen: dict[str, list[int]] = {}
    found: list[int] = []
    texts = [(begin, stop, whole[begin:stop].strip()) for begin, stop in bracket.elements]
    for begin, stop, text in (*(one for one in texts if one[0] >= end), *(one for one in texts if one[0] < end)):
        key = _KEY.match(text) if bracket.opener != "[" else None
        name = key["key"] if key else text
        is_text = not key and bracket.opener != "(" and _TEXT.fullmatch(text) is not None
        # Rows of a table and calls come as often as they like, and so do short words that are no text.
        if not key and (_ROW.search(text) or not _LETTERS.search(text) or (not is_text and len(text) < _LONG)):
            continue
        places = seen.setdefault(name, [])
        places.append(begin)
        allowed = 1 if key or (is_text and len(text) >= _LONG) else 2
        if len(places) > allowed and stop > start and begin < end:
            # The first of its kind may stay, if it is the text's.
            found.append(min(max(place, start) for place in places[1:] if place < end))
    return found
