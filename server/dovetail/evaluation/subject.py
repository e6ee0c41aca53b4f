"""JudgedLanguage: the language of an experiment, with the real parser that judges its texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.comparison.oracle_process import OracleError, OracleProcess
from dovetail.evaluation.error import EvaluationError
from dovetail.evaluation.verdict import LANGUAGE, TARGET
from dovetail.grammar import oracle
from dovetail.grammar.library import languages

if TYPE_CHECKING:
    from dovetail.grammar.facts import Facts
    from dovetail.grammar.oracle import Verdict


class JudgedLanguage:
    """One version of a language and its parser."""

    def __init__(self, facts: Facts, target: str | None, command: str | None = None) -> None:
        """Take a version, None for the newest, and a command that judges (`OracleProcess`), None for the description's.

        Raises EvaluationError where neither says which parser to ask.
        """
        if command is None and facts.oracle is None:
            raise EvaluationError(
                f"No parser of {facts.title} is known here that could judge texts: name a command that does, with "
                "--oracle (see `dovetail grammar --help`)."
            )
        if command is None and facts.is_running and target != TARGET:
            raise EvaluationError(
                f"The interpreter that runs here judges {facts.title} {TARGET} only: leave --target out, or name a "
                "parser of another version with --oracle."
            )
        self.facts = facts
        self.target = target
        shown = target or "".join(facts.versions[-1:])
        self._process = None if command is None else OracleProcess(command.replace("{target}", shown))

    def judge(self, text: str) -> Verdict:
        """Return what the parser says of a text; raises EvaluationError for a command that does not answer."""
        if self._process is None:
            assert self.facts.oracle is not None
            return oracle.verdict(self.facts.oracle, text)
        try:
            return self._process.judge([text])[0]
        except OracleError as error:
            raise EvaluationError(f"--oracle: {error}") from None

    def verdict(self, text: str) -> bool | None:
        """Return whether the parser accepts a text; None where it gives up for another reason than its syntax."""
        return self.judge(text).accepted

    def close(self) -> None:
        """End the parser's process."""
        if self._process is not None:
            self._process.close()


INTERPRETER = JudgedLanguage(LANGUAGE, TARGET)
"""The language that runs Dovetail, as the interpreter itself reads it."""


def find_subject(name: str | None, target: str | None = None, command: str | None = None) -> JudgedLanguage:
    """Return the subject of a language by its name, None for the interpreter's; raises EvaluationError if unknown.

    >>> find_subject("json").verdict("[1, 2]")
    True
    """
    facts = LANGUAGE if name is None else languages().get(name)
    if facts is None:
        raise EvaluationError(f"--language {name}: there is no such language; known are {', '.join(languages())}.")
    if target is not None and target not in facts.versions:
        known = ", ".join(facts.versions) or "none"
        raise EvaluationError(f"--target {target}: there is no such version of {facts.title}; known are {known}.")
    if target is None and facts.is_running:
        target = TARGET
    return JudgedLanguage(facts, target, command)
