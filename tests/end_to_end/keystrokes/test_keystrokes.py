"""The replay in short: what must hold at every key. How fast it is is measured by `make trace`, not here."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tests.end_to_end.keystrokes.replay import FILES, replay
from tests.end_to_end.keystrokes.typist import strokes

if TYPE_CHECKING:
    from pathlib import Path


def test_a_typist_writes_what_was_removed() -> None:
    """The strokes of a passage make that passage again, character for character; two files are written in turn."""
    texts = [path.read_text("utf-8") for path in FILES]
    written: dict[int, str] = {}
    wanted: dict[int, str] = {}
    for stroke in islice(strokes(texts, 3), 5000):
        if stroke.kind == "begin":
            if stroke.file in wanted and stroke.file in written:
                assert written.pop(stroke.file) == wanted[stroke.file]
            wanted[stroke.file] = stroke.text
            assert texts[stroke.file].count(stroke.text) == 1
        elif stroke.kind == "type":
            written[stroke.file] = written.get(stroke.file, "") + stroke.text
        elif stroke.kind == "erase":
            written[stroke.file] = written[stroke.file][:-1]
        assert 0.03 < stroke.pause < 10

    assert set(wanted) == {0, 1, 2}


async def test_a_hundred_keys(tmp_path: Path) -> None:
    """No error, no text for another place, no answer out of order, every ghost text fits, what is typed of it stays."""
    found = await replay(100, tmp_path, pace=0.3, patience=16)

    assert found.faults == []
    assert found.misfits() == []
    assert found.keys >= 100
    assert any(asked.outcome == "offered" and asked.newest for asked in found.asked)
    assert all(asked.outcome in ("offered", "nothing", "cancelled") for asked in found.asked)
    assert found.counts["dovetail_requests_in_progress"] == 0
    assert found.counts["dovetail_completions_recalled_total"] > 0
    # The first one, which is not counted here, waited for the model.
    requests = sum(value for name, value in found.counts.items() if name.startswith("dovetail_requests_total"))
    assert requests == len(found.asked) + 1
