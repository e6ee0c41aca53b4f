"""Open parts: the tags, brackets and contents of elements that are open at the end of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dovetail.lexing.lexemes import lexemes

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer


class OpenPart(NamedTuple):
    """A tag, a bracket, or the content of an element, that is open."""

    offset: int
    """The place where it begins; the content of an element begins with its tag."""
    kind: str
    """The bracket; `tag` and `end` for the tags that open and close an element, `content` for what lies between."""
    ends: tuple[int, ...] = ()
    """The offsets at which a tag's own lexemes end."""
    begun: int = -1
    """The offset of the tag that opens the element of a closing one."""


def open_parts(lexer: Lexer, text: str) -> list[OpenPart]:
    """Return what is open at the end of a text, the innermost last."""
    names, elements = lexer.compiled.productions.names, lexer.compiled.mistakes.elements
    opened: list[OpenPart] = []
    for start, end, terminal, _, depth in lexemes(lexer, text):
        name = "" if terminal is None else names[terminal]
        if depth > 0:
            opened.append(OpenPart(start, "tag" if name in elements["open"] else text[start:end], (end,)))
            continue
        if depth < 0:
            del opened[depth:]
        elif name in elements["begun"] and opened:
            opened[-1] = OpenPart(opened[-1].offset, "content")
        elif name in elements["close"] and opened:
            opened[-1] = OpenPart(start, "end", (end,), opened[-1].offset)
        if opened and opened[-1].ends and text[start:end].strip():
            opened[-1] = opened[-1]._replace(ends=(*opened[-1].ends, end))
    return opened
