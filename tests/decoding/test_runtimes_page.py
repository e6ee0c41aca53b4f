"""The comparison of runtimes counts what differs, and a short run of it holds what the long one shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.decoding.runtimes import RUNTIMES, Written, run_all, summary

if TYPE_CHECKING:
    from pathlib import Path


def test_what_differs_is_counted() -> None:
    """Texts are compared, and where there is none the reasons; a text may end for another reason."""
    same = dict.fromkeys(RUNTIMES, Written("x", True, "GAIN", 0.5, 0.1))
    ends_otherwise = {**same, "llama.cpp f16": Written("x", True, "END", 0.5, 0.1)}
    another_text = {**same, "llama.cpp f32": Written("y", True, "GAIN", 0.5, 0.1)}
    another_reason = dict.fromkeys(RUNTIMES, Written(None, True, "SHORT", 0.001, 0.1))
    another_reason["llama.cpp f32"] = Written(None, False, "INVENTED", 0.001, 0.1)

    page = summary([same, ends_otherwise, another_text, another_reason], 1, 24)

    assert "| transformers | 4 | 3 | 4 | 100 ms |" in page
    assert "| llama.cpp f32 | 3 | 3 | 2 | 100 ms |" in page
    assert "| llama.cpp f16 | 4 | 3 | 4 | 100 ms |" in page
    assert "| llama.cpp f32 | 2 | 1 | 0.2505 | 0.5000 |" in page


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    """The cursors of the journal are not completed again, and are part of what is found."""
    journal = tmp_path / "journal.jsonl"
    written = '{"text": "x", "program": true, "stop": "GAIN", "closest": 1.0, "seconds": 0.1}'
    lines = [f'{{"runtime": "{runtime}", "seed": "1/0", "found": [{written}]}}' for runtime in RUNTIMES]
    journal.write_text("\n".join([*lines, ""]))

    found = run_all(1, 1, 24, 1, journal, 1.0)

    assert [each[RUNTIMES[0]].text for each in found] == ["x"]
    assert journal.read_text().count("\n") == len(RUNTIMES)
