"""Flaw: a mistake that the lexemes of a text show by themselves, without a parser.

A bracket that is never closed makes the parser stop far below it, at a line with which nothing is wrong. So a message
names the bracket. The same holds for a string that never ends, for a closing bracket too many, and for a character
that belongs to no lexeme. CPython's tokenizer reports the same ones before its parser's errors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.engine.broken_lexeme import find_broken_lexeme, shortened

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer

_MIRRORED = {"(": ")", "[": "]", "{": "}"}
_CLOSING = frozenset(_MIRRORED.values())


@dataclass(frozen=True, slots=True)
class Flaw:
    """A mistake of single lexemes."""

    offset: int
    """In characters, from 0: where the lexeme begins that is wrong, or that is never closed."""
    message: str
    """The mistake, in a few words."""
    is_open: bool = False
    """Whether something is missing: all text after the offset is inside of what is never closed."""


def find_flaw(lexer: Lexer, text: str) -> Flaw | None:
    """Return the first lexeme of a text that no program contains, else the innermost bracket that is never closed.

    None if there is neither. Whether the lexemes make a program together is not asked.
    """
    modes, errors, literals = lexer.modes, lexer.compiled.errors, lexer.compiled.literals
    stack, offset, length = modes.bottom, 0, len(text)
    opened: list[tuple[int, str]] = []  # the offset and the text of what is open
    while offset < length:
        terminal, end = lexer.scanners[modes.scanner_of[stack]].longest(text, offset)
        if terminal < 0 or terminal in errors:
            flaw = _unreadable(lexer, stack, text, offset, opened)
            if flaw is not None:
                return flaw
            offset += 1
            continue
        lexeme = text[offset:end]
        way = modes.known_transition(stack, terminal)
        deeper = 0 if way is None else modes.depths[way.stack] - modes.depths[stack]
        bracket = lexeme if literals[terminal] is not None else ""
        if bracket in _MIRRORED or deeper > 0:
            opened.append((offset, lexeme))
        elif bracket in _CLOSING or deeper < 0:
            if not opened:
                return Flaw(offset, f"`{lexeme}` closes nothing")
            before, opener = opened.pop()
            if bracket in _CLOSING and _MIRRORED.get(opener) != bracket:
                return Flaw(offset, f"`{lexeme}` does not close `{opener}` of line {_line(text, before)}")
        if way is not None:
            stack = way.stack
        offset = end
    if not opened:
        return None
    offset, opener = opened[-1]
    return Flaw(offset, f"`{opener}` is never closed", is_open=True)


def _unreadable(lexer: Lexer, stack: int, text: str, offset: int, opened: list[tuple[int, str]]) -> Flaw | None:
    """Return the flaw at an offset where no lexeme begins, or only one that is there to be refused.

    None for a plain character that no lexeme begins with, and for a part of a sign or of a keyword: these are for the
    parser to report in their place.
    """
    broken = find_broken_lexeme(lexer, stack, text, offset)
    in_text = bool(opened) and opened[-1][1] not in _MIRRORED
    if in_text or ((broken is None or broken.is_open) and any(opener not in _MIRRORED for _, opener in opened)):
        # Inside a text with fields all characters up to its end belong to it, or to the field that is open.
        before, opener = opened[-1]
        if not in_text:
            return Flaw(before, f"`{opener}` is never closed")
        if text[offset] in "\r\n":
            return Flaw(before, f"`{opener}` is not closed on this line")
        _, end = lexer.scanners[lexer.modes.scanner_of[stack]].longest(text, offset)
        wrong = text[offset : max(end, offset + 1)]
        return Flaw(offset, f"`{shortened(wrong)}` cannot stand in the text that `{opener}` opens")
    if broken is not None:
        return Flaw(broken.offset, broken.message)
    character = text[offset]
    return None if character.isascii() else Flaw(offset, f"the character U+{ord(character):04X} cannot stand here")


def _line(text: str, offset: int) -> int:
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1
