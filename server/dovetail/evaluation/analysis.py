"""Failure analysis, case by case: that of Melcer et al. 2024, section VII.C.1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.evaluation.record import Method

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.evaluation.record import Outcome, Record

_LONG_WAY = "it took other tokens than unconstrained generation"


@dataclass(frozen=True, slots=True)
class FailedCase:
    """A case in which constrained generation did not succeed, or something that must not be."""

    place: str
    """The file and the offset of the cursor in it."""
    kind: str
    unconstrained: bool
    checked: bool
    """True if these methods succeeded."""
    explanation: str
    quoted: str = ""
    """An addition to the explanation that quotes the file."""

    def told(self, *, quoting: bool) -> str:
        """Return the explanation, with or without text of the file."""
        return f"{self.explanation}: {self.quoted}" if quoting and self.quoted else self.explanation


@dataclass(frozen=True, slots=True)
class Analysis:
    """The failures of an experiment."""

    compared: int
    """The number of texts that both the engine and the interpreter judged."""
    disagreements: tuple[FailedCase, ...]
    """The cases that they judged differently."""
    unconnected: tuple[FailedCase, ...]
    """The cases in which constrained generation offered nothing."""
    rejected: tuple[FailedCase, ...]
    """The cases in which the interpreter refuses the offered text, for its syntax or its own limits."""

    @property
    def all(self) -> tuple[FailedCase, ...]:
        """Everything that has to be explained."""
        return self.disagreements + self.rejected + self.unconnected

    @property
    def lost(self) -> tuple[FailedCase, ...]:
        """The failures of constrained generation where unconstrained generation succeeded."""
        return tuple(failure for failure in self.unconnected + self.rejected if failure.unconstrained)


def analyse(records: Sequence[Record]) -> Analysis:
    """Return what went wrong in some cases."""
    disagreements = [
        _failure(record, "the engine and the interpreter disagree", "about a text", repr(middle))
        for record in records
        for middle in record.disagreements
    ]
    unconnected, rejected = [], []
    for record in records:
        outcome = record.outcomes.get(Method.CONSTRAINED)
        if outcome is None or outcome.valid:
            continue
        if outcome.text is None:
            unconnected.append(_failure(record, "nothing offered", *_explanation(record, outcome)))
        else:
            said = "refuses" if record.disagreements else "gives up on"
            rejected.append(_failure(record, "not accepted", f"the interpreter {said} it", repr(outcome.text)))
    return Analysis(
        sum(record.compared for record in records), tuple(disagreements), tuple(unconnected), tuple(rejected)
    )


def _failure(record: Record, kind: str, explanation: str, quoted: str = "") -> FailedCase:
    valid = {method: outcome.valid for method, outcome in record.outcomes.items()}
    return FailedCase(
        f"{record.file}:{record.offset}",
        kind,
        valid.get(Method.UNCONSTRAINED, False),
        valid.get(Method.CHECKED, False),
        explanation,
        quoted,
    )


def _explanation(record: Record, outcome: Outcome) -> tuple[str, str]:
    """Return why nothing was offered, and what parted it from an unconstrained text that would have done."""
    free = record.outcomes.get(Method.UNCONSTRAINED)
    reason = f"{outcome.reason}, after {outcome.tokens} tokens"
    if free is None or not free.valid or not outcome.refusals:
        return reason, ""
    return f"{reason}; {_LONG_WAY}", outcome.refusals[0]
