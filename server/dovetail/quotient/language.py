"""A language: the way in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.grammar.library import load_compiled
from dovetail.lexing.following import Following
from dovetail.lexing.lexer import Lexer
from dovetail.parsing.stack import Stacks
from dovetail.parsing.suffix import SuffixGrammar
from dovetail.quotient.quotient import Quotient

if TYPE_CHECKING:
    import os

    from dovetail.grammar.compiled import Compiled


class Language:
    """A programming language at one version; made by `load_language`."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.name = compiled.name
        self.lexer = Lexer(compiled)
        self.following = Following(self.lexer)
        self.suffix_grammar = SuffixGrammar(compiled)

    def quotient(self, left: str, right: str, *, tolerant: bool = True) -> Quotient:
        """Return what fits between two texts; raises for no text."""
        return Quotient(self, left, right)

    def accepts(self, text: str) -> bool:
        """Return whether a text is a program."""
        read = self.lexer.lex(self.lexer.start, text)
        if read is None:
            return False
        state, emissions = read
        rest = self.lexer.finish(state)
        if rest is None:
            return False
        stacks = Stacks(self.compiled)
        return bool(stacks.shift_all((stacks.bottom,), emissions + rest))


def load_language(name_or_path: str | os.PathLike[str], target: str | None = None) -> Language:
    """Return a language by name, or from the path of a .lark file.

    `target` is a version of the language, None the newest. Raises GrammarError for an unknown language or version
    and for a grammar that is wrong.
    """
    return Language(load_compiled(name_or_path, target))
