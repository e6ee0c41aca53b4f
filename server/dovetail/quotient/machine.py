"""The tables of one language, from which every quotient of the language is made.

A machine holds no text and no right context. It is built once for each language and version. Parts that take more than
a few milliseconds are built when they are first needed.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING

from dovetail.closing.kept_texts import KeptTexts, read_texts, texts_file, write_texts
from dovetail.closing.spelling import Spelling
from dovetail.closing.yields import Yields
from dovetail.lexing.adjacency import Adjacency
from dovetail.lexing.layout import line_layout
from dovetail.lexing.lexer import Lexer
from dovetail.parsing.brackets import Brackets
from dovetail.parsing.stack import Stacks, UnitChains
from dovetail.parsing.unknown_stack import UnknownStack
from dovetail.quotient.long_comment import find_long_comment
from dovetail.suffix.grammar import SuffixGrammar

if TYPE_CHECKING:
    from pathlib import Path

    from dovetail.closing.spelling import Ending
    from dovetail.grammar.compiled import Compiled


class Machine:
    """Lexer, parse tables and shortest texts of one language at one version."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.name = compiled.name
        self.lexer = Lexer(compiled)
        self.layout = line_layout(self.lexer)
        self.adjacency = Adjacency(self.lexer)
        self.chains = UnitChains(compiled)
        self.brackets = Brackets(compiled)
        self.suffix_grammar = SuffixGrammar(compiled, self.chains)

    def stacks(self) -> Stacks:
        """Return empty parse stacks, for one text."""
        return Stacks(self.compiled, self.chains)

    @cached_property
    def unknown_stack(self) -> UnknownStack:
        """All parse stacks, for texts whose beginning is unknown."""
        return UnknownStack(self.compiled, self.suffix_grammar.ends_line)

    def accepts(self, text: str) -> bool:
        """Return whether a text is a program, read from its beginning to its end.

        >>> from dovetail import load_language
        >>> load_language("json").machine.accepts("[1, 2]")
        True
        """
        read = self.lexer.lex(self.lexer.start, text)
        if read is None:
            return False
        state, emissions = read
        final = self.lexer.finish(state)
        if final is None:
            return False
        stacks = self.stacks()
        return bool(stacks.shift_all((stacks.bottom,), emissions + final))

    @cached_property
    def spelling(self) -> Spelling:
        """The shortest texts of the terminals."""
        return Spelling(self.lexer, None if self._kept_texts is None else self._kept_texts.words)

    @cached_property
    def yields(self) -> Yields:
        """The shortest texts of the grammar's symbols."""
        stacks = self.lexer.modes.starts()
        spelling, kept = self.spelling, self._kept_texts

        @cache
        def ending(terminal: int) -> Ending | None:
            known = (spelling.ending(stack, terminal) for stack in stacks if spelling.word(stack, terminal))
            return next(known, None)

        def apart(before: int, after: int) -> int:
            end = ending(before)
            return int(end is not None and spelling.runs_on(end, spelling.texts[after]))

        if kept is not None:
            return Yields(self.compiled, spelling.texts, apart, spelling.may_follow, kept.yields)
        found = Yields(self.compiled, spelling.texts, apart, spelling.may_follow)
        if self._texts_file is not None:
            write_texts(self._texts_file, KeptTexts(spelling.words, found.of))
        return found

    @cached_property
    def _texts_file(self) -> Path | None:
        return texts_file(self.compiled)

    @cached_property
    def _kept_texts(self) -> KeptTexts | None:
        return None if self._texts_file is None else read_texts(self._texts_file)

    @cached_property
    def block_ends(self) -> tuple[str, ...]:
        """The texts that close a block where brackets make them, in full or their beginning; the shortest first."""
        # A terminal that is a pattern has no one text, as that of `</` with the comments inside it.
        texts = {text for terminal in self.brackets.closing if (text := self.spelling.texts[terminal])}
        return tuple(sorted(texts, key=lambda text: (len(text), text)))

    @cached_property
    def long_comment(self) -> tuple[str, str] | None:
        """The opening and the end of a comment that may go over several lines; None if the language has none."""
        return find_long_comment(self.lexer, self.stacks())

    @cached_property
    def statement(self) -> str | None:
        """The shortest line with content; None in a language without lines."""
        if self.compiled.layout is None:
            return None
        # A first line with content may not be indented. Blanks, comments and line ends may: this test leaves them out.
        texts = (text for text in self.spelling.texts if text and self.accepts(text) and not self.accepts(f" {text}"))
        return min(texts, key=lambda text: (len(text), text), default=None)

    @cached_property
    def top_level_state(self) -> int | None:
        """The LR state over the bottom of the stack between two statements; None in a language without lines."""
        statement = self.statement
        read = self.lexer.lex(self.lexer.start, f"{statement}\n{statement}\n")
        stacks = self.stacks()
        heads = stacks.shift_all((stacks.bottom,), read[1]) if statement and read else ()
        if len(heads) != 1 or heads[0].below[0].state not in self.suffix_grammar.top_level.states:
            return None
        return heads[0].below[0].state

    @cached_property
    def openers(self) -> tuple[str, ...]:
        """The texts that open a bracket at the beginning of a line; empty in a language without lines."""
        layout, literals = self.compiled.layout, self.compiled.literals
        pushed = sorted(self.compiled.modes[layout.mode].push) if layout is not None else []
        return tuple(text for terminal in pushed if (text := literals[terminal]) is not None)
