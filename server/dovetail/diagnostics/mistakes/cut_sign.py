"""Cut sign: a sign with blanks in it, such as `= >` for `=>` and `! =` for `!=`.

Its first part often fits as a sign of its own, so the text may stop fitting at the second one, or behind it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_end, line_start
from dovetail.diagnostics.mistakes.foreign_form import up_to_foreign
from dovetail.diagnostics.reach import find_reach, fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_PART = r"[^\w\s()\[\]{}\"'`,;#]+"
_PARTS = re.compile(rf"(?<![^\w\s()\[\]{{}}\"'`]){_PART}(?:[ \t]+{_PART})+")
_TARGET = r"[\w.]+(?:\[[^\[\]]*\][\w.]*)*"
_ASSIGNED = re.compile(rf"[ \t]*(?:\w+[ \t]+)?{_TARGET}(?:[ \t]*,[ \t]*{_TARGET})*(?:[ \t]*:[^=]*)?[ \t]*\Z")
_NAMED = re.compile(r"[({,][ \t]*\w+[ \t]*\Z")
"""The text before the sign of an argument that is named, or of a field of a table."""
_EXPRESSION = "(a = 0)\n"
"""An assignment that is an expression, as some languages have it."""
_OPEN_TYPE = re.compile(r"\w<[\w\[\], .|]+\Z")
_TWICE = 2
_FAR = 4_000
"""The most characters behind a sign that are read."""
_COMPARES = ("<", ">")
_MOST_BEFORE = 200
"""The most characters before a fault at which the sign may stand on its line."""


def find_cut_sign(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a sign that is cut on the line of a fault, and with which that line fits.

    None if there is none.
    """
    comment = right.lexer.compiled.comment or " "
    begin = max(line_start(text, offset), offset - _MOST_BEFORE)
    cut = list(_PARTS.finditer(text, begin, line_end(text, offset)))
    for found, following in zip(cut, [*cut[1:], None], strict=False):
        sign = "".join(found.group().split())
        if found.start() > offset or sign.startswith((comment, "/*")):
            continue
        rest = up_to_foreign(right.lexer.compiled.mistakes, text, found.end())
        # The next one on the line is another mistake.
        rest = rest if following is None else rest[: following.start() - found.end()]
        if found.end() + len(rest) <= offset:
            continue  # What does not fit lies behind all that is tried.
        at = Configuration((right.stacks.bottom,), right.lexer.start)
        before = at.read(right.lexer, right.stacks, text[: found.start()])
        if before is None or _is_surplus(right, before, found, rest) or _ends_type(text[begin : found.start()], sign):
            continue
        if _is_doubled(right, before, found):
            single = found.group().split()[0]
            words = f"`{found.group()}` does not fit here; write `{single}`"
            return Hint(found.start(), words, Meant(*found.span(), single, is_sure=True))
        if _is_one_lexeme(right, text[: found.start()], sign) and fits(right, before, sign + rest):
            words = f"`{found.group()}` does not fit here; write `{sign}`"
            return Hint(found.start(), words, Meant(found.start(), found.end(), sign, is_sure=True))
    return None


def _is_surplus(right: RightSide, at: Configuration, cut: re.Match[str], rest: str) -> bool:
    """Return whether one of two signs is rather too many: in `x = = 1` nobody compares."""
    line = cut.string[line_start(cut.string, cut.start()) : cut.start()]
    if set(cut.group().split()) != {"="} or not fits(right, at, f"= {rest}"):
        return False
    if _ASSIGNED.match(line) is not None:
        return True
    begin = Configuration((right.stacks.bottom,), right.lexer.start)
    return _NAMED.search(line) is not None and not fits(right, begin, _EXPRESSION)


def _is_doubled(right: RightSide, at: Configuration, cut: re.Match[str]) -> bool:
    """Return whether of a sign that stands twice one is too many, since more of the text fits with one than with both.

    In `c ? ? (a) : b` the colon tells it. Of `a > > b` as much fits with both, and one compares rather than shifts.
    """
    parts = cut.group().split()
    if len(parts) != _TWICE or parts[0] != parts[1]:
        return False
    rest = cut.string[cut.end() : cut.end() + _FAR]
    single = find_reach(right, at, parts[0] + rest) - len(parts[0])
    joined = find_reach(right, at, "".join(parts) + rest) - 2 * len(parts[0])
    return single > joined or (single == joined and parts[0] in _COMPARES)


def _ends_type(before: str, sign: str) -> bool:
    """Return whether a sign of two parts rather ends the arguments of a type, as in `names: List<str> = []`."""
    return sign == ">=" and _OPEN_TYPE.search(before) is not None


def _is_one_lexeme(right: RightSide, left: str, sign: str) -> bool:
    """Return whether a sign is a single lexeme behind a text, and not a part of one, as of a string."""
    begin = Configuration((right.stacks.bottom,), right.lexer.start)
    # Behind a name, blanks may already be a part of a label.
    at = begin.read(right.lexer, right.stacks, left.rstrip(" \t"))
    if at is None or not right.expecting.may_end(at):
        return False
    # Behind a word, other signs may begin than before it.
    ended = at.ended_as(right.lexer, right.stacks, at.lexer.accepted) or at
    _, end = right.lexer.scanners[right.lexer.modes.scanner_of[ended.lexer.stack]].longest(sign, 0)
    return end == len(sign)
