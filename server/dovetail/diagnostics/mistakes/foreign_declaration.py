"""Foreign declaration: a declaration of a dialect or another language, which this one has nothing for.

Such as an interface of TypeScript in JavaScript, or a comment of several lines in a language that has none: all of it
is left out, so that nothing in it is reported.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED, brackets_of, closer_of
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_at, line_column, line_end, line_start
from dovetail.diagnostics.mistakes.foreign_form import told
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.grammar.mistakes import ForeignForm
    from dovetail.quotient.right_side import RightSide

_BRACE = "{"
_CONTENT = re.compile(r"[^\r\n]")
_BRACKET = re.compile(r"[(\[{)\]}]|\"[^\"\r\n]*\"|'[^'\r\n]*'|//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_REST = re.compile(r"(?:\s*[|&][^\r\n]*)*[ \t]*;?")
"""Lines that go on with a sign, and what ends the declaration."""


def find_foreign_declaration(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a declaration whose header has a fault at an offset; None for anything else."""
    start = line_start(text, offset)
    for form in right.lexer.compiled.mistakes.forms:
        if not form.is_whole or form.is_block:
            continue
        found = re.compile(form.pattern).match(text, start, line_end(text, offset))
        if found is None or found.end() < offset:
            continue
        end = _end(text, form, found.end())
        if end is None or (form.needs and not _fits_at(right, text, start, form.needs)):
            continue
        if form.needs and _is_behind_open(right, text, start):
            continue
        rest = _REST.match(text, end)
        end = end if rest is None else rest.end()
        first = start + len(found.group()) - len(found.group().lstrip())
        words = told(form, found, found.expand(form.write)) if form.write else form.words
        return Hint(first, words, Meant(first, end, _CONTENT.sub(" ", text[first:end]), is_sure=True))
    return None


def _end(text: str, form: ForeignForm, end: int) -> int | None:
    """Return the offset behind a declaration whose header ends at an offset; None if nothing ends it."""
    if form.ends:
        last = re.compile(form.ends).search(text, end)
        return None if last is None else last.end()
    return closed(text, end - 1) if text[end - 1] in MIRRORED else end


def _is_behind_open(right: RightSide, text: str, start: int) -> bool:
    """Return whether a line is no deeper than one above that opens the brace around it, and some brace lacks its end.

    It was meant to stand behind that brace's end: `match(url) {` below an open method is a method.
    """
    opened = brackets_of(right.lexer, text[:start]).opened if right.lexer.compiled.blocks else []
    if not opened or opened[-1][1] != _BRACE or closer_of(right.lexer, text, opened[0][0]) is not None:
        return False
    return line_column(text, content_at(text, start)) <= line_column(text, opened[-1][0])


def _fits_at(right: RightSide, text: str, offset: int, needed: str) -> bool:
    """Return whether a text would fit at an offset of another one."""
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:offset])
    return at is not None and fits(right, at, needed)


def closed(text: str, opener: int) -> int | None:
    """Return the offset behind what closes the bracket at an offset; None if nothing does.

    The lexemes of this language would not do: the declaration is none of its own.
    """
    opened: list[str] = []
    for found in _BRACKET.finditer(text, opener):
        sign = found.group()
        if sign in MIRRORED:
            opened.append(MIRRORED[sign])
        elif len(sign) == 1 and opened.pop() != sign:
            return None
        if not opened:
            return found.end()
    return None
