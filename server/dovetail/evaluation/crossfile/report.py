"""The report of the experiment with names of other files: numbers for programs, and a table for people.

Neither holds text of a file.
"""

from __future__ import annotations

import json
import math
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

from dovetail.evaluation.crossfile.record import WITH, WITHOUT, CrossSetup
from dovetail.evaluation.journal import read_all
from dovetail.evaluation.report import replace_file
from dovetail.evaluation.tables import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from dovetail.evaluation.crossfile.record import CrossRecord

RESULTS, DOCUMENT = "cross-file.json", "cross-file.md"

MEASURES = ("exact", "similarity", "identifiers", "common")
"""The fields of an outcome that are averaged."""

_COLUMNS = ("", "exact match", "edit similarity", "identifier match", "F1 of identifiers", "parts", "tokens of parts")

_LEAD = (
    "Lines that use what another file defines are completed from there on, with and without parts of other files, in "
    "the manner of CrossCodeEval. In brackets, the change for each case and half its interval of 95 %."
)


def publish_cross_files(folder: Path) -> tuple[Path | None, dict[str, tuple[int, int]]]:
    """Write the report of a folder, of unfinished experiments too; return the document, and (done, cases) by name.

    Nothing is written where no case is done. Raises EvaluationError where the folder cannot be read or written.
    """
    found: dict[str, tuple[CrossSetup, Sequence[CrossRecord]]] = {
        name: (setup, records) for name, (setup, records) in read_all(folder, CrossSetup).items()
    }
    done = {name: (len(records), setup.cases) for name, (setup, records) in found.items()}
    found = {name: one for name, one in found.items() if counted(one[1])}
    if not found:
        return None, done
    plain = {name: _plain(*one) for name, one in found.items()}
    replace_file(folder / RESULTS, json.dumps(plain, indent=1) + "\n")
    replace_file(folder / DOCUMENT, _document(found))
    return folder / DOCUMENT, done


def counted(records: Sequence[CrossRecord]) -> Sequence[CrossRecord]:
    """Return the records without those that a smaller model solved."""
    return [record for record in records if not record.is_solved]


def means(records: Sequence[CrossRecord], way: str) -> dict[str, float]:
    """Return the mean of each measure in one of the ways."""
    return {name: fmean(float(getattr(record.outcomes[way], name)) for record in records) for name in MEASURES}


def gain(records: Sequence[CrossRecord], measure: str) -> tuple[float, float]:
    """Return the mean change of a measure by the context, and half its interval of 95 %."""
    changes = [
        float(getattr(record.outcomes[WITH], measure)) - float(getattr(record.outcomes[WITHOUT], measure))
        for record in records
    ]
    mean = fmean(changes)
    spread = math.fsum((change - mean) ** 2 for change in changes) / max(1, len(changes) - 1)
    return mean, 1.96 * math.sqrt(spread / len(changes))


def _plain(setup: CrossSetup, records: Sequence[CrossRecord]) -> dict[str, Any]:
    solved, records = len(records), counted(records)
    solved -= len(records)
    return {
        "setup": setup.to_json(),
        "cases": len(records),
        "left out, as the smaller model solves them": solved,
        "means": {way: means(records, way) for way in (WITHOUT, WITH)},
        "gains": {name: gain(records, name) for name in MEASURES},
        "search milliseconds, median": median(record.search for record in records),
    }


def _document(found: Mapping[str, tuple[CrossSetup, Sequence[CrossRecord]]]) -> str:
    written = ["# Names of other files\n", _LEAD + "\n"]
    for name, (setup, done) in found.items():
        records = counted(done)
        written.append(f"## {name}\n")
        written.append(
            f"{len(done):,} of {setup.cases:,} lines of {setup.data}, cut at {setup.cut} ({setup.language}, "
            f"{setup.files:,} files, {setup.digest}), seed {setup.seed}. Model: {_named(setup.model, setup.weights)}; "
            f"{setup.numbers}. Dovetail {setup.dovetail} ({setup.engine}). The search took "
            f"{median(record.search for record in records):.1f} ms at the median.\n"
        )
        if setup.smaller:
            written.append(
                f"{len(done) - len(records):,} of the {len(done):,} lines are left out, as a smaller model writes them "
                f"from the file alone ({_named(setup.smaller, setup.smaller_weights)}): {len(records):,} count.\n"
            )
        written.append(_table(records).markdown())
    return "\n".join(written)


def _named(model: str, weights: str) -> str:
    return f"{model} ({weights})" if weights else model


def _table(records: Sequence[CrossRecord]) -> Table:
    rows = []
    for way in (WITHOUT, WITH):
        values = means(records, way)
        cells = [f"{100 * values[name]:.1f} %" for name in MEASURES]
        if way == WITH:
            changes = [gain(records, name) for name in MEASURES]
            cells = [
                f"{cell} ({100 * mean:+.1f} ± {100 * half:.1f})"
                for cell, (mean, half) in zip(cells, changes, strict=True)
            ]
        outcomes = [record.outcomes[way] for record in records]
        parts, tokens = fmean(one.parts for one in outcomes), fmean(one.tokens for one in outcomes)
        rows.append((way, *cells, f"{parts:.1f}", f"{tokens:.0f}"))
    return Table("With and without", _COLUMNS, rows, "")
