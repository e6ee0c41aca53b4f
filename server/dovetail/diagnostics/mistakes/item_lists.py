"""Item lists: the brackets of a text that are closed, each with the items that commas separate in it.

A text with a mistake is read, so only its lexemes count. Other lists of the same kind tell how many items one has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED, OPENERS
from dovetail.lexing.lexemes import lexemes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail.lexing.lexer import Lexer

_COMMA = ","
_AFTER_KEY = (":", "=")
_NAME = re.compile(r"[^\W\d][\w$]*\Z")
_KEY = re.compile(r"[^\W\d][\w$]*\Z|[\"'].*[\"']\Z")


@dataclass(slots=True)
class ItemList:
    """A bracket that is closed, and what stands in it."""

    opener: int
    closer: int
    sign: str
    """The opening bracket."""
    before: str
    """The word right before it, as the name of a function that is called, or the key whose value it is, with its sign;
    empty for neither."""
    parent: int
    """The offset of the bracket around it; -1 for none."""
    items: list[tuple[int, int]] = field(default_factory=list)
    """The beginning and the end of each item."""

    @property
    def is_call(self) -> bool:
        """True for the arguments of a function, and for its parameters."""
        return self.sign == "(" and self.before[-1:] not in ("", *_AFTER_KEY)


def item_lists(lexer: Lexer, text: str) -> list[ItemList]:
    """Return the brackets of a text that are closed by their own kind, those that end first coming first."""
    found: list[ItemList] = []
    opened: list[ItemList] = []
    begun: list[tuple[int, int] | None] = []  # Of each open bracket, what is read of its last item.
    last = ["", ""]
    for start, sign in _content(lexer, text):
        end = start + len(sign)
        if sign in OPENERS and opened:
            own, item = opened.pop(), begun.pop()
            if OPENERS[sign] == own.sign:
                own.closer = start
                own.items += [] if item is None else [item]
                found.append(own)
        if opened and sign == _COMMA:
            item, begun[-1] = begun[-1], None
            opened[-1].items += [] if item is None else [item]
        elif opened:
            item = begun[-1]
            begun[-1] = (start if item is None else item[0], end)
        if sign[-1:] in MIRRORED:
            opened.append(ItemList(start, -1, sign[-1:], _before(lexer, last), opened[-1].opener if opened else -1))
            begun.append(None)
        last = [*last[1:], sign]
    return found


def list_around(lists: Sequence[ItemList], offset: int) -> ItemList | None:
    """Return the innermost list around an offset; None if there is none."""
    around = [each for each in lists if each.opener < offset < each.closer]
    return max(around, key=lambda each: each.opener, default=None)


def peers_of(own: ItemList, lists: Sequence[ItemList]) -> Iterator[ItemList]:
    """Yield the lists that hold as many items as one does, most likely.

    Those are the arguments of the same function, the fields of the same type, the values of the same key, and what
    stands in one list with it.
    """
    around = next((each for each in lists if each.opener == own.parent), None)
    for each in lists:
        if each.opener == own.opener or each.sign != own.sign or each.before != own.before:
            continue
        is_beside = around is not None and {(at.opener, at.closer + 1) for at in (own, each)} <= set(around.items)
        if own.before or is_beside:
            yield each


def _before(lexer: Lexer, last: Sequence[str]) -> str:
    """Return what a bracket belongs to, by the last two lexemes before it; empty for nothing."""
    second, third = last
    if third in _AFTER_KEY and _KEY.match(second):
        return second + third
    # The elements of an array, as in `[]int{1}`, are as many as one likes.
    is_name = _NAME.match(third) and third not in lexer.compiled.literals and second != "]"
    return third if is_name else ""


def _content(lexer: Lexer, text: str) -> Iterator[tuple[int, str]]:
    """Yield the lexemes of a text that are neither blank nor comments, each with its offset."""
    for start, end, terminal, stack, _ in lexemes(lexer, text):
        way = None if terminal is None else lexer.modes.known_transition(stack, terminal)
        lexeme = text[start:end]
        if lexeme.strip() and (way is None or way.is_seen(blank=True)):
            yield start + len(lexeme) - len(lexeme.lstrip()), lexeme.strip()
