"""Flaw: a mistake that the lexemes of a text show by themselves, without a parser.

A bracket that is never closed makes the parser stop far below it, at a line with which nothing is wrong. So a message
names the bracket. The same holds for a string that never ends, for a closing bracket too many, and for a character
that belongs to no lexeme. CPython's tokenizer reports the same ones before its parser's errors.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from dovetail.diagnostics.broken_lexeme import find_broken_lexeme, shortened
from dovetail.diagnostics.markup.tags import name_of_place
from dovetail.diagnostics.mistakes.lookalikes import stray_character
from dovetail.lexing.lexemes import lexemes
from dovetail.quotient.quoted import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.lexing.lexer import Lexer

MIRRORED = {"(": ")", "[": "]", "{": "}"}
"""Bracket → the bracket that closes it."""
OPENERS = {closer: opener for opener, closer in MIRRORED.items()}
"""Closing bracket → the bracket that it closes."""
_REMEMBERED = 16
"""Texts whose flaw is remembered: several mends of one mistake ask for that of the same text."""
_QUOTES = ('"', "'")
_CLOSING_TAG = re.compile(r"</[ \t]*[\w$.:-]*[ \t]*>")
_CLOSING = frozenset(MIRRORED.values())
_BRACKETS = frozenset((*MIRRORED, *_CLOSING))


@dataclass(frozen=True, slots=True)
class Flaw:
    """A mistake of single lexemes."""

    offset: int
    """In characters, from 0: where the lexeme begins that is wrong, or that is never closed."""
    message: str
    """The mistake, in a few words."""
    is_open: bool = False
    """True if something is missing: all text after the offset is inside of what is never closed."""
    is_stray: bool = False
    """True for a closing bracket that closes nothing, or another bracket."""
    opener: str = ""
    """The bracket that is open where a stray one stands; empty for none."""
    opened: int = -1
    """The offset of that bracket."""


class OpenBrackets(NamedTuple):
    """The brackets of a text, whatever closes them."""

    opened: list[tuple[int, str]]
    """The offset and the sign of each that is open at the end, the outermost first."""
    last: tuple[int, int] | None
    """The offsets of the last bracket that closes one, after that of the one that it closes; None if none does."""


@lru_cache(_REMEMBERED)
def find_flaw(lexer: Lexer, text: str) -> Flaw | None:
    """Return the first lexeme of a text that no program contains, else the innermost bracket that is never closed.

    None if there is neither. Whether the lexemes make a program together is not asked.
    """
    opened: list[tuple[int, str]] = []  # the offset and the text of what is open
    foreign: set[int] = set()  # brackets that the language lacks, such as parentheses in JSON
    for offset, end, terminal, stack, depth in lexemes(lexer, text):
        if terminal is None:
            is_inside = any(opener not in MIRRORED for _, opener in opened)
            if is_inside and text[offset] == MIRRORED.get(opened[-1][1][-1:]):
                return None  # It is closed, and what stands before its end has to go on, as a dot.
            flaw = _unreadable(lexer, stack, text, offset, opened)
            if flaw is not None:
                return flaw
            if text[offset] in MIRRORED and text[offset] not in lexer.compiled.literals:
                foreign.add(offset)
                opened.append((offset, text[offset]))
            elif opened and opened[-1][0] in foreign and text[offset] == MIRRORED[opened[-1][1]]:
                opened.pop()
            continue
        lexeme = text[offset:end]
        bracket = lexeme if lexer.compiled.literals[terminal] is not None else ""
        if bracket in MIRRORED or depth > 0:
            opened.append((offset, lexeme.rstrip() or lexeme))
        elif bracket in _CLOSING or depth < 0:
            if not opened:
                return Flaw(offset, f"{quoted(lexeme)} closes nothing", is_stray=bracket in _CLOSING)
            before, opener = opened.pop()
            # Only the last sign of an opener such as `${` is a bracket.
            if bracket in _CLOSING and before in foreign:
                return Flaw(before, f"`{opener}` does not fit here; perhaps it should be `{OPENERS[bracket]}`")
            if bracket in _CLOSING and MIRRORED.get(opener[-1:]) != bracket:
                words = f"`{lexeme}` does not close `{opener}` of line {_line(text, before)}"
                return Flaw(offset, words, is_stray=True, opener=opener, opened=before)
    if not opened:
        return None
    offset, opener = opened[-1]
    return Flaw(offset, f"{quoted(opener)} is never closed", is_open=True)


def brackets_of(lexer: Lexer, text: str) -> OpenBrackets:
    """Return the brackets of a text, each closed by the next closing one, be it of its kind or not."""
    opened: list[tuple[int, str]] = []
    last: tuple[int, int] | None = None
    for start, sign in signs(lexer, text):
        if sign in MIRRORED:
            opened.append((start, sign))
        elif sign in _CLOSING and opened:
            last = (opened.pop()[0], start)
    return OpenBrackets(opened, last)


def closer_of(lexer: Lexer, text: str, offset: int) -> int | None:
    """Return where the bracket at an offset of a text is closed by its own kind; None if it, or one inside, is not."""
    opened: list[str] = []
    for start, sign in signs(lexer, text):
        if start < offset:
            continue
        if sign in MIRRORED:
            opened.append(MIRRORED[sign])
        elif sign in _CLOSING:
            if not opened or opened.pop() != sign:
                return None
            if not opened:
                return start
    return None


def signs(lexer: Lexer, text: str) -> Iterator[tuple[int, str]]:
    """Yield the lexemes of a text, each with its offset, but none that only looks like a bracket, as in a template.

    Of an opener such as `${` only the last sign is given, a bracket: so the `}` that closes it closes no other brace.
    """
    for start, end, terminal, _, depth in lexemes(lexer, text):
        if terminal is None:
            continue
        if depth > 0 and text[end - 1] in MIRRORED:
            yield start, text[end - 1]
        elif depth or lexer.compiled.literals[terminal] is not None or text[start] not in _BRACKETS:
            yield start, text[start:end]


def _unreadable(lexer: Lexer, stack: int, text: str, offset: int, opened: list[tuple[int, str]]) -> Flaw | None:
    """Return the flaw at an offset where no lexeme begins, or only one that is there to be refused.

    None for a plain character that no lexeme begins with, and for a part of a sign or of a keyword: these are for the
    parser to report in their place.
    """
    broken = find_broken_lexeme(lexer, stack, text, offset)
    in_text = bool(opened) and opened[-1][1] not in MIRRORED
    if broken is None and _is_in_field(lexer, text, offset, opened, in_text=in_text):
        return None
    if in_text or ((broken is None or broken.is_open) and any(opener not in MIRRORED for _, opener in opened)):
        # Inside a text with fields all characters up to its end belong to it, or to the field that is open.
        before, opener = opened[-1]
        others = [text for _, text in opened if text not in MIRRORED]
        if not in_text and broken is not None and _is_string(broken.opener, others) and "\n" not in text[before:offset]:
            return Flaw(broken.offset, broken.message)  # It has taken in what closes the field.
        if not in_text:
            return Flaw(before, f"{quoted(opener)} is never closed")
        if broken is not None and broken.is_open and broken.opener in _QUOTES:
            return Flaw(broken.offset, broken.message)  # A string in a tag.
        if text[offset] in "\r\n":
            return Flaw(before, f"{quoted(opener)} is not closed on this line")
        _, end = lexer.scanners[lexer.modes.scanner_of[stack]].longest(text, offset)
        wrong = text[offset : max(end, offset + 1)]
        place = name_of_place(lexer, stack)
        if not place and opener.startswith("<"):
            # Less-than, a tag, or arguments of a type: nobody knows which was meant.
            tag = _CLOSING_TAG.match(text, max(text.rfind("<", 0, offset + 1), 0))
            start, wrong = (offset, wrong) if tag is None or tag.end() <= offset else (tag.start(), tag.group())
            return Flaw(start, f"`{shortened(wrong)}` does not fit here")
        place = place or f"the text that {quoted(opener)} opens"
        return Flaw(offset, f"`{shortened(wrong)}` cannot stand in {place}")
    if broken is not None:
        return Flaw(broken.offset, broken.message)
    character = text[offset]
    return None if character.isascii() else Flaw(offset, stray_character(character))


def _is_in_field(lexer: Lexer, text: str, offset: int, opened: list[tuple[int, str]], *, in_text: bool) -> bool:
    """Return whether a part of a sign stands in a field, or in a bracket within one that is closed."""
    if not opened or not (text[offset].isascii() and text[offset].isprintable()):
        return False
    before, opener = opened[-1]
    return opener[-1] in MIRRORED if in_text else closer_of(lexer, text, before) is not None


def _is_string(opener: str, others: list[str]) -> bool:
    """Return whether quotes open a string that they cannot close; `others` are the texts with fields around it."""
    return opener in _QUOTES and not any(other.endswith(opener) for other in others)


def _line(text: str, offset: int) -> int:
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1
