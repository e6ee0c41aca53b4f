"""Language: the entry point of the engine."""

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
        """Return the quotient of the language by two texts; raises no error for any text.

        `tolerant`: if the texts themselves are broken, leave the broken parts out and list them in `Quotient.ignored`.
        Without it, the quotient of broken texts is not viable.
        """
        checkpoints = Checkpoints(self.machine, self._placeholders)
        reading = Reading(read_right(self.machine, checkpoints.stacks, right))
        return reading.quotient(checkpoints.read(left + right, len(left)), left + right, len(left), tolerant=tolerant)

    def document(self, text: str) -> Document:
        """Return a text under edit."""
        return Document(self.machine, self._placeholders, text)

    def error(self, text: str) -> Fault | None:
        """Return the fault of a text, or None if the text is a program."""
        return find_fault(self.machine, text)

    def accepts(self, text: str) -> bool:
        """Return whether a text is a program.

        >>> load_language("json").accepts("[1, 2]")
        True
        """
        return self.machine.accepts(text)


def load_language(name_or_path: str | os.PathLike[str], target: str | None = None) -> Language:
    """Return a language by name, or from the path of a .lark file.

    `target`: the version of the language; None for the newest. Raises GrammarError for an unknown language or version,
    and for a faulty grammar.
    """
    return Language(load_compiled(name_or_path, target, _check))


def _check(compiled: Compiled, grammar: GrammarText) -> None:
    from dovetail.lexing.checking import check_language  # Only for a grammar that is not cached.

    check_language(compiled, grammar)
