"""The cases of an experiment: cuts of programs, the same ones for the same seed wherever and in whatever order."""

from __future__ import annotations

import tokenize
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from dovetail.evaluation.error import EvaluationError

if TYPE_CHECKING:
    from dovetail.evaluation.cuts import DataSet
    from dovetail.evaluation.programs import Programs


@dataclass(frozen=True, slots=True)
class Case:
    """A program without some of its characters."""

    number: int
    file: str
    text: str
    """The whole program."""
    begin: int
    end: int
    """The start and end of the removed text, in characters."""

    @property
    def left(self) -> str:
        """The text before the cursor."""
        return self.text[: self.begin]

    @property
    def removed(self) -> str:
        """The removed text."""
        return self.text[self.begin : self.end]

    @property
    def right(self) -> str:
        """The text after the removed one."""
        return self.text[self.end :]

    def __str__(self) -> str:
        return f"{self.file}:{self.begin}-{self.end}"


class Cases:
    """The cases that one data set makes of some programs; each has a number from 0."""

    def __init__(self, programs: Programs, dataset: DataSet, seed: int) -> None:
        """Take programs; raises EvaluationError for a data set that cannot be made of their language."""
        self._programs = programs
        self._dataset = dataset
        self._cut_text = dataset.cut_for(programs.subject.facts)
        self._seed = seed
        self._order = list(programs.names)
        Random(f"{seed} {dataset.name}").shuffle(self._order)

    def case(self, number: int) -> Case:
        """Return a case; every program has its turn before any comes again.

        It depends on nothing but its number, the seed and the programs. A program that cannot be used gives its turn
        to the next one. Raises EvaluationError where none can be used.
        """
        random = Random(f"{self._seed} {self._dataset.name} {number}")
        for step in range(len(self._order)):
            file = self._order[(number + step) % len(self._order)]
            case = self._cut(number, file, random)
            if case is not None:
                return case
        raise EvaluationError(
            f"{self._programs.folder} holds no program of a useful length that can be cut as `{self._dataset.name}` "
            "wants it: name another folder with --data."
        )

    def _cut(self, number: int, file: str, random: Random) -> Case | None:
        text = self._programs.text(file)
        if text is None:
            return None
        try:
            cut = self._cut_text(random, text)
        except (SyntaxError, tokenize.TokenError):  # the tokenizer is another program than the parser
            return None
        if cut is None:
            return None
        begin, end = cut
        if self._dataset.takes_right:
            return Case(number, file, text, begin, end)
        return Case(number, file, text[:end], begin, end) if self._programs.subject.verdict(text[:end]) else None
