"""The measures of the experiment with names of other files, and the report."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import pytest

from dovetail.evaluation.crossfile.record import WITH, WITHOUT, CrossRecord, CrossSetup
from dovetail.evaluation.crossfile.report import DOCUMENT, RESULTS, gain, means, publish_cross_files
from dovetail.evaluation.crossfile.trial import judged
from dovetail.evaluation.journal import Journal

if TYPE_CHECKING:
    from pathlib import Path

WANTED = "area(width, height)"

# Text → whether it is exact, whether its identifiers are, and the F1 of these.
JUDGED = {
    WANTED: (True, True, 1.0),
    " area(width, height) ": (True, True, 1.0),
    "area(width,height)": (False, True, 1.0),
    "area(height, width)": (False, False, 1.0),
    "area(width)": (False, False, 0.8),
    "other": (False, False, 0.0),
    "": (False, False, 0.0),
    None: (False, False, 0.0),
}

SETUP = CrossSetup(
    name="cross-file", language="python", cases=2, seed=0, max_tokens=64, model="m", weights="", data="data", files=3,
    digest="d", engine="e", numbers="n", dovetail="0",
)  # fmt: skip


def record(number: int, without: str | None, with_context: str | None) -> CrossRecord:
    """Return the record of a case that was answered with two texts."""
    outcomes = {WITHOUT: judged(without, WANTED), WITH: judged(with_context, WANTED, 2, 90)}
    return CrossRecord(number, f"{number}.py", 7, "area", WANTED, 1.5, outcomes)


@pytest.mark.parametrize("text", JUDGED)
def test_judgement(text: str | None) -> None:
    """Exact match, identifier match and F1 are those of CrossCodeEval; a distance is 0 where nothing is offered."""
    outcome = judged(text, WANTED)
    assert (outcome.exact, outcome.identifiers, outcome.common) == pytest.approx(JUDGED[text])
    assert outcome.similarity == (1.0 if outcome.exact else pytest.approx(outcome.similarity))
    if not text:
        assert outcome.similarity == 0.0


def test_means_and_gains() -> None:
    """Means are over all cases, and the interval is that of the changes case by case."""
    records = [record(0, "other", WANTED), record(1, WANTED, WANTED)]
    assert means(records, WITHOUT)["exact"] == 0.5
    assert means(records, WITH)["exact"] == 1.0
    mean, half = gain(records, "exact")
    assert mean == 0.5
    assert half == pytest.approx(1.96 * math.sqrt(0.5 / 2))


def test_report_of_a_journal(tmp_path: Path) -> None:
    """Records survive the journal, and the report tells both ways without any text of a file."""
    journal = Journal(tmp_path, SETUP)
    journal.append(record(0, "other", WANTED))
    journal.close()
    document, done = publish_cross_files(tmp_path)
    assert document == tmp_path / DOCUMENT
    assert done == {"cross-file": (1, 2)}
    results = json.loads((tmp_path / RESULTS).read_text("utf-8"))
    assert results["cross-file"]["means"][WITH]["exact"] == 1.0
    text = document.read_text("utf-8")
    assert "| with context | 100.0 % (+100.0 ± 0.0)" in text
    assert WANTED not in text
    again = Journal(tmp_path, SETUP)
    again.close()
    assert again.missing == [1]


def test_no_report_without_a_case(tmp_path: Path) -> None:
    """A folder without such an experiment gets no report."""
    assert publish_cross_files(tmp_path) == (None, {})
    assert list(tmp_path.iterdir()) == []
