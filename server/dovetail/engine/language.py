"""Language: the entry point of the engine."""

from __future__ import annotations

import os
import re
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from dovetail.diagnostics.fault import Fault, find_fault
from dovetail.diagnostics.faults import find_fault_before, find_faults, find_faults_of_program
from dovetail.engine.document import Document
from dovetail.grammar.collector import collector_paused
from dovetail.grammar.library import load_compiled, narrower_texts, wider_of
from dovetail.quotient.held_rules import holds_rule
from dovetail.quotient.machine import Machine
from dovetail.quotient.window import read_window
from dovetail.recovery.checkpoints import Checkpoints
from dovetail.recovery.placeholders import Placeholders
from dovetail.recovery.readings import Reading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.grammar.compiled import Compiled
    from dovetail.grammar.reading import GrammarText
    from dovetail.parsing.work_bound import WorkBound
    from dovetail.quotient.quotient import Quotient


class Language:
    """A programming language at one version; made by `load_language`.

    >>> language = load_language("json")
    >>> language
    <Language json>
    >>> language.quotient("[1, ", "]").start.advance("2").accepting
    True
    >>> str(language.error("[1, ]"))
    'line 1, column 3: `,` does not fit before `]`; leave it out'
    """

    def __init__(self, compiled: Compiled, target: str | None = None) -> None:
        self.name = compiled.name
        self.target = target
        """The version that was asked for; None for the newest."""
        self.machine = Machine(compiled)
        self._placeholders = Placeholders(self.machine)

    def __repr__(self) -> str:
        return f"<Language {self.name}{f' {self.target}' if self.target else ''}>"

    def quotient(
        self,
        left: str,
        right: str,
        *,
        tolerant: bool = True,
        ends_headers: bool = False,
        window: bool | Literal["likely"] = False,
        bound: WorkBound | None = None,
    ) -> Quotient:
        """Return the quotient of the language by two texts; raises no error for any text, without a bound.

        Raises TypeError for other values.

        `tolerant`: if the texts themselves are broken, leave the broken parts out and list them in `Quotient.ignored`.
        Without it, the quotient of broken texts is not viable.

        `ends_headers`: where a header is being typed before its end or its body, as in `if len(` before `)`, which an
        editor has closed, and in `def f(a, ` before `):`, read it as if they were there, and so the end of an element
        behind the braces that it holds, as in `<b>{a.` before `}`; what was read there is in `Quotient.ignored`.
        Without it only middles fit that leave the brackets, or comment them out.

        `window`: the texts are a part of a program that begins anywhere and ends anywhere. A middle then fits if some
        beginning and some end make a program of the whole. Nothing is left out of the texts. Nearly any text can stand
        inside a long string, so "likely" takes the likeliest beginnings with which something fits: at a line start of
        code, else in code, else anywhere.

        `bound`: the steps that its searches may take, here and in all states of the quotient; then they raise
        WorkBoundError.

        >>> window = load_language("json").quotient('1, {"a": ', "}, 2", window=True)
        >>> window.start.advance("[3").closing()
        ']'
        """
        _need_text(left=left, right=right)
        if window:
            return read_window(self.machine, left, right, likely=window == "likely", bound=bound)
        checkpoints = Checkpoints(self.machine, self._placeholders)
        checkpoints.stacks.bound = bound
        reading = Reading(self.machine, checkpoints.stacks, right)
        text, offset = left + right, len(left)
        lefts = checkpoints.read(text, offset)
        return reading.quotient(lefts, text, offset, tolerant=tolerant, ends_headers=ends_headers)

    def document(self, text: str) -> Document:
        """Return a text under edit; raises TypeError for a value that is no text."""
        _need_text(text=text)
        return Document(self.machine, self._placeholders, text)

    def error(self, text: str, *, whole: bool = True) -> Fault | None:
        """Return the fault of a text, or None if the text is a program.

        `whole`: no text follows; otherwise what is open at the end may still be closed. Raises TypeError for a value
        that is no text.
        """
        _need_text(text=text)
        return find_fault(self.machine, text, whole=whole)

    def errors(self, text: str, most: int = 20) -> list[Fault]:
        """Return the faults of a text that do not follow from one another, in the order of the text, at most `most`.

        Of a program, what `accepts` and quotients do not look at: closing tags whose names are not those of the tags
        that they close, words in a function of a kind that does not allow them, as `await` in one that is not `async`,
        and what scripts alone may hold in a text that its parse tells to be a module.

        >>> language = load_language("json")
        >>> [str(fault) for fault in language.errors("[1 2]")]
        ['line 1, column 4: `2` does not fit here; expected `]` or `,`']
        """
        _need_text(text=text)
        if self._wider is None:
            return find_faults(self.machine, self._placeholders, text, most) or self._faults_as_narrower(text, most)
        # What the wider language does not read either has nothing to do with what this one lacks. It is asked only
        # about a text with a fault: most have none, and are read once.
        if not find_faults(self.machine, self._placeholders, text, 1):
            return []
        return self._wider.errors(text, most) or find_faults(self.machine, self._placeholders, text, most)

    def mistakes(self, text: str) -> Iterator[Fault]:
        r"""Yield the `errors` of a text that `accepts` takes, without asking that again.

        >>> [str(fault) for fault in load_language("javascript").mistakes("f()\nimport 'a'\nlet = 1")]
        ['line 3, column 5: expected a name before `=`']
        """
        yield from find_faults_of_program(self.machine, text)
        yield from self._faults_as_narrower(text, 1)

    def _faults_as_narrower(self, text: str, most: int) -> list[Fault]:
        """Return the faults of a program in the narrower language, if its parse tells that it is in that."""
        texts = narrower_texts(self.name)
        if texts is None or not texts.rules or re.search(texts.hint, text) is None:
            return []
        narrower = self._narrower
        assert narrower is not None, "it is named beside its texts"
        if narrower.accepts(text) or not holds_rule(self.machine, text, texts.rules):
            return []
        return find_faults(narrower.machine, narrower._placeholders, text, most)

    @cached_property
    def _wider(self) -> Language | None:
        """The language of which this one reads some texts; None for most."""
        wider = wider_of(self.name)
        return None if wider is None else load_language(wider, self.target)

    @cached_property
    def _narrower(self) -> Language | None:
        """The language in which some texts of this one are read; None for most."""
        texts = narrower_texts(self.name)
        return None if texts is None else load_language(texts.language, self.target)

    def error_before(self, text: str, offset: int) -> Fault | None:
        """Return the first of the `errors` of a text, or None if what stands before an offset begins a program.

        Raises TypeError for a value that is no text.

        >>> str(load_language("json").error_before("[1 2, 3]", 6))
        'line 1, column 4: `2` does not fit here; expected `]` or `,`'
        """
        _need_text(text=text)
        return find_fault_before(self.machine, self._placeholders, text, offset)

    def accepts(self, text: str) -> bool:
        """Return whether a text is a program; raises TypeError for a value that is no text.

        >>> load_language("json").accepts("[1, 2]")
        True
        """
        _need_text(text=text)
        return self.machine.accepts(text)


