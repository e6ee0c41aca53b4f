"""The recorder: counts reach the storage after a pause, away from the event loop, and at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.statistics.counts import Counts, Subject
from dovetail.statistics.recorder import Recorder
from dovetail.statistics.storage import Storage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ABOUT = Subject("2026-01-31", "python", "the statement ended", "embedded")


def test_counts_are_stored_after_a_pause_and_at_the_end(tmp_path: Path) -> None:
    """One store is planned for many counts; counts after it plan another; closing stores the rest at once."""
    planned: list[tuple[float, Callable[[], None]]] = []
    aside: list[Callable[[], None]] = []
    storage = Storage(tmp_path / "state")
    about = ABOUT._replace(day=storage._today().isoformat())
    recorder = Recorder(storage, lambda seconds, call: planned.append((seconds, call)), aside.append)

    recorder.count(about, "shown")
    recorder.count(about, "accepted")
    assert [seconds for seconds, _ in planned] == [10.0]
    assert not storage.folder.exists()

    planned.pop()[1]()
    assert not storage.folder.exists(), "nothing is written on the thread of the event loop"
    recorder.count(about, "shown")
    aside.pop()()
    assert storage.read() == {about: Counts(shown=1, accepted=1)}

    recorder.close()
    assert storage.read() == {about: Counts(shown=2, accepted=1)}
    planned.pop()[1]()
    assert (planned, aside) == ([], [])


def test_a_server_that_counts_nothing_writes_nothing(tmp_path: Path) -> None:
    """Without counts the closing leaves no file."""
    storage = Storage(tmp_path / "state")
    Recorder(storage).close()

    assert not storage.folder.exists()
