"""Counts of the comparison of broken documents, and their summary."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

NEAR = 10
"""Lines from the cursor's within which a mistake is near."""


class Mistake(NamedTuple):
    """A place where a document is broken."""

    kind: str
    distance: int
    """In lines from the cursor's, at the time when the mistake was made; 1 for the next line."""


class Case(NamedTuple):
    """A program with a middle cut out, and with mistakes in the lines around that of the cursor."""

    left: str
    middle: str
    right: str
    mistakes: tuple[Mistake, ...]

    @property
    def is_near(self) -> bool:
        """True if all mistakes are near the cursor."""
        return all(mistake.distance <= NEAR for mistake in self.mistakes)


class Verdict(NamedTuple):
    """The result of a case."""

    kind: str
    fits: bool = False
    """Each prefix of the true middle is viable."""
    accepted: bool = False
    """It fits, and the state behind it is accepting."""
    wrong: str | None = None
    """A report, if the answer is wrong."""


class Share:
    """Counts of cases in one row of a table."""

    def __init__(self, cases: int = 0, fits: int = 0, accepted: int = 0) -> None:
        self.cases = cases
        self.fits = fits
        self.accepted = accepted

    def add(self, other: Share) -> None:
        """Add the counts of other cases."""
        self.cases += other.cases
        self.fits += other.fits
        self.accepted += other.accepted

    def __str__(self) -> str:
        """Return the cells of a row."""
        if not self.cases:
            return "0 | |"
        return f"{self.cases} | {self.fits / self.cases:.1%} | {self.accepted / self.cases:.1%}"


class Counts:
    """Counts of verdicts."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()
        self.shares: dict[str, Share] = {}
        """By the number of mistakes, their distance, the reading, and the kind of an only mistake."""
        self.mistakes = 0
        self.near = 0
        """Mistakes near the cursor."""
        self.wrong: list[str] = []

    def add(self, number: int, case: Case, verdict: Verdict) -> None:
        """Count one case."""
        self.kinds[verdict.kind] += 1
        self.mistakes += len(case.mistakes)
        self.near += sum(mistake.distance <= NEAR for mistake in case.mistakes)
        places = f"{len(case.mistakes)} place" + ("s" if len(case.mistakes) > 1 else "")
        distance = "all near" if case.is_near else "one or more further away"
        only = [f"only {case.mistakes[0].kind}"] if len(case.mistakes) == 1 else []
        for name in ("all", places, distance, f"{places}, {distance}", verdict.kind, *only):
            self._share(name).add(Share(1, verdict.fits, verdict.accepted))
        if verdict.wrong:
            self.wrong.append(f"case {number}: {verdict.wrong}")

    def _share(self, name: str) -> Share:
        return self.shares.setdefault(name, Share())

    def join(self, other: Counts) -> None:
        """Add the counts of other cases."""
        self.kinds += other.kinds
        for name, share in other.shares.items():
            self._share(name).add(share)
        self.mistakes += other.mistakes
        self.near += other.near
        self.wrong += other.wrong

    def lines(self) -> list[str]:
        """Return the counts as lines of Markdown."""
        cases = self.shares["all"].cases
        offered = cases - self.kinds["nothing fits"] - self.kinds["wrong"]
        return [
            f"- something can be suggested: {offered / cases:.2%}",
            f"- mistakes within {NEAR} lines of the cursor: {self.near / max(1, self.mistakes):.0%}",
            f"- wrong: {len(self.wrong)}",
            "",
            "| broken at | cases | the true text fits | and is accepted |",
            "| --- | --- | --- | --- |",
            *(f"| {name} | {share} |" for name, share in sorted(self.shares.items())),
        ]


def summary(found: dict[str, Counts], conditions: str, remark: str) -> str:
    """Return the report of a run: the counts for each choice of places, as Markdown, with a remark about them."""
    parts = [
        "# Documents broken elsewhere, the last long run",
        "",
        f"{conditions[0].upper()}{conditions[1:]}.",
        "*Fits*: each prefix of the true text is viable, so none of it is refused while it is typed.",
        "*Accepted*: it fits, and behind it the kept text is a program: the text was read as its author meant it.",
        remark,
    ]
    for where, counts in found.items():
        parts += ["", f"## Broken {where}" + (" the cursor" if where == "near" else ""), "", *counts.lines()]
    return "\n".join([*parts, ""])