def load_language(name_or_path: str | os.PathLike[str], target: str | None = None) -> Language:
    """Return a language by name, or from the path of a .lark file.

    `target`: the version of the language; None for the newest. Raises GrammarError for an unknown language or version,
    and for a faulty grammar; TypeError for a name that is neither text nor a path, and for a target that is no text.

    >>> load_language("python", target="3.9").accepts("type X = int")
    False
    """
    if not isinstance(name_or_path, str | os.PathLike):
        remedy = "give a name, as in load_language('python'), or the path of a .lark file"
        raise TypeError(f"the language is {name_or_path!r}, which names none; {remedy}.")
    if target is not None and not isinstance(target, str):
        raise TypeError(f"target is {target!r}, which is no text; write a version in quotes, as in target='3.12'.")
    with collector_paused():
        return Language(load_compiled(name_or_path, target, _check), target)


def _need_text(**values: object) -> None:
    """Raise TypeError for an argument that is no text."""
    for name, value in values.items():
        if not isinstance(value, str):
            remedy = f"decode it first, as in {name}.decode()" if isinstance(value, bytes) else "give it as a str"
            raise TypeError(f"{name} is of type {type(value).__name__}, and a text is needed; {remedy}.")


def _check(compiled: Compiled, grammar: GrammarText) -> None:
    from dovetail.lexing.checking import check_language  # Only for a grammar that is not cached.

    check_language(compiled, grammar)
