"""Doubled value: a number or a string that stands twice side by side, as in `x = 1 1` and `["a", "b" "b", "c"]`.

A list may hold equal neighbours, and then a comma is lost. What stands around the two tells which it is: the other
items of the list, the lists beside it, and other calls of the function. Where nothing tells, both are named.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_end, line_start
from dovetail.diagnostics.mistakes.item_lists import item_lists, list_around, peers_of
from dovetail.diagnostics.mistakes.lost_comma import is_next_result
from dovetail.diagnostics.mistakes.lost_operator import is_comma_likely
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.diagnostics.mistakes.item_lists import ItemList
    from dovetail.quotient.right_side import RightSide

_TWICE = re.compile(
    r"(?<![\w.$\"'\\])(?P<value>\d[\w.]*|\"[^\"\r\n]*\"|'[^'\r\n]*')"
    r"(?:[ \t]|(?<=[\"'])(?=(?P=value)\s*:))(?P<second>(?P=value))(?![\w.])"
)
"""A value twice, with one blank between, or none in a key: several stood around a sign that is lost."""
_RETURN = re.compile(r"[ \t]*return\b")
KEYED = re.compile(r"(?:[\w.]+|\[[^\]]*\]|\"[^\"\r\n]*\"|'[^'\r\n]*')\s*(?::|=(?!=))")
"""A key and its sign, at the beginning of an item."""
_NAMES = re.compile(r"[\w\s,.]*\Z")
_WORD = re.compile(r"(?<![\w$.])[^\W\d]\w*\s*\Z")
_CONDITION = "(x) x "
"""The look of a header's condition before a statement."""
_COMMA = ","
_ASSIGNED = "="
_COLON = ":"
_BLOCK = "{"
_QUOTES = ("'", '"')
_FEWEST_TEXTS, _FEWEST_NUMBERS = 2, 3
"""The fewest other items, all unlike, of a list in which no value stands twice."""


def find_doubled_value(right: RightSide, text: str, start: int) -> Hint | None:
    """Return the hint for the value at an offset, which stands twice; None if a comma is lost between the two.

    `start`: where the lexeme at the fault begins. With one of the two the rest of the line fits.
    """
    begin, end = line_start(text, start), line_end(text, start)
    pairs = list(_TWICE.finditer(text, begin, end))
    found = next((each for each in pairs if each.start("second") == start), None)
    if found is None:
        return None
    # The next pair is another mistake.
    stop = min((each.start("second") for each in pairs if each.start() > start), default=end)
    at = Configuration((right.stacks.bottom,), right.lexer.start)
    before = at.read(right.lexer, right.stacks, text[: found.end("value")])
    rest = text[found.end() : stop] + ("\n" if stop == end else "")
    if before is None or not fits(right, before, rest):
        return None
    words = f"`{found['value']}` does not fit after `{found['value']}`; "
    meant = Meant(start, found.end(), "", is_sure=True)
    is_other = fits(right, before, f"{_COMMA} {found['value']}{rest}")
    if fits(right, before, f"{_COLON} {found['value']}{rest}") and (not is_other or _is_keyed(right, text, start)):
        return None
    is_twice = not is_other or _is_twice(right, before, text, start, found["value"])
    if is_twice is None:
        return Hint(start, f"{words}perhaps a `{_COMMA}` is missing between them, or one of them is too many", meant)
    return Hint(start, f"{words}leave it out", meant) if is_twice else None


def _is_keyed(right: RightSide, text: str, offset: int) -> bool:
    """Return whether another item of the list around an offset is a key and its value."""
    own = list_around(item_lists(right.lexer, text), offset)
    return own is not None and any(
        KEYED.match(text, start, end) for start, end in own.items if not start <= offset < end
    )


def _is_twice(right: RightSide, before: Configuration, text: str, offset: int, value: str) -> bool | None:
    """Return whether the value at an offset stands twice, and no comma is lost; None if nothing tells.

    `before`: the configuration between the two.
    """
    targets, sign, values = text[line_start(text, offset) : offset].partition(_ASSIGNED)
    if is_next_result(text, offset) or (
        sign and _NAMES.match(targets) and values.count(_COMMA) < targets.count(_COMMA)
    ):
        return False
    lists = item_lists(right.lexer, text)
    own = list_around(lists, offset)
    is_block = own is not None and own.sign == _BLOCK and bool(right.lexer.compiled.blocks)
    if own is None or (is_block and not fits(right, before, f"{_COMMA}{MIRRORED[_BLOCK]}")):
        # Several values stand in a statement only where they are returned.
        has_words = bool(right.lexer.compiled.mistakes.closed_by)
        is_returned = has_words and _RETURN.match(text, line_start(text, offset)) is not None
        return None if is_returned else True
    is_value = any(KEYED.match(text, start, offset) for start, end in own.items if start <= offset < end)
    is_key = text[offset + len(value) :].lstrip().startswith(_COLON)
    if is_value or is_key or _is_condition(right, text, own) or not is_comma_likely(right, text, offset):
        return True
    counts = {len(each.items) for each in peers_of(own, lists)}
    with_comma, without = len(own.items) + 1 in counts, len(own.items) in counts
    if with_comma != without:
        return without
    return None if own.is_call else _is_unlike(own, text, offset, value)


def _is_condition(right: RightSide, text: str, own: ItemList) -> bool:
    """Return whether a list is the condition of a header, as behind `if`."""
    word = _WORD.search(text, 0, own.opener)
    if word is None or word.group().strip() not in right.lexer.compiled.literals:
        return False
    at = Configuration((right.stacks.bottom,), right.lexer.start)
    before = at.read(right.lexer, right.stacks, text[: own.opener])
    return before is not None and fits(right, before, _CONDITION)


def _is_unlike(own: ItemList, text: str, offset: int, value: str) -> bool | None:
    """Return whether no items of a list are alike but those around an offset; None if there are too few."""
    others = [text[start:end] for start, end in own.items if not start <= offset < end]
    if any(one == other for one, other in pairwise(others)):
        return False
    fewest = _FEWEST_TEXTS if value.startswith(_QUOTES) else _FEWEST_NUMBERS
    return True if len(others) >= fewest and len({*others, value}) > len(others) else None
