"""Cells of notebooks: code with lines that are commands to the notebook or the shell.

The engine never sees those lines (`!pip install numpy`, `%timeit f()`). Each becomes a statement with a comment of the
same length. So all offsets stay, and a block that holds only commands stays a block. The language's description says
how a command begins and which statement replaces it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from dovetail.completer.snapshot import Snapshot
    from dovetail.engine.language import Language
    from dovetail.grammar.facts import Notebook
    from dovetail.lexing.lexer import LexerState

_SCHEME = "vscode-notebook-cell:"
_FIRST_OF_LINE = re.compile(r"(?<=\n)[^\r\n]")


def is_cell(document: Snapshot) -> bool:
    """Return whether a document is a cell of a notebook."""
    return document.uri.startswith(_SCHEME)


def is_foreign(notebook: Notebook, text: str) -> bool:
    """Return whether a cell as a whole is a command for something that is not the language."""
    match = re.match(notebook.cell, text)
    return match is not None and match["name"] not in notebook.transparent


def without_commands(language: Language, notebook: Notebook, text: str, offset: int) -> str:
    """Return the text of a cell with its commands as statements that do nothing.

    The line of the cursor, at `offset`, stays as it is: no grammar says what a command may hold.
    """
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset) + 1 or len(text)
    # What is open at the cursor is being written, so the text after its line is read separately.
    before, after = (without_all_commands(language, notebook, part) for part in (text[:start], text[end:]))
    return before + text[start:end] + after


def holds_commands(notebook: Notebook, text: str) -> bool:
    """Return whether a line of a cell looks like a command."""
    return _commands(notebook).search(text) is not None


def _commands(notebook: Notebook) -> re.Pattern[str]:
    """Return the pattern of a command with its line and those on which it goes on."""
    line = rf"(?P<blanks>[ \t]*)(?P<command>(?:{notebook.command})[^\r\n]*)"
    return re.compile(rf"^{line}(?P<further>(?:(?<=\\)\r?\n[^\r\n]*)*)", re.MULTILINE)


def without_all_commands(language: Language, notebook: Notebook, text: str) -> str:
    """Return the text of a cell with its commands as statements that do nothing."""
    lexer, layout = language.machine.lexer, language.machine.compiled.layout
    assert layout is not None, "the commands of a notebook are told from code by the layout"
    parts: list[str] = []
    state: LexerState | None = lexer.start
    at = 0
    for match in _commands(notebook).finditer(text):
        state = _read(language, state, text[at : match.start()])
        # Inside a bracket or a string, or after a continuation, such a line is code. After code that does not lex,
        # the lexer's state is unknown, and the line counts as a command.
        begins = state is None or (
            lexer.modes.in_layout(state.stack) and (state.at == START or state.accepted == layout.newline)
        )
        command, statement = match["command"], notebook.statement
        if begins:
            # Lines on which the command goes on become comments.
            further = _FIRST_OF_LINE.sub("#", match["further"])
            line = match["blanks"] + statement + command[len(statement) :] + further
        else:
            line = match.group()
        state = _read(language, state, line)
        parts += [text[at : match.start()], line]
        at = match.end()
    return "".join([*parts, text[at:]])


def _read(language: Language, state: LexerState | None, text: str) -> LexerState | None:
    """Return the lexer's state after more text, or None if the text does not lex."""
    read = None if state is None else language.machine.lexer.lex(state, text)
    return None if read is None else read[0]
