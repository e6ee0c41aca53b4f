"""Misfit: what does not fit at the place of a fault, in words.

A person sees words, numbers and columns, not the characters at which the parser stopped. So the whole lexeme is named,
and of a line in a wrong column the columns.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.automata.dfa import START
from dovetail.diagnostics.broken_lexeme import shortened
from dovetail.quotient.quoted import quoted

if TYPE_CHECKING:
    from dovetail.lexing.indentation import Column
    from dovetail.lexing.lexer import Lexer
    from dovetail.parsing.configuration import Configuration
    from dovetail.parsing.stack import Stacks

_NAME = re.compile(r"[^\W\d]\w*")
_WHOLE = re.compile(r"[^\W\d][\w$]*")
"""A name, in languages in which one may hold a dollar sign, too."""
_ASSIGNED = "="
_OPERATOR = re.compile(r"[^\w\s\"'`(){}\[\];,]+")
_WORD = re.compile(r"\b\w[\w.]*(?<!\.)\Z")


def wrong_column(lexer: Lexer, stacks: Stacks, at: Configuration) -> str | None:
    """Return what is wrong with the column of the line whose first content comes next; None if its column fits."""
    heads, state = at
    layout = lexer.compiled.layout
    if layout is None or state.line is None or state.at != START:
        return None
    width = state.line.width()
    columns = _open_columns(lexer, state.indents)
    if lexer.arrange(state.indents, width, []) is not None:
        indented = width[0] > columns[-1][0] and not stacks.shift(heads, layout.indent, width)
        return "this line is indented, and no block begins here" if indented else None
    if width[0] > columns[-1][0] and width[1] > columns[-1][1]:
        return f"no more than {layout.deepest} blocks may stand in one another"
    if any(width[0] == column[0] or width[1] == column[1] for column in columns) or width[0] > columns[-1][0]:
        return "tabs and blanks are mixed here in another way than in the lines above"
    depths = [str(wide) for wide, _ in columns]
    return f"this line is indented by {width[0]}, and the open blocks by {', '.join(depths[:-1])} and {depths[-1]}"


def wrong_lexeme(lexer: Lexer, stack: int, text: str, offset: int, fault: int) -> str:
    """Return what does not fit: the lexeme at an offset, or the end of the line or of the text.

    `stack`: the modes at the offset. `fault`: where the text stops fitting, in the lexeme or at its beginning.
    """
    if offset == len(text) and not text.strip():
        return "the text is empty"
    if offset == fault and (offset == len(text) or text[offset] in "\r\n"):
        return f"the end of the {'text' if offset == len(text) else 'line'} does not fit here"
    _, end = lexer.scanners[lexer.modes.scanner_of[stack]].longest(text, offset)
    whole = _WHOLE.match(text, offset)
    if whole is not None and end <= fault < whole.end():
        end = whole.end()  # An operator such as `in` begins a name.
    elif end <= offset == fault:
        # Where no name may stand, no lexeme is a word, and where a value is expected, none is an operator.
        word = _NAME.match(text, offset)
        end = _sign_end(lexer, text, offset) if word is None else word.end()
    elif offset == fault and text[offset:end] == _ASSIGNED:
        end = _sign_end(lexer, text, offset)  # Behind a type a single one would stand, as in `a: typeof = b`.
    # A lexeme that ends before the fault fits, and what is begun after it is no lexeme.
    lexeme = text[offset : end if end > fault else fault + (fault == offset)]
    # A lexeme may end with its line end, as `return` does where nothing is returned.
    shown = quoted(shortened(lexeme.rstrip("\r\n") or lexeme))
    before = _glued(text, offset)
    return f"{shown} does not fit right after `{before}`" if before else f"{shown} does not fit here"


def blanks_before(pending: str, found: str, *, is_begun: bool) -> int:
    """Return how many blanks of a pending lexeme stand before the word that a report names, up to `found`.

    `is_begun`: it may not end there. A whole lexeme, such as an operator, counts only if it begins a longer word, as in
    `cosnt initial`: what is begun is `in`, and what does not fit is the name.
    """
    word = pending.lstrip()
    goes_on = word.isidentifier() and found != "" and _WHOLE.fullmatch(word + found) is not None
    return len(pending) - len(word) if word and (is_begun or goes_on) else 0


def _sign_end(lexer: Lexer, text: str, offset: int) -> int:
    """Return where the longest operator ends that begins at an offset in some mode; the offset for none."""
    ends = (scanner.longest(text, offset)[1] for scanner in lexer.scanners.every())
    return max((end for end in ends if _OPERATOR.fullmatch(text, offset, end)), default=offset)


def _glued(text: str, offset: int) -> str:
    """Return the number or word that ends where another word begins, as in `1im`; empty where nothing does."""
    before = _WORD.search(text, 0, offset) if text[offset : offset + 1].isalnum() else None
    return "" if before is None else before.group()


def _open_columns(lexer: Lexer, indents: int) -> list[Column]:
    """Return the columns of the open blocks, that of the innermost last."""
    columns: list[Column] = []
    while indents >= 0:
        column, indents = lexer.blocks.entries[indents]
        columns.append(column)
    return columns[::-1]
