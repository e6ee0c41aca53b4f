"""Tags: where the elements of a text open and close."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.automata.dfa import START
from dovetail.lexing.lexemes import lexemes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dovetail.lexing.lexer import Lexer
    from dovetail.parsing.configuration import Configuration
    from dovetail.quotient.right_side import RightSide

_NAME = re.compile(r"<\s*/?\s*([\w$.:-]*)")


class Element(NamedTuple):
    """An element of a text, by its beginning and its end, and the number of those that it stands in."""

    start: int
    end: int
    around: int


def is_in_tag(right: RightSide, at: Configuration) -> bool:
    """Return whether a configuration lies in a tag, where attributes stand, and not in the value of one."""
    return _may_come(right, at, "begun")


def is_in_content(right: RightSide, at: Configuration) -> bool:
    """Return whether a configuration lies between the tags of an element, and in no other brackets."""
    return _may_come(right, at, "close")


def _may_come(right: RightSide, at: Configuration, kind: str) -> bool:
    """Return whether a terminal of tags leads from the mode of a configuration to another one."""
    lexer = right.lexer
    before: Configuration | None = at if kind in lexer.compiled.mistakes.elements else None
    while before is not None and before.lexer.at != START:
        # Behind the brace of a value, its modes are left only once the brace has ended. A tag and its name may look
        # like the beginning of a longer lexeme.
        at, before = before, before.fallen_back(lexer, right.stacks)
    return _leads_on(lexer, (before or at).lexer.stack, kind)


def name_of_place(lexer: Lexer, stack: int) -> str:
    """Return words for the part of an element in which modes are; empty for none."""
    if _leads_on(lexer, stack, "begun"):
        return "a tag"
    return "the text of an element" if _leads_on(lexer, stack, "close") else ""


def _leads_on(lexer: Lexer, stack: int, kind: str) -> bool:
    """Return whether a terminal of tags leads from the innermost of some modes to another one."""
    names = lexer.compiled.productions.names
    terminals = [names.index(name) for name in lexer.compiled.mistakes.elements.get(kind, ())]
    modes = [lexer.compiled.modes[mode] for mode in lexer.modes.entries[stack][0]]
    return any(terminal in mode.switch for mode in modes for terminal in terminals)


def tags(lexer: Lexer, text: str) -> Iterator[tuple[int, int, int]]:
    """Yield the tags of a text but those of elements without content.

    Each is its offset, the offset at which content begins, 0 for a closing tag, and the modes between both tags.
    """
    names, elements = lexer.compiled.productions.names, lexer.compiled.mistakes.elements
    begins: list[tuple[int, int]] = []  # the tags that are being read, each in an attribute of the one before
    for start, end, terminal, stack, _ in lexemes(lexer, text):
        name = "" if terminal is None else names[terminal]
        way = None if terminal is None else lexer.modes.known_transition(stack, terminal)
        inside = stack if way is None else way.stack
        if name in elements["open"]:
            depth = lexer.modes.depths[inside]
            while begins and begins[-1][0] >= depth:
                begins.pop()  # a tag of an element without content
            begins.append((depth, start))
        elif name in elements["begun"]:
            while begins and begins[-1][0] > lexer.modes.depths[stack]:
                begins.pop()
            if begins:
                yield begins.pop()[1], end, inside
        elif name in elements["close"]:
            yield start, 0, stack


def elements(lexer: Lexer, text: str) -> Iterator[Element]:
    """Yield the elements of a text that end, in the order of their ends."""
    names, tags = lexer.compiled.productions.names, lexer.compiled.mistakes.elements
    opened: list[tuple[int, bool]] = []  # what is open, by its offset, and whether it is a tag
    for start, end, terminal, _, depth in lexemes(lexer, text):
        if terminal is None or depth == 0:
            continue
        if depth > 0:
            opened.append((start, names[terminal] in tags["open"]))
            continue
        begun = opened[depth:]
        del opened[depth:]
        if begun and begun[0][1]:
            yield Element(begun[0][0], end, sum(is_tag for _, is_tag in opened))


def tag_name(text: str, offset: int) -> str:
    """Return the name in the tag at an offset of a text; empty for none."""
    found = _NAME.match(text, offset)
    return "" if found is None else found[1]


def closing_tag(text: str, name: str, offset: int) -> re.Match[str] | None:
    """Return the closing tag behind an offset for an element of a name that opens before it; None if there is none."""
    tag = re.compile(rf"<\s*(/?)\s*{re.escape(name)}(?![\w$.:-])(?![^<>]*/>)[^<>]*>?")
    depth = 0
    for found in tag.finditer(text, offset):
        depth += -1 if found[1] else 1
        if depth < 0:
            return found
    return None


def is_behind_same(text: str, offset: int) -> bool:
    """Return whether the closing tag at an offset of a text stands right behind another one of its name."""
    name = tag_name(text, offset)
    return name != "" and re.search(rf"</\s*{re.escape(name)}\s*>\s*\Z", text[:offset]) is not None


def are_closed(lexer: Lexer, text: str, offset: int, around: Iterable[str]) -> bool:
    """Return whether the tags behind an offset close all elements around it, of some names, by their own names."""
    names = list(around)
    for place, begun, _ in tags(lexer, text):
        if place <= offset:
            continue
        if begun:
            names.append(tag_name(text, place))
        elif not names or names.pop() != tag_name(text, place):
            return False
        if not names:
            return True
    return False
