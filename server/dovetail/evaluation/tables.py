"""Tables of an experiment, as values that a page and a document show alike."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.evaluation import published
from dovetail.evaluation.record import Method
from dovetail.evaluation.unconstrained import ENDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dovetail.evaluation.analysis import Analysis
    from dovetail.evaluation.crossing import Crossing
    from dovetail.evaluation.fitting import LinearFit
    from dovetail.evaluation.record import Record


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns; the first cell of a row is its heading."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    note: str = ""
    theirs: bool = False
    """True if published figures exist for it."""

    def markdown(self) -> str:
        """Return the table for a document."""
        lines = [f"**{self.title}**", ""]
        if self.note:
            lines += [self.note, ""]
        lines += [f"| {' | '.join(self.columns)} |", f"|{' --- |' * len(self.columns)}"]
        lines += [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in self.rows]
        return "\n".join(lines) + "\n"


def share(part: int, whole: int) -> str:
    """Return a part in percent with one decimal, and never 100 or 0 where it is not all or nothing.

    >>> share(1999, 2000), share(2000, 2000), share(9999, 10000), share(1, 10000)
    ('99.95 %', '100 %', '99.99 %', '0.01 %')
    """
    if not whole:
        return "–"
    if part in (0, whole):
        return "100 %" if part else "0 %"
    percent = 100 * part / whole
    for digits in (1, 2, 3, 4):
        shown = f"{percent:.{digits}f}"
        if 0 < float(shown) < 100 and (digits > 1 or 1 <= percent <= 99):
            return f"{shown} %"
    return f"{percent:.6f} %"


def crossing_table(title: str, crossing: Crossing, note: str = "", *, theirs: bool = False) -> Table:
    """Return unconstrained against constrained generation in the form of the paper."""
    names = ("Unconstrained ✓", "Unconstrained ✗", "Checked unconstrained ✗")
    rows = [
        (name, f"{good:,}", f"{bad:,}", f"{good + bad:,}")
        for name, (good, bad) in zip(names, crossing.rows, strict=True)
    ]
    good, bad = crossing.constrained
    rows.append(("Total", f"{good:,}", f"{bad:,}", f"{crossing.total:,}"))
    return Table(title, ("", "Constrained ✓", "Constrained ✗", "Total"), rows, note, theirs)


def method_table(title: str, records: Sequence[Record]) -> Table:
    """Return what each method came to."""
    rows = []
    for method in Method:
        outcomes = [record.outcomes[method] for record in records if method in record.outcomes]
        if not outcomes:
            continue
        tokens = sum(outcome.tokens for outcome in outcomes)
        constraint = sum(outcome.constraint for outcome in outcomes)
        rows.append(
            (
                method.value,
                share(sum(outcome.valid for outcome in outcomes), len(outcomes)),
                share(sum(outcome.exact for outcome in outcomes), len(outcomes)),
                f"{statistics.fmean(outcome.similarity for outcome in outcomes):.3f}",
                f"{tokens / len(outcomes):.1f}",
                share(sum(outcome.reason == ENDED for outcome in outcomes), len(outcomes))
                if method is not Method.CHECKED
                else "–",
                f"{sum(outcome.model for outcome in outcomes) / max(tokens, 1):.2f} ms",
                f"{constraint / max(tokens, 1):.3f} ms" if method is not Method.UNCONSTRAINED else "–",
                f"{statistics.median(outcome.contexts for outcome in outcomes):.1f} ms"
                if method is Method.CONSTRAINED
                else "–",
            )
        )
    columns = (
        "method", "valid", "exact match", "edit similarity", "tokens", "ended by the model", "model a token",
        "checks a token", "contexts, once",
    )  # fmt: skip
    return Table(title, columns, rows)


def reason_table(title: str, records: Sequence[Record]) -> Table:
    """Return why the texts ended, by method."""
    methods = [method for method in Method if any(method in record.outcomes for record in records)]
    counts: dict[str, dict[Method, int]] = {}
    for record in records:
        for method, outcome in record.outcomes.items():
            by_method = counts.setdefault(outcome.reason, {})
            by_method[method] = by_method.get(method, 0) + 1
    ordered = sorted(counts.items(), key=lambda item: (-max(item[1].values()), item[0]))
    rows = [
        (reason, *(f"{by_method[method]:,}" if method in by_method else "" for method in methods))
        for reason, by_method in ordered
    ]
    return Table(title, ("why it ended", *(method.value for method in methods)), rows)


def failure_table(analyses: Mapping[str, Analysis], cases: Mapping[str, int]) -> Table:
    """Return what went wrong in each data set, and in the paper's."""
    rows = [
        (
            name,
            f"{found.compared:,}",
            f"{len(found.disagreements):,}",
            f"{len(found.unconnected):,} of {cases[name]:,}",
            f"{len(found.rejected):,}",
            f"{len(found.lost):,}",
        )
        for name, found in analyses.items()
    ]
    theirs = published.FAILURES
    total, lost = published.CROSSINGS["boundary"].total, published.CROSSINGS["boundary"].unconstrained[1]
    rows.append(
        (
            f"boundary, {published.MELCER} (theirs)",
            "–",
            f"{theirs.disagreements:,}",
            f"{theirs.unconnected:,} of {total:,}",
            f"{theirs.disagreements:,}",
            f"{lost:,}",
        )
    )
    columns = (
        "data set", "texts judged by engine and interpreter", "disagreements",
        "no connection within the budget, nothing offered", "offered and not accepted",
        "unconstrained ✓ and constrained ✗",
    )  # fmt: skip
    return Table("Where constrained generation fails", columns, rows)


def published_validity() -> Table:
    """Return what share of cases succeeded in the paper."""
    rows = []
    for name, crossing in published.CROSSINGS.items():
        total = crossing.total
        rows.append(
            (
                name,
                share(sum(crossing.unconstrained), total),
                share(sum(crossing.unconstrained) + sum(crossing.checked), total),
                share(crossing.constrained[0], total),
                f"{total:,}",
            )
        )
    columns = ("data set", "unconstrained", "checked", "constrained", "cases")
    return Table(f"{published.MELCER}: valid", columns, rows, published.MELCER_SETUP, theirs=True)


def syncode_table() -> Table:
    """Return the Python rows of SynCode's table 1."""
    rows = [
        (row.model, row.kind, *(f"{without} → {with_}" for without, with_ in (row.humaneval, row.mbxp)))
        for row in published.SYNCODE_ROWS
    ]
    return Table(
        f"{published.SYNCODE}: texts with errors, without → with the constraint",
        ("model", "kind of error", "HumanEval", "MBXP"),
        rows,
        published.SYNCODE_SETUP,
        theirs=True,
    )


def line_table(lines: Mapping[str, LinearFit | None], theirs: Iterable[tuple[str, LinearFit]]) -> Table:
    """Return lines fitted to costs over the size of the context, in milliseconds and characters."""
    rows = [(label, str(line) if line else "–", "this run") for label, line in lines.items()]
    rows += [(label, str(line), published.MELCER) for label, line in theirs]
    return Table("Lines of best fit: milliseconds over characters of context", ("what", "line", "whose"), rows)
