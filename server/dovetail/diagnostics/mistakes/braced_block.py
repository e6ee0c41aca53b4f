"""Braced block: a block in braces, in a language whose blocks are made by columns.

The brace stands at the end of the header or on the next line. With a colon for it, and without the brace that closes
it, the block is one of this language: neither brace is reported besides.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_at, line_end, line_start
from dovetail.diagnostics.mistakes.foreign_form import IS_MISSING, meanings_of, told
from dovetail.diagnostics.reach import fits
from dovetail.lexing.lexemes import lexemes
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.right_side import RightSide

_NEXT_LINE = re.compile(r"[ \t]*(?:\r\n|\r|\n)[ \t]*(\{)[ \t]*(?=[\r\n]|\Z)")
_AFTER_CLOSER = re.compile(r"\}([ \t]+)(\w+)")


def find_braced_block(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the header of a block in braces that has a fault at an offset; None for anything else."""
    forms = [form for form in right.lexer.compiled.mistakes.forms if form.is_braced]
    # The line end of Windows may begin with a blank.
    offset -= text.startswith("\r\n", offset - 1)
    start, end = line_start(text, offset), line_end(text, offset)
    last = len(text[:end].rstrip(" \t"))
    below = _NEXT_LINE.match(text, last) if forms else None
    if text.startswith("{", offset):
        brace = offset
    elif below is not None:
        brace = below.start(1)
    elif text.startswith("{", last - 1):
        brace = last - 1  # The header itself does not fit, as `else if`.
    else:
        return None
    header_end = len(text[:brace].rstrip())
    for form in forms:
        found = re.fullmatch(form.pattern, text[start:header_end])
        if found is None:
            continue
        at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:start])
        closer = _closer(right.lexer, text, brace)
        same_line = text[brace + 1 : line_end(text, brace) if closer is None else min(closer, line_end(text, brace))]
        meanings = meanings_of(right.lexer.compiled.mistakes, form, found)
        header = next((each for each in meanings if at and fits(right, at, f"{each}{same_line}\n")), None)
        if header is None:
            continue
        meant = header + text[header_end:brace] + _without(text, brace + 1, closer)
        place = header_end if form.words.startswith(IS_MISSING) else content_at(text, start)
        return Hint(place, told(form, found, header), Meant(start, _end(text, brace, closer), meant, is_sure=True))
    return None


def _closer(lexer: Lexer, text: str, brace: int) -> int | None:
    """Return the offset of what closes the brace at an offset; None if nothing does."""
    opened: list[str] = []
    for start, end, terminal, _, _ in lexemes(lexer, text):
        sign = "" if start < brace or terminal is None else text[start:end]
        if sign in MIRRORED:
            opened.append(MIRRORED[sign])
        elif sign in MIRRORED.values():
            if not opened or opened.pop() != sign:
                return None
            if not opened:
                return start
    return None


def _end(text: str, brace: int, closer: int | None) -> int:
    """Return the offset up to which a text is changed for a brace and what closes it."""
    if closer is None:
        return brace + 1
    after = _AFTER_CLOSER.match(text, closer)
    return closer + 1 if after is None else after.end()


def _without(text: str, begin: int, closer: int | None) -> str:
    """Return a text from an offset on, with blanks for a closing brace; a word behind it takes its column."""
    if closer is None:
        return ""
    after = _AFTER_CLOSER.match(text, closer)
    instead = " " if after is None else f"{after[2]} {after[1]}"
    return text[begin:closer] + instead
