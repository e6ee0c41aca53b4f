"""Lost angle: the `<` before arguments of a type, which `>` then closes for nothing."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_ARGUMENTS = re.compile(r"\w<")
"""The beginning of the arguments of a type or call."""
_CLOSING_TAG = "</"
_BLANKS = (" ", "\t")
_VALUE = "x"
_OPENER, _CLOSER = "<", ">"
_CLOSING = re.compile(r"(?<![=\-])>(?=[ \t]*(?:[,;:(){}\[\]=>&|]|//|[\r\n]|\Z))")
"""A sign that no operand follows, so that it compares nothing."""
_ANGLES = re.compile(r"<|(?<![=\-])>")
_HUMPS, _BEHIND, _WITHIN = range(3)
"""Kinds of places: where two words seem to be written as one, behind a word, and within one."""
_HUMP = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
_BEHIND_WORD = re.compile(r"(?<=\w)(?=[ \t]*[\"'{\[(]|[ \t]+\w)")
_INSIDE = re.compile(r"(?<=\w)(?=\w)")
_WORD_BEFORE, _WORD_BEHIND = re.compile(r"[\w.]*\Z"), re.compile(r"\w*")
_ONLY_TYPES = ("<a[]>", "<a extends b[]>")
"""The look of arguments and parameters of types, which neither two values that are compared nor a tag have."""
_LEAST = 3
"""The least characters of a known word for which a word is cut that has no capital letter there."""
_MOST_PLACES = 60
"""The most places of a line at which the sign is tried."""
_QUOTES = ("'", '"', "`")
_LONG = 60
"""The most characters that a message shows."""


def find_lost_angle(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the line of a fault if one `<` more makes it fit, and the line below it; None otherwise."""
    begin, end = line_start(text, offset), line_end(text, offset)
    closers = [found.start() for found in _CLOSING.finditer(text, begin, end)]
    if not closers or text[closers[-1] + 1 : offset].strip("() \t"):
        return None
    if text.count(_OPENER, begin, closers[-1]) > len(closers):
        return None  # It is a closing one that is lost.
    if len(_ARGUMENTS.findall(text, begin, closers[-1])) >= len(closers):
        return None  # Each of them has its own, as in `new Map<A B>()`.
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:begin])
    if at is None:
        return None
    last = closers[-1]
    compared = f"{text[begin : last + 1]} {_VALUE}{text[last + 1 : end]}\n"
    if text[last - 1 : last] in _BLANKS and fits(right, at, compared):
        return None  # It compares, and its value is lost: nobody writes a blank before the end of types.
    stops = (line_end(text, content_after(text, end)), end)  # The next line may have a mistake of its own.
    surplus = next(
        (
            closer
            for closer in _doubled(text, begin, closers)
            for stop in stops
            if (before := at.read(right.lexer, right.stacks, text[begin:closer])) is not None
            and fits(right, before, f" {text[closer + 1 : stop]}\n")
        ),
        None,
    )
    compiled = right.lexer.compiled
    known = {word for word in (*compiled.literals, *compiled.mistakes.types) if word is not None and word.isalpha()}
    places = _places(text, begin, closers[-1], known)
    for stop, (place, is_likely, is_told) in product(stops, places):
        if surplus is not None and not is_told:
            continue
        before = at.read(right.lexer, right.stacks, text[begin:place])
        if (
            before is None
            or not right.expecting.may_end(before)
            or not any(fits(right, before, types) for types in _ONLY_TYPES)
        ):
            continue
        if not fits(right, before, f"{_OPENER}{text[place:stop]}"):
            continue
        closer = _closer(text, place, closers)
        first = _word_before(text, begin, place)
        if text[first:place] in right.lexer.compiled.mistakes.meant:
            continue  # The `not` of other languages is no name.
        written, meant = text[first : closer + 1], f"{text[first:place]}{_OPENER}{text[place : closer + 1].lstrip()}"
        if any(written.count(quote) % 2 for quote in _QUOTES):
            continue  # A string has lost its end.
        if any(written.count(opener) != written.count(ender) for opener, ender in MIRRORED.items()):
            continue  # It would begin in one bracket and end in another one.
        if _CLOSING_TAG in written:
            continue  # The sign ends a tag.
        if is_likely and len(written) <= _LONG:
            words = f"`{written}` does not fit here; perhaps `{meant}`"
        else:
            words = f"`{_CLOSER}` closes nothing; perhaps a `{_OPENER}` is missing before it"
            first = closer
        return Hint(first, words, Meant(place, place, _OPENER, is_sure=True))
    if surplus is not None:
        words = f"`{_CLOSER}` does not fit here; leave it out"
        return Hint(surplus, words, Meant(surplus, surplus + 1, " ", is_sure=True))
    return None


def _doubled(text: str, begin: int, closers: list[int]) -> list[int]:
    """Return those of the closing signs of a line that stand right behind another one, and close nothing."""
    found: list[int] = []
    depth = 0
    for each in _ANGLES.finditer(text, begin, closers[-1] + 1):
        if depth == 0 and each.start() in closers and text[each.start() - 1] == _CLOSER:
            found.append(each.start())
        depth = depth + 1 if each.group() == _OPENER else max(depth - 1, 0)
    return found


def _places(text: str, begin: int, closer: int, known: set[str]) -> list[tuple[int, bool, bool]]:
    """Return where the sign may be lost before what it opens, the likeliest place first, and whether one is likely.

    And whether the words of the text tell it, so that no sign is one too many. Parts of a word that is cut there may be
    words of the language, or of the text.
    """
    words = known.union(re.findall(r"\w+", text[:begin]), re.findall(r"\w+", text[closer:]))
    ranked: list[tuple[int, int, int, bool]] = []
    humps = {found.start() for found in _HUMP.finditer(text, begin, closer)}
    behind = {found.start() for found in _BEHIND_WORD.finditer(text, begin, closer)}
    inside = {found.start() for found in _INSIDE.finditer(text, begin, closer)} - humps - behind
    for kind, places in enumerate((humps, behind, inside)):
        for place in places:
            before = text[_word_before(text, begin, place) : place].rpartition(".")[2]
            after = _WORD_BEHIND.match(text, place)
            is_word = kind != _BEHIND and after is not None and after.group() in words
            is_name = before in words and (kind != _WITHIN or len(before) >= _LEAST)
            is_whole = kind == _BEHIND or after is None or before + after.group() in words
            is_cut = is_name and (is_word or kind == _HUMPS)
            is_told = is_cut and not is_whole and len(before) >= _LEAST
            ranked.append((-int(is_name) - int(is_word), kind, -place, is_told))
    ranked = sorted(ranked)[:_MOST_PLACES]
    several = len(humps) > 1
    return [
        (-place, score < 0 or kind == _BEHIND or (kind == _HUMPS and not several), is_told)
        for score, kind, place, is_told in ranked
    ]


def _closer(text: str, place: int, closers: list[int]) -> int:
    """Return the offset of what closes a sign at a place."""
    depth = 1
    for found in _ANGLES.finditer(text, place, closers[-1]):
        depth += 1 if found.group() == _OPENER else -1
        if depth == 0:
            return found.start()
    return closers[-1]


def _word_before(text: str, begin: int, place: int) -> int:
    """Return where the word, or the words with points between them, begins that ends at a place."""
    word = _WORD_BEFORE.search(text, begin, place)
    return place if word is None else word.start()
