"""Lexemes side by side: those that may be written so are those of all the short texts."""

from __future__ import annotations

from itertools import pairwise, product
from typing import TYPE_CHECKING

import pytest

import dovetail
from dovetail.automata.dfa import START
from dovetail.lexing.modes import NOTHING

if TYPE_CHECKING:
    from pathlib import Path

_LENGTH = 6

GRAMMARS = {
    # A word, with blanks behind it, may be part of a longer lexeme.
    "label": (
        """
        start: (WORD | LABEL | COLON)+
        WORD: "a"+
        LABEL: "a"+ WS* "="
        COLON: ":"
        WS: " "
        %ignore WS
        """,
        "a :=",
    ),
    # So may a word with a sign behind it, which the next character tells.
    "sign": (
        """
        start: (WORD | LONG | DIVIDED | POWER)+
        WORD: "a"
        LONG: "a" " "* "/*"
        DIVIDED: "/"
        POWER: "/a"
        WS: " "
        %ignore WS
        """,
        "a /*",
    ),
    # Behind a comment comes the end of its line, also where a longer lexeme takes in both.
    "comment": (
        """
        start: (WORD | LABEL | LINE)+
        WORD: "a"
        LABEL: "a" (" " | COMMENT LINE)* ":"
        LINE: "\\n"
        COMMENT: /#[^\\n]*/
        WS: " "
        %ignore WS
        %ignore COMMENT
        """,
        "a #\n:",
    ),
}


@pytest.mark.parametrize("name", GRAMMARS)
def test_what_may_follow_is_what_follows_in_short_texts(name: str, tmp_path: Path) -> None:
    """A terminal may follow another if and only if a text has the two side by side, or blanks alone between them."""
    grammar, alphabet = GRAMMARS[name]
    path = tmp_path / f"{name}.lark"
    path.write_text(grammar, encoding="utf-8")
    machine = dovetail.load_language(path).machine
    lexer = machine.lexer
    seen: set[tuple[int, int]] = set()
    for length in range(2, _LENGTH + 1):
        for text in map("".join, product(alphabet, repeat=length)):
            read = lexer.lex(lexer.start, text)
            ended = None if read is None else lexer.finish(read[0])
            if read is not None and ended is not None:
                seen.update(pairwise([terminal for terminal, _ in (*read[1], *ended)]))

    start = lexer.modes.push((0,), NOTHING)
    meant = {first for first, _ in seen}
    assert meant
    for terminal in meant:
        after = machine.adjacency.after(start, START, terminal, blank=False)
        following = {second for first, second in seen if first == terminal} - {machine.compiled.end}
        assert following == (meant if after is None else after & meant), machine.compiled.productions.names[terminal]
