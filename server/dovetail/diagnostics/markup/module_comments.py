"""Module comments: comments of HTML in the code of a module with elements.

A script may have them, so the grammar reads them. A module, which has `import` or `export`, may not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.broken_lexeme import shortened
from dovetail.diagnostics.fault import Fault
from dovetail.diagnostics.line_places import line_start
from dovetail.diagnostics.reported import line_and_column, reported_at
from dovetail.lexing.lexemes import lexemes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.lexing.lexer import Lexer

_OPENER, _CLOSER = "<!--", "-->"
_COMMENT = "/*{}*/"
_MODULE = re.compile(r"^(?:import|export)\b", re.MULTILINE)


def find_module_comments(lexer: Lexer, text: str) -> Iterator[Fault]:
    """Yield the comments of HTML in the code of a module with elements."""
    begins = {found.start() for found in _MODULE.finditer(text)}
    if not lexer.compiled.mistakes.elements or _OPENER not in text or not begins:
        return
    read = [each for each in lexemes(lexer, text) if each.terminal is not None]
    if not any(each.start in begins for each in read):
        return  # They stand in a template.
    for lexeme in read:
        assert lexeme.terminal is not None, "the others are not read"
        way = lexer.modes.known_transition(lexeme.stack, lexeme.terminal)
        if way is None or not way.ignored or not text.startswith(_OPENER, lexeme.start):
            continue
        written = text[lexeme.start : lexeme.end].rstrip()
        if written.endswith(_CLOSER):
            meant = _COMMENT.format(written[len(_OPENER) : -len(_CLOSER)])
            words = f"`{shortened(written)}` does not fit here; write `{shortened(meant)}`"
        else:
            words = f"`{_OPENER}` does not fit here; write `//`"
            if _end(text, lexeme.start) > lexeme.end:
                words = f"`{_OPENER}` does not fit here; write `/*`, and `*/` for `{_CLOSER}`"
        line, column = line_and_column(text, lexeme.start)
        yield Fault(lexeme.start, line, column, "<", (), (), "", reported_at(text, lexeme.start, words))


def with_module_comments(lexer: Lexer, text: str, faults: list[Fault]) -> list[Fault]:
    """Return the faults of a text with the comments of HTML above the first one, which may lie in the last of them."""
    if not faults:
        return []
    first = line_start(text, faults[0].offset)
    comments = [comment for comment in find_module_comments(lexer, text) if comment.offset < first]
    follows = bool(comments) and faults[0].offset < _end(text, comments[-1].offset)
    return [*comments, *faults[follows:]]


def _end(text: str, offset: int) -> int:
    """Return where the comment that begins at an offset ends, perhaps on a line below; -1 if no end belongs to it."""
    end = text.find(_CLOSER, offset)
    return -1 if 0 <= text.find(_OPENER, offset + 1) < end else end
