"""`dovetail stats`: the counts as a table, as JSON and as a page."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING

import platformdirs
import pytest

from dovetail.__main__ import main
from dovetail.statistics.counts import Counts, CountTable, Subject
from dovetail.statistics.storage import Storage

if TYPE_CHECKING:
    from pathlib import Path

TODAY = date.today().isoformat()

TABLE: CountTable = {
    Subject(TODAY, "python", "the statement ended", "embedded"): Counts(100, 30, 10, 40, 35),
    Subject(TODAY, "python", "the block ended", "embedded"): Counts(50, 1, 0, 1, 1),
    Subject(TODAY, "json", "the block ended", "small"): Counts(4, 0, 0, 0, 0),
}


@pytest.fixture(name="storage")
def _storage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Storage:
    monkeypatch.setattr(platformdirs, "user_state_path", lambda _: tmp_path / "state")
    return Storage()


def test_people_read_shares_by_language_reason_and_model(
    storage: Storage, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each row has the numbers and the shares of its kind: of the shown texts, and of the measured ones."""
    monkeypatch.setenv("COLUMNS", "120")
    storage.add(TABLE)

    assert main(["stats"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]

    assert ["all", "154", "31", "(20%)", "10", "(6%)", "36", "(88%)"] in rows
    assert ["python", "150", "31", "(21%)", "10", "(7%)", "36", "(88%)"] in rows
    assert ["json", "4", "0", "(0%)", "0", "(0%)", "0"] in rows
    assert ["the", "statement", "ended", "100", "30", "(30%)", "10", "(10%)", "35", "(88%)"] in rows
    assert ["small", "4", "0", "(0%)", "0", "(0%)", "0"] in rows


def test_json_holds_every_row(storage: Storage, capsys: pytest.CaptureFixture[str]) -> None:
    """The rows of the file come out as they are, with the place of the file."""
    storage.add(TABLE)

    assert main(["stats", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)

    assert printed["file"] == str(storage.path)
    assert {row["reason"]: row["shown"] for row in printed["rows"] if row["language"] == "python"} == {
        "the statement ended": 100,
        "the block ended": 50,
    }


def test_a_page_shows_the_counts(storage: Storage, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The page names every language, reason and model, escaped, and draws three bars for each."""
    storage.add({**TABLE, Subject(TODAY, "<b>", "the block ended", "embedded"): Counts(1, 1)})
    page = tmp_path / "page.html"

    assert main(["stats", "--plot", str(page)]) == 0
    text = page.read_text(encoding="utf-8")

    assert "shown" in capsys.readouterr().out
    for name in ("python (150)", "json (4)", "&lt;b&gt; (1)", "the statement ended (100)", "small (4)", TODAY):
        assert name in text
    assert "<b>  (1)" not in text
    assert text.count('class="bar constrained"') == 3 + 2 + 2 + 1
    assert "http" not in text


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_without_counts_it_says_where_they_will_be(
    storage: Storage, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    """Before the first session there is no file, no mistake, and the place where it will be."""
    assert main(["stats", *options]) == 0
    assert storage.path.name in capsys.readouterr().out
    assert not storage.folder.exists()


def test_a_page_that_cannot_be_written_is_a_sentence(
    storage: Storage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder that does not exist is a mistake with a remedy."""
    storage.add(TABLE)

    assert main(["stats", "--plot", str(tmp_path / "none" / "page.html")]) == 2
    assert "cannot be used (No such file or directory): free it, or name another file." in capsys.readouterr().err
