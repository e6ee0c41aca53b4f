"""Measures and their report: plain arithmetic over tapes, the same each time, without any text of a file."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.evaluation.records import setup as setup_of_gaps
from tests.evaluation.replay.typing_of import knows, marked, tape
from tests.evaluation.test_page import Reader

from dovetail.evaluation.journal import Journal, read_all, read_journals
from dovetail.evaluation.replay.cases import Part
from dovetail.evaluation.replay.measures import MEASURES, Tally, difference, measure, milliseconds, walked
from dovetail.evaluation.replay.record import ReplayRecord, ReplaySetup, Typed
from dovetail.evaluation.replay.report import publish_replays
from dovetail.evaluation.replay.stretch import StretchKind
from dovetail.evaluation.replay.tables import compared
from dovetail.evaluation.replay.tradeoff import trade_off

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "confidential_name"


def setup(name: str = "typing", cases: int = 3, *, all_thresholds: bool = True) -> ReplaySetup:
    return ReplaySetup(
        name=name,
        part=Part.REPORT,
        without=("other",),
        cases=cases,
        seed=0,
        characters=160,
        all_thresholds=all_thresholds,
        settings={"trigger": "eager"},
        model="scripted",
        weights="",
        data="packages",
        files=9,
        digest="0123456789abcdef",
        engine="fedcba9876543210",
        numbers="none",
        python="3.11.7",
        dovetail="0.1.0",
    )


def record(case: int) -> ReplayRecord:
    """Return a record with a text that is right and sure, and one that is wrong and unsure."""
    text, stretch = marked(f"|{SECRET} = f(x, {case})|\n", pauses=(3, 21))
    right = knows(text, stretch)

    def model(left: str, behind: str) -> str:
        return right(left, behind)[:12] if len(left) == 3 else "??" if len(left) == 21 else ""

    nodes = tape(text, stretch, model, confidence=lambda found: 0.1 if found == "??" else 0.9, all_thresholds=True)
    return ReplayRecord(case, "package/file.py", (Typed(stretch, nodes),))


def test_a_record_survives_its_json() -> None:
    """The journal's lines make the same record and set-up again."""
    assert ReplayRecord.from_json(json.loads(json.dumps(record(1).to_json()))) == record(1)
    assert ReplaySetup.from_json(json.loads(json.dumps(setup().to_json()))) == setup()
    assert setup().difference(setup()) == ""
    assert setup().difference(setup(cases=4)) == "cases 4, now 3"


def test_measures_are_those_of_the_counts() -> None:
    """Shares of sums, not means of shares."""
    few = Tally(
        characters=100, keys=60, plain_keys=80, effort=64, accepted=25, shown=8, whole=3, part=1, wrong_characters=50
    )
    found = {name: of(few) for name, of in MEASURES.items()}

    assert found == {
        "acceptance": 0.5,
        "accepted as a whole": 3 / 8,
        "ratio of completed code": 0.25,
        "shown per 100 keys": pytest.approx(100 * 8 / 60),
        "keys saved": 0.25,
        "effort saved": 0.2,
        "wrong characters shown per 100 characters": 50,
    }


def test_intervals_hold_the_measure_and_do_not_change() -> None:
    """Resampling is seeded; equal files leave no doubt, different ones do."""
    equal = measure([Tally(characters=10, accepted=3)] * 5)["ratio of completed code"]
    mixed = [Tally(characters=10, accepted=count) for count in range(10)]
    different = measure(mixed)["ratio of completed code"]

    assert equal == (0.3, 0.3, 0.3)
    assert different.low < different.value < different.high
    assert measure(mixed)["ratio of completed code"] == different
    assert measure([])["acceptance"] == (0, 0, 0)


def test_differences_are_of_the_same_files() -> None:
    """A run that is better by the same amount in every file is better without a doubt, however the files differ."""
    first = [Tally(characters=10, accepted=count) for count in range(9)]
    second = [one._replace(accepted=one.accepted + 1) for one in first]

    assert difference(first, second)["ratio of completed code"] == pytest.approx((0.1, 0.1, 0.1))
    assert difference(second, first)["ratio of completed code"] == pytest.approx((-0.1, -0.1, -0.1))


