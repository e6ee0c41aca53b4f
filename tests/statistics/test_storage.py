"""The file of counts: shared by servers, written whole, bounded, and never overwritten when it is damaged."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from datetime import date
from typing import TYPE_CHECKING

import pytest

from dovetail.statistics import storage as module
from dovetail.statistics.counts import Counts, Subject, merged, total
from dovetail.statistics.storage import Storage

if TYPE_CHECKING:
    from pathlib import Path

PYTHON = Subject("2026-01-31", "python", "the statement ended", "embedded")
JSON = Subject("2026-01-31", "json", "the block ended", "embedded")

SERVER = """
import sys
from pathlib import Path
from dovetail.statistics.counts import Counts, Subject
from dovetail.statistics.storage import Storage
storage = Storage(Path(sys.argv[1]))
storage.folder.mkdir(exist_ok=True)
print("ready", flush=True)
sys.stdin.readline()
for _ in range(200):
    storage.add({Subject(storage._today().isoformat(), sys.argv[2], "end", "model"): Counts(shown=2, accepted=1)})
"""


def storage_of(folder: Path) -> Storage:
    """Return a storage in a folder, on a day at which nothing is too old."""
    return Storage(folder, lambda: date(2026, 1, 31))


def test_two_servers_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    """Two processes that add 200 times each at the same time leave the sum of both, and the main file alone."""
    folder = tmp_path / "state"
    command = [sys.executable, "-c", SERVER, str(folder)]
    servers = [
        subprocess.Popen([*command, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for name in ("python", "json")
    ]
    for server in servers:
        assert server.stdout is not None
        assert server.stdout.readline() == "ready\n"
    for server in servers:
        assert server.stdin is not None
        server.stdin.write("\n")
        server.stdin.flush()
    for server in servers:
        server.communicate(timeout=300)
        assert server.returncode == 0

    table = Storage(folder).read()

    assert {about.language: counts for about, counts in table.items()} == {
        "python": Counts(shown=400, accepted=200),
        "json": Counts(shown=400, accepted=200),
    }
    Storage(folder).add({})
    assert sorted(path.name for path in folder.iterdir()) == ["statistics.json", "statistics.lock"]
    assert total(Storage(folder).read().values()) == Counts(shown=800, accepted=400)


def test_counts_wait_while_another_server_holds_the_lock(tmp_path: Path) -> None:
    """Counts that meet a lock are read all the same, and the next server that has the lock takes them over once."""
    storage = storage_of(tmp_path)
    storage.add({PYTHON: Counts(shown=1)})
    with module._locked(tmp_path / "statistics.lock") as held:
        assert held
        storage.add({PYTHON: Counts(shown=10)})
        storage.add({JSON: Counts(shown=100)})
        assert total(storage.read().values()).shown == 111

    storage.add({JSON: Counts(shown=1000)})

    assert storage.read() == {PYTHON: Counts(shown=11), JSON: Counts(shown=1100)}
    assert not list(tmp_path.glob("statistics-waiting-*"))


def test_a_server_that_dies_before_it_tidies_counts_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Waiting counts that were taken over and not removed are neither read nor added a second time."""
    storage = storage_of(tmp_path)
    with module._locked(tmp_path / "statistics.lock"):
        storage.add({PYTHON: Counts(shown=1)})
    with monkeypatch.context() as killed:
        killed.setattr("pathlib.Path.unlink", lambda *_, **__: None)
        storage.add({PYTHON: Counts(shown=10)})
        assert list(tmp_path.glob("statistics-waiting-*"))

    assert storage.read() == {PYTHON: Counts(shown=11)}
    storage.add({})
    storage.add({})
    assert storage.read() == {PYTHON: Counts(shown=11)}
    assert not list(tmp_path.glob("statistics-waiting-*"))


def test_a_write_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Without room on the disk the counts before it stay, no part is left, and the log says what was lost."""
    storage = storage_of(tmp_path)
    storage.add({PYTHON: Counts(shown=1)})

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    storage.add({PYTHON: Counts(shown=1)})

    assert storage.read() == {PYTHON: Counts(shown=1)}
    assert not list(tmp_path.glob("*.part"))
    assert "No space left on device" in caplog.text


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"version": 2}', b'{"version": 1, "rows": [1]}', b"\xff"])
def test_a_damaged_file_is_set_aside(tmp_path: Path, damage: bytes) -> None:
    """A file that cannot be read is renamed with all its bytes, and counting begins anew."""
    storage = storage_of(tmp_path)
    storage.path.write_bytes(damage)

    storage.add({PYTHON: Counts(shown=1)})

    assert storage.read() == {PYTHON: Counts(shown=1)}
    assert (tmp_path / "statistics.json.damaged").read_bytes() == damage


def test_the_file_is_for_this_user_alone(tmp_path: Path) -> None:
    """Nobody else may read the counts."""
    storage = storage_of(tmp_path / "state")
    storage.add({PYTHON: Counts(shown=1)})

    if os.name == "posix":
        assert stat.S_IMODE(storage.path.stat().st_mode) == 0o600
        assert stat.S_IMODE(storage.folder.stat().st_mode) == 0o700


def test_the_file_stays_small(tmp_path: Path) -> None:
    """However many languages a client names, the file holds a few thousand rows and less than two megabytes."""
    storage = storage_of(tmp_path)
    tables = [
        {PYTHON._replace(language=f"{number:080}", reason="y" * 80): Counts(1, 2, 3, 4, 5)} for number in range(9000)
    ]
    storage.add(merged(tables))

    assert storage.path.stat().st_size < 2_000_000
    assert len(json.loads(storage.path.read_bytes())["rows"]) == 4000


def test_without_a_file_there_are_no_counts(tmp_path: Path) -> None:
    """A folder that does not exist is read as an empty table and is not made."""
    assert storage_of(tmp_path / "state").read() == {}
    assert not (tmp_path / "state").exists()
