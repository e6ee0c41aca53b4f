"""Tags: where the elements of a text open and close."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.engine.lexemes import lexemes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.lexing.lexer import Lexer


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