def test_two_experiments_are_compared_in_the_files_of_both() -> None:
    """Paths that only one has done are left out; other paths of the same files are not compared."""
    table = compared({"before": [record(0), record(1)], "now": [record(1), record(2)]})

    assert table is not None
    assert table.title == "The same 1 files"
    assert table.columns == ("", "before", "now", "difference")
    assert table.rows[0] == (
        "acceptance", "0.500 (0.500 to 0.500)", "0.500 (0.500 to 0.500)", "0.000 (0.000 to 0.000)"
    )  # fmt: skip
    assert compared({"before": [record(0)]}) is None
    assert compared({"before": [record(0)], "now": [record(1)]}) is None
    moved = replace(record(0).typed[0], stretch=replace(record(0).typed[0].stretch, pauses=(3,)))
    assert compared({"before": [record(0)], "now": [replace(record(0), typed=(moved,))]}) is None


def test_a_threshold_hides_what_is_unsure() -> None:
    """With a threshold between the two confidences only the right text is shown."""
    records = [record(case) for case in range(3)]

    first, *_, last = trade_off(records)

    assert first.threshold == 0
    assert first.measures["acceptance"] == 0.5
    assert last.threshold == 0.9
    assert last.measures["acceptance"] == 1
    assert last.measures["ratio of completed code"] == first.measures["ratio of completed code"] > 0.4


def test_times_are_those_of_the_requests() -> None:
    """The median and a high percentile of what was asked, and zero where nothing was."""
    assert milliseconds(walked([record(0)]).walks) == (1.0, 1.0)
    assert milliseconds([]) == (0.0, 0.0)
    assert walked([record(0)], kind=StretchKind.EDIT).total == Tally()


def test_journals_of_both_kinds_share_a_folder(tmp_path: Path) -> None:
    """Each kind of experiment reads its own journals, and the report goes on where it was."""
    Journal(tmp_path, setup_of_gaps(cases=2)).close()
    journal = Journal(tmp_path, setup())
    journal.append(record(0))
    journal.append(record(1))
    journal.close()

    assert list(read_journals(tmp_path)) == ["boundary"]
    assert read_all(tmp_path, ReplaySetup)["typing"] == (setup(), [record(0), record(1)])
    again = Journal(tmp_path, setup())
    assert again.missing == [2]
    again.close()


def test_the_report_holds_numbers_and_no_text(tmp_path: Path) -> None:
    """Table, page and JSON of unfinished experiments too, and nothing of the files that were typed."""
    for name in ("before", "now"):
        journal = Journal(tmp_path, setup(name, all_thresholds=name == "now"))
        journal.append(record(0))
        journal.append(record(2))
        journal.close()

    page, done = publish_replays(tmp_path)

    assert page == tmp_path / "typing.html"
    assert done == {"before": (2, 3), "now": (2, 3)}
    assert page.read_text(encoding="utf-8").count("is hidden by a threshold") == 1  # not for tapes of all thresholds
    reader = Reader(page.read_text(encoding="utf-8"))
    assert reader.open == []
    assert "JetBrains" in reader.text
    document = (tmp_path / "typing.md").read_text(encoding="utf-8")
    assert "| acceptance | 0.500 (0.500 to 0.500) | 0.500 (0.500 to 0.500) |" in document
    assert "2 of 3 files of the part `report` without other" in document
    results = json.loads((tmp_path / "typing.json").read_text(encoding="utf-8"))
    assert results["now"]["measures"]["acceptance"]["value"] == 0.5
    assert [point["threshold"] for point in results["now"]["thresholds"]] == [0, 0.1, 0.9]
    for path in tmp_path.glob("typing.*"):
        if path.suffix != ".jsonl":
            assert SECRET not in path.read_text(encoding="utf-8")


def test_nothing_done_is_no_report(tmp_path: Path) -> None:
    """A journal without a record has no page."""
    Journal(tmp_path, setup()).close()

    assert publish_replays(tmp_path) == (None, {"typing": (0, 3)})
    assert [path.name for path in tmp_path.iterdir()] == ["typing.1-of-1.jsonl"]
