"""A language: the way in."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from dovetail.closing.spelling import Spelling
from dovetail.closing.yields import Yields
from dovetail.engine.document import Document
from dovetail.engine.fault import Fault, find_fault
from dovetail.grammar.library import load_compiled
from dovetail.lexing.adjacency import Adjacency
from dovetail.lexing.lexer import Lexer
from dovetail.parsing.stack import Stacks, UnitChains
from dovetail.quotient.right_side import read_right
from dovetail.recovery.checkpoints import Checkpoints
from dovetail.recovery.readings import Reading
from dovetail.suffix.grammar import SuffixGrammar

if TYPE_CHECKING:
    import os

    from dovetail.grammar.compiled import Compiled
    from dovetail.grammar.reading import GrammarText
    from dovetail.quotient.quotient import Quotient


class Language:
    """A programming language at one version; made by `load_language`."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.name = compiled.name
        self.lexer = Lexer(compiled)
        self.following = Adjacency(self.lexer)
        self.chains = UnitChains(compiled)
        self.suffix_grammar = SuffixGrammar(compiled, self.chains)

    @cached_property
    def spelling(self) -> Spelling:
        """The shortest texts of its terminals."""
        return Spelling(self.lexer)

    @cached_property
    def yields(self) -> Yields:
        """The shortest texts of its symbols."""
        modes = self.lexer.modes
        stacks = modes.starts()
        spelling = self.spelling
        endings = [
            next((spelling.ending(stack, terminal) for stack in stacks if spelling.word(stack, terminal)), None)
            for terminal in range(self.compiled.productions.terminal_count)
        ]
        texts = spelling.texts

        def apart(before: int, after: int) -> int:
            ending = endings[before]
            return int(ending is not None and self.spelling.runs_on(ending, texts[after]))

        return Yields(self.compiled, texts, apart)

    @cached_property
    def statement(self) -> str | None:
        """The shortest line with content, in a language of lines."""
        # What is content of a line cannot be indented for no reason, other than blanks and comments.
        texts = (text for text in self.spelling.texts if text and self.accepts(text) and not self.accepts(f" {text}"))
        return None if self.compiled.layout is None else min(texts, key=lambda text: (len(text), text), default=None)

    @cached_property
    def ground(self) -> int | None:
        """The state that lies on the bottom of the stack between two statements."""
        statement = self.statement
        read = self.lexer.lex(self.lexer.start, f"{statement}\n{statement}\n")
        stacks = Stacks(self.compiled, self.chains)
        heads = stacks.shift_all((stacks.bottom,), read[1]) if statement and read else ()
        if len(heads) != 1 or heads[0].below[0].state not in self.suffix_grammar.remainders.ground:
            return None
        return heads[0].below[0].state

    @cached_property
    def openers(self) -> tuple[str, ...]:
        """What opens a bracket where a line begins, in a language of lines."""
        layout, literals = self.compiled.layout, self.compiled.literals
        pushed = sorted(self.compiled.modes[layout.mode].push) if layout is not None else []
        return tuple(text for terminal in pushed if (text := literals[terminal]) is not None)

    @cached_property
    def stand_in(self) -> str | None:
        """The shortest line that opens a block and may be followed by anything, for a header that fits nothing."""
        statement = self.statement
        if statement is None:
            return None
        block = f"\n {statement}\n {statement}\n"
        header = self.quotient("", block, tolerant=False).start.closing()
        return header if header and self.accepts(f"{header}{block}{statement}\n") else None

    def quotient(self, left: str, right: str, *, tolerant: bool = True) -> Quotient:
        """Return what fits between two texts; raises for no text.

        With `tolerant`, where nothing fits because the texts themselves are broken, what is broken is left out
        (`Quotient.ignored`); without it, nothing fits then.
        """
        checkpoints = Checkpoints(self)
        meeting = Reading(read_right(self, checkpoints.stacks, right))
        return meeting.quotient(checkpoints.read(left, len(left)), left + right, len(left), tolerant=tolerant)

    def document(self, text: str) -> Document:
        """Return a text under edit."""
        return Document(self, text)

    def error(self, text: str) -> Fault | None:
        """Return where a text stops being a program and what was expected there, or None if it is one."""
        return find_fault(self.quotient("", "", tolerant=False).start, text)

    def accepts(self, text: str) -> bool:
        """Return whether a text is a program."""
        read = self.lexer.lex(self.lexer.start, text)
        if read is None:
            return False
        state, emissions = read
        rest = self.lexer.finish(state)
        if rest is None:
            return False
        stacks = Stacks(self.compiled, self.chains)
        return bool(stacks.shift_all((stacks.bottom,), emissions + rest))


def load_language(name_or_path: str | os.PathLike[str], target: str | None = None) -> Language:
    """Return a language by name, or from the path of a .lark file.

    `target` is a version of the language, None the newest. Raises GrammarError for an unknown language or version
    and for a grammar that is wrong.
    """
    return Language(load_compiled(name_or_path, target, _check))


def _check(compiled: Compiled, grammar: GrammarText) -> None:
    from dovetail.lexing.checking import check_language  # seldom needed

    check_language(compiled, grammar)
