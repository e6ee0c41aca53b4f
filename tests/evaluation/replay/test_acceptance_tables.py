"""The tables and the plot of the thresholds, made from journals of replays."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.evaluation.acceptance import FINISHED, THRESHOLDS, by_finished, by_threshold, main
from tests.evaluation.replay.test_measures import record, setup

from dovetail.evaluation.journal import Journal
from dovetail.evaluation.replay.measures import walked
from dovetail.evaluation.replay.record import ReplayRecord

if TYPE_CHECKING:
    from pathlib import Path

    from dovetail.evaluation.replay.record import ReplaySetup


def finished(known: ReplayRecord, *, right: bool) -> ReplayRecord:
    """Return a record in which something is finished where the text is right, or where it is wrong."""
    [typed] = known.typed
    nodes = tuple(
        replace(node, finished=node.look is not None and (node.look.taken is not None) == right) for node in typed.nodes
    )
    return replace(known, typed=(replace(typed, nodes=nodes),))


def journal(folder: Path, known: ReplaySetup, *records: ReplayRecord) -> None:
    """Write a journal."""
    one = Journal(folder, known)
    for each in records:
        one.append(each)
    one.close()


def test_a_threshold_for_finished_places_holds_there_alone() -> None:
    """The wrong text, of confidence 0.1, is hidden by it exactly where it stands in a finished place."""
    there, elsewhere = [finished(record(0), right=False)], [finished(record(0), right=True)]
    assert walked(there, 0.05, finished=0.5).total.shown == 1
    assert walked(there, 0.05).total.shown == 2
    assert walked(elsewhere, 0.05, finished=0.5).total.shown == 2
    assert walked(elsewhere, 0.05, finished=0.95).total.shown == 1
    assert walked(there, 0.5, finished=0.05).total.shown == 1, "the greater threshold counts"


def test_rows_are_walks_with_both_thresholds() -> None:
    """A row for each threshold: without finished places the second one changes nothing."""
    rows = by_threshold([record(0)])
    assert [row.threshold for row in rows] == list(THRESHOLDS)
    assert [row.values["acceptance"] for row in rows] == [0.5] * 3 + [1.0] * 7
    rows = by_finished([finished(record(0), right=True)])
    assert [row.finished for row in rows] == list(FINISHED)
    assert [row.values["acceptance"] for row in rows] == [1.0] * len(FINISHED)


def test_a_record_of_before_has_no_finished_places() -> None:
    """Journals whose nodes do not say whether something was finished are read as if nothing was."""
    plain = record(0).to_json()
    for typed in plain["typed"]:
        for node in typed["nodes"]:
            del node["finished"]
    assert ReplayRecord.from_json(plain) == record(0)


def test_tables_and_plot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both tables are printed, and the plot has a point for each threshold and a square for each other replay."""
    journal(tmp_path, setup(), record(0), record(1))
    others = tmp_path / "others"
    journal(others, setup("before"), record(2))
    journal(others, setup("now"), record(0))
    target = tmp_path / "acceptance.svg"
    assert main(["--replay", str(tmp_path), "--beside", str(others), "--plot", str(target)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("2 files of the part `report`.")
    assert "| 0.00 | 0.500 | 0.500 |" in printed
    assert "| 0.60 | 1.000 | 1.000 |" in printed
    assert printed.count("\n| 0.") == len(THRESHOLDS) + len(FINISHED) - 1
    drawn = ET.fromstring(target.read_text(encoding="utf-8"))
    names = [element.tag.rpartition("}")[2] for element in drawn.iter()]
    assert names.count("circle") == len(THRESHOLDS)
    assert names.count("rect") == 3
    assert "now, report" in target.read_text(encoding="utf-8")


def test_a_replay_that_hides_is_refused(tmp_path: Path) -> None:
    """Tapes of a single threshold, and a folder of several replays without a name, are a mistake of the user."""
    journal(tmp_path, setup("one", all_thresholds=False), record(0))
    with pytest.raises(SystemExit):
        main(["--replay", str(tmp_path)])
    journal(tmp_path, setup("two"), record(0))
    with pytest.raises(SystemExit):
        main(["--replay", str(tmp_path)])
    assert main(["--replay", str(tmp_path), "--name", "two"]) == 0
