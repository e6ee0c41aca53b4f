"""A language: the way in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.engine.document import Document
from dovetail.engine.fault import Fault, find_fault
from dovetail.grammar.library import load_compiled
from dovetail.quotient.machine import Machine
from dovetail.quotient.right_side import read_right
from dovetail.recovery.checkpoints import Checkpoints
from dovetail.recovery.placeholders import Placeholders
from dovetail.recovery.readings import Reading

if TYPE_CHECKING:
    import os

    from dovetail.grammar.compiled import Compiled
    from dovetail.grammar.reading import GrammarText
    from dovetail.quotient.quotient import Quotient


class Language:
    """A programming language at one version; made by `load_language`."""

    def __init__(self, compiled: Compiled) -> None:
        self.name = compiled.name
        self.machine = Machine(compiled)
        self._placeholders = Placeholders(self.machine)

    def quotient(self, left: str, right: str, *, tolerant: bool = True) -> Quotient:
        """Return what fits between two texts; raises for no text.

        With `tolerant`, where nothing fits because the texts themselves are broken, what is broken is left out
        (`Quotient.ignored`); without it, nothing fits then.
        """
        checkpoints = Checkpoints(self.machine, self._placeholders)
        reading = Reading(read_right(self.machine, checkpoints.stacks, right))
        return reading.quotient(checkpoints.read(left + right, len(left)), left + right, len(left), tolerant=tolerant)

    def document(self, text: str) -> Document:
        """Return a text under edit."""
        return Document(self.machine, self._placeholders, text)

    def error(self, text: str) -> Fault | None:
        """Return where a text stops being a program and what was expected there, or None if it is one."""
        return find_fault(self.machine, text)

    def accepts(self, text: str) -> bool:
        """Return whether a text is a program."""
        return self.machine.accepts(text)


def load_language(name_or_path: str | os.PathLike[str], target: str | None = None) -> Language:
    """Return a language by name, or from the path of a .lark file.

    `target` is a version of the language, None the newest. Raises GrammarError for an unknown language or version
    and for a grammar that is wrong.
    """
    return Language(load_compiled(name_or_path, target, _check))


def _check(compiled: Compiled, grammar: GrammarText) -> None:
    from dovetail.lexing.checking import check_language  # seldom needed

    check_language(compiled, grammar)
