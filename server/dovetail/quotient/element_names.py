"""The names of elements around a cursor: what the end of each has to be called.

No grammar of bounded size compares the two names of an element, so `<a></b>` is a program for the engine. Here a text
is read by the lexer once more, tag by tag. The depth of its modes says which beginning an end belongs to. A text that
the lexer refuses is read up to there; an element whose beginning was not read may end with any name.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.grammar.habits import Elements
    from dovetail.lexing.lexer import Lexer, LexerState
    from dovetail.quotient.right_side import RightSide

_TAIL = 200
"""Characters before the cursor in which a tag may have begun that the cursor stands in."""

_FAR = 20_000
"""Characters of the right text in which ends of elements are looked for."""

_REMEMBERED = 256
"""Middles."""


class Tag(NamedTuple):
    """A tag of an element, up to its name."""

    start: int
    """The offset of its first character."""
    sign: int
    """The offset after its signs."""
    named: int
    """The offset of its name."""
    name: str
    depth: int
    """The depth of the modes inside the element."""
    closes: bool


class Naming(NamedTuple):
    """The names that a middle writes and needs."""

    fits: bool
    """True if no end in the middle, or begun there, has another name than its beginning, or anything beside it."""
    agrees: bool
    """True if the same holds for the ends in the right text, or if the middle has no part in them: if it ends none of
    the elements around the cursor, and leaves none open."""
    due: str | None
    """The rest of the end of an element that is needed after the middle, its name included; None outside of an end."""


class ElementNames:
    """The names around one cursor."""

    def __init__(self, lexer: Lexer, elements: Elements, state: LexerState, left: str, right: str) -> None:
        """Take the state of the lexer after a left text, which is read itself only if names in it matter."""
        self._lexer = lexer
        self._tag = re.compile(elements.tag)
        modes = lexer.compiled.modes
        self._opened, self._closing = (
            next((number for number, mode in enumerate(modes) if mode.name == name), -1)
            for name in (elements.opened, elements.closing)
        )
        self._left, self._right = left, right[:_FAR]
        self._end = "" if right.startswith(elements.end) else elements.end
        tail = re.search(rf"(?:{elements.tag})\Z", left[-_TAIL:])
        self._begun = "" if tail is None else tail[0]
        """The tag that the cursor stands in, as far as its name was written."""
        self._state = state if tail is None else None
        self.naming = lru_cache(_REMEMBERED)(self._naming)
        """Middle → what it says about names."""

    @property
    def in_name(self) -> bool:
        """True if the cursor stands in a tag whose name may go on."""
        return bool(self._begun)

    def named(self, middle: str, closing: str) -> str:
        """Return a closing of a middle in which the ends of elements have the names that they need."""
        done, offset = middle, 0
        if (begun := self.naming(middle).due) is not None:
            # The closing goes on with the name of an end that the middle has begun.
            done += begun
            place = closing.find(self._end) if self._end else -1
            offset = len(closing) if place < 0 else place + len(self._end)
        for match in self._tag.finditer(closing, offset):
            if match["end"]:
                name = match.start("name")
                done += closing[offset:name]
                due = self.naming(done).due
                done += match["name"] if due is None else due.removesuffix(self._end)
                offset = match.end()
        return done[len(middle) :] + closing[offset:]

    def _naming(self, middle: str) -> Naming:
        start = self._start
        if start is None:
            return Naming(True, True, None)
        text, begun = self._begun + middle, len(self._begun)
        names: dict[int, str | None] = {}
        depth = self._depth(start)
        fits, due, entered = True, None, False
        for tag in self._tags(start, text):
            if not tag.closes:
                names[tag.depth] = tag.name
                continue
            wanted = self._name(names, tag.depth)
            names.pop(tag.depth, None)
            entered = entered or tag.depth <= depth
            if wanted is not None:
                # Blanks before a name mean nothing. Nobody writes them, but those of the left text stay.
                whole, written = wanted + self._end, text[tag.named if tag.named <= begun else tag.sign :]
                if not written.startswith(whole):
                    fits = fits and whole.startswith(written)
                    due = whole[len(written) :]
        if not fits:
            return Naming(False, False, None)
        after = self._lexer.lex(start, text)
        left_open = after is not None and any(depth < place <= self._depth(after[0]) for place in names)
        return Naming(True, not (entered or left_open) or self._agrees(start, text), due)

    def _agrees(self, start: LexerState, text: str) -> bool:
        """Return whether the right text after a text ends all elements by their names."""
        names: dict[int, str | None] = {}
        for tag in self._tags(start, text + self._right):
            if not tag.closes:
                names[tag.depth] = tag.name
                continue
            if self._name(names, tag.depth) not in (None, tag.name):
                return False
            names.pop(tag.depth, None)
        return True

    def _name(self, names: dict[int, str | None], depth: int) -> str | None:
        """Return the name of the element of a depth: one of the middle, or one of the left text."""
        return names[depth] if depth in names else self._names.get(depth)

    @cached_property
    def _start(self) -> LexerState | None:
        """The state of the lexer at the cursor, or before the tag that it stands in; None if it is not known."""
        if self._state is not None:
            return self._state
        read = self._lexer.lex(self._lexer.start, self._left[: len(self._left) - len(self._begun)])
        return None if read is None else read[0]

    @cached_property
    def _names(self) -> dict[int, str]:
        """Depth → the name of the element that is open there at the cursor."""
        names: dict[int, str] = {}
        for tag in self._tags(self._lexer.start, self._left[: len(self._left) - len(self._begun)]):
            if tag.closes:
                names.pop(tag.depth, None)
            else:
                names[tag.depth] = tag.name
        return names

    def _tags(self, state: LexerState, text: str) -> Iterator[Tag]:
        """Yield the tags of a text, as far as it can be read from a state."""
        lexer, read_up_to = self._lexer, 0
        for match in self._tag.finditer(text):
            before = lexer.lex(state, text[read_up_to : match.start()])
            after = None if before is None else lexer.lex(before[0], match[0])
            if before is None or after is None:
                return
            state, read_up_to = after[0], match.end()
            outside, inside = self._top(before[0]), self._top(state)
            if outside is None or inside is None:
                continue
            if match["end"]:
                if inside[0] == self._closing and outside[0] != self._closing:
                    yield Tag(
                        match.start(), match.end("end"), match.start("name"), match["name"], inside[1], closes=True
                    )
            elif inside[0] == self._opened and inside[1] > outside[1]:
                yield Tag(match.start(), match.end("end"), match.start("name"), match["name"], inside[1], closes=False)

    def _top(self, state: LexerState) -> tuple[int, int] | None:
        """Return the innermost mode once the pending lexeme has ended, and its depth; None inside a string."""
        settled = state if state.at == START else None
        if settled is None:
            read = self._lexer.settle(state)
            if read is None:
                return None
            settled = read[0]
        modes = self._lexer.modes
        return modes.entries[settled.stack][0][0], modes.depths[settled.stack]

    def _depth(self, state: LexerState) -> int:
        """Return the depth of the modes once the pending lexeme has ended."""
        top = self._top(state)
        return self._lexer.modes.depths[state.stack] if top is None else top[1]


def find_element_names(right: RightSide, state: LexerState, left: str) -> ElementNames | None:
    """Return the names around a cursor, before which the lexer is in a state; None in a language without elements."""
    elements = right.machine.compiled.habits.elements
    return None if elements is None else ElementNames(right.lexer, elements, state, left, right.text)
