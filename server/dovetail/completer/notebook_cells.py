"""Cells of notebooks: Python, but for lines that are commands to the notebook or the shell.

Those lines (`!pip install numpy`, `%timeit f()`) are put out of the engine's way: each becomes a statement with a
comment of as many characters, so that all offsets stay, and a block of nothing else stays a block.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from dovetail.completer.snapshot import Snapshot
    from dovetail.engine.language import Language
    from dovetail.lexing.lexer import LexerState

_SCHEME = "vscode-notebook-cell:"

_COMMAND = re.compile(r"^(?P<blanks>[ \t]*)(?P<command>(?:!(?!=)|%)[^\s][^\r\n]*)", re.MULTILINE)
_OTHER = re.compile(r"\s*%%(?P<name>\w*)")
_PYTHON = frozenset({"capture", "debug", "prun", "time", "timeit"})
"""Commands for a whole cell after which it is Python all the same."""


def is_cell(document: Snapshot) -> bool:
    """Return whether a document is a cell of a notebook."""
    return document.uri.startswith(_SCHEME)


def is_foreign(text: str) -> bool:
    """Return whether a cell is handed as a whole to something that is not Python."""
    match = _OTHER.match(text)
    return match is not None and match["name"] not in _PYTHON


def without_commands(language: Language, text: str, offset: int) -> str:
    """Return the text of a cell with its commands as statements that do nothing.

    But for one on the line of the cursor, at an offset: nothing is known of what may be written there.
    """
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset) + 1 or len(text)
    # What is open at the cursor is being written, so what comes after its line is read for itself.
    return _without_commands(language, text[:start]) + text[start:end] + _without_commands(language, text[end:])


def _without_commands(language: Language, text: str) -> str:
    lexer, layout = language.machine.lexer, language.machine.compiled.layout
    assert layout is not None
    parts: list[str] = []
    state: LexerState | None = lexer.start
    at = 0
    for match in _COMMAND.finditer(text):
        state = _read(language, state, text[at : match.start()])
        # Inside a bracket, a string, or after a backslash such a line is Python; where nothing is known, a command.
        begins = state is None or (
            lexer.modes.in_layout(state.stack) and (state.at == START or state.accepted == layout.newline)
        )
        line = match["blanks"] + ("0#" + match["command"][2:] if begins else match["command"])
        state = _read(language, state, line)
        parts += [text[at : match.start()], line]
        at = match.end()
    return "".join([*parts, text[at:]])


def _read(language: Language, state: LexerState | None, text: str) -> LexerState | None:
    """Return where the lexer stands after more text, or None if it does not read it."""
    read = None if state is None else language.machine.lexer.lex(state, text)
    return None if read is None else read[0]
