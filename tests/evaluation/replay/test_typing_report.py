"""The report of the replay that the repository holds."""

from __future__ import annotations

import json
from pathlib import Path

from dovetail.evaluation.replay.record import ReplaySetup

REPORT = Path(__file__).parents[1] / "report"


def test_the_runs_of_the_report_differ_only_in_dovetail() -> None:
    """Before and now are of the same files, seed and settings, on the part that nothing was chosen on.

    What runs the embedded model, and with what numbers, is a part of Dovetail.
    """
    results = json.loads((REPORT / "typing.json").read_text(encoding="utf-8"))
    before, now = (ReplaySetup.from_json(results[name]["setup"]).to_json() for name in ("before", "now"))

    changed = {name for name in before if before[name] != now[name]}
    assert changed <= {"name", "engine", "weights", "numbers"}
    assert before["part"] == "report"
    assert before["settings"] == {}


def test_the_document_has_the_numbers_of_the_results() -> None:
    """The table of the document is made of the JSON."""
    results = json.loads((REPORT / "typing.json").read_text(encoding="utf-8"))
    document = (REPORT / "typing.md").read_text(encoding="utf-8")

    found = [f"{results[name]['measures']['acceptance']['value']:.3f}" for name in ("before", "now")]

    row = next(line for line in document.splitlines() if line.startswith("| acceptance |"))
    assert all(value in row for value in found)
