"""The benchmark runs, on texts that are what it says they are; how fast is never tested."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.benchmarks.__main__ import main
from tests.benchmarks.contexts import contexts
from tests.benchmarks.measurements import KINDS, Series
from tests.oracles.cpython import parses

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_contexts_are_programs_of_the_size() -> None:
    """Every context is a program of about the wanted size, each of another file, and the choice is stable."""
    chosen = contexts(1_000, 5)

    assert all(parses(context.text) for context in chosen)
    assert all(850 <= len(context.text) <= 1_200 for context in chosen)
    assert len({context.source for context in chosen}) == 5
    assert chosen == contexts(1_000, 5)


def test_series_keeps_every_duration() -> None:
    """A series returns the result of the work and counts each measurement once."""
    series = Series()
    results = [series.time(lambda: "done") for _ in range(20)]
    summary = series.summary()

    assert results == ["done"] * 20
    assert summary["count"] == 20
    assert 0 <= summary["median"] <= summary["p95"] <= summary["largest"]


def test_numbers_are_printed_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints its tables and writes the same numbers as JSON."""
    kept = tmp_path / "numbers.json"

    assert main(["--sizes", "1000", "--count", "2", "--json", str(kept)]) == 0
    written = json.loads(kept.read_text(encoding="utf-8"))
    assert set(written["milliseconds"]["1000"]) == set(KINDS)
    assert set(written["loading"]) == {"json, cold", "json, cached", "python, cold", "python, cached"}
    assert "1,000" in capsys.readouterr().out
