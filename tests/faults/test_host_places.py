"""Trouble around the socket of the shared process: races, stale files, and files of other users."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.faults.shared_host import remove

from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.connection import NoProcessError
from dovetail.completer.host.finder import HostFinder
from dovetail.completer.host.folder import CannotShareError, HostFolder
from dovetail.completer.host.identity import HostIdentity, whole_name
from dovetail.completer.remote import RemoteCompleter
from dovetail.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.completer.host.connection import HostConnection

PATIENCE = 60
"""Seconds for what takes a fraction of one where nothing else runs."""

HOST = """
import os, socket, sys
with open("started", "a") as file:
    file.write(f"{os.getpid()}\\n")
listener = socket.socket(fileno=int(sys.argv[-4]))
listener.listen(64)
taken = []
while True:
    taken.append(listener.accept())
"""
"""A process that takes connections, notes that it was started, and answers nothing."""

IDENTITY = HostIdentity("model", None, ("here",), "version")


class Place:
    """A folder with hosts that answer nothing."""

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="dt"))  # the path of a socket has to be short
        self.path = self.root / "hosts"
        self.folder = HostFolder(self.path)
        self.files = self.folder.files(IDENTITY.name)
        self.finder = HostFinder(self.folder, [sys.executable, "-S", "-c", HOST])
        self._connections: list[HostConnection] = []

    def connect(self, *, anew: bool = False, patience: float = PATIENCE) -> HostConnection:
        """Return a window's connection to the host."""
        finder = HostFinder(self.folder, self.finder.command, patience=patience)
        connection = finder.connect(IDENTITY, lambda: None, anew=anew)
        self._connections.append(connection)
        return connection

    def started(self) -> list[int]:
        """Return the processes that were started, as far as they have noted it."""
        file = self.path / "started"
        return [int(line) for line in file.read_text().splitlines()] if file.exists() else []

    def close(self) -> None:
        """End all processes."""
        for connection in self._connections:
            connection.end()
        for process in {connection.identity for connection in self._connections}:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        remove(self.root)


@pytest.fixture(name="place")
def _place() -> Iterator[Place]:
    place = Place()
    yield place
    place.close()


def test_of_windows_that_race_one_starts_the_host(place: Place) -> None:
    """However many windows begin at once, all are connected to one process, and no other was started."""
    gate, found = threading.Barrier(8), []

    def begin() -> None:
        gate.wait(PATIENCE)
        found.append(place.connect().identity)

    threads = [threading.Thread(target=begin, daemon=True) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)

    assert len(found) == 8
    assert len(set(found)) == 1
    assert set(place.started()) <= set(found)


def test_what_a_dead_host_left_behind_is_replaced(place: Place) -> None:
    """A socket on which nobody listens any more, its record and its lock file keep nobody from a new host."""
    first = place.connect()
    os.kill(first.identity, signal.SIGKILL)
    with pytest.raises(NoProcessError):
        first.call({"hello": {}}, seconds=PATIENCE)
    assert place.files.socket.exists()

    second = place.connect()

    assert second.identity != first.identity
    assert second.ended is None


def test_a_lock_file_without_a_holder_is_no_lock(place: Place) -> None:
    """A file that a dead process left, whatever it holds, is locked by nobody."""
    place.folder.prepare()
    place.files.lock.write_bytes(b"12345 nonsense\n")

    assert place.connect(patience=0.0).ended is None


def test_the_lock_of_a_process_that_was_killed_is_free(place: Place) -> None:
    """The system takes back what a killed process held."""
    place.folder.prepare()
    script = (
        "import sys, filelock as f; lock = f.FileLock(sys.argv[1]); lock.acquire(); print('held', flush=True); input()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", script, str(place.files.lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(CannotShareError, match="another process holds the lock"):
            place.connect(patience=0.01)
        holder.kill()
        holder.wait(PATIENCE)

        assert place.connect().ended is None


def test_a_host_that_does_not_greet_is_killed(place: Place) -> None:
    """A window that gets no first answer in time ends the process, and the next one gets another."""
    first = place.connect()

    with pytest.raises(NoProcessError) as caught:
        first.call({"hello": {}}, seconds=0.05)

    assert caught.value.how == "hung"
    second = place.connect()
    assert second.identity != first.identity


def test_a_host_is_replaced_where_that_is_wanted(place: Place) -> None:
    """`anew` ends the process that runs, and other windows find its successor."""
    first = place.connect()
    second = place.connect(anew=True)

    with pytest.raises(NoProcessError):
        first.call({"hello": {}}, seconds=PATIENCE)
    assert second.identity != first.identity
    assert place.connect().identity == second.identity


def test_a_host_that_has_a_successor_is_not_killed_twice(place: Place) -> None:
    """A window that notices late that its host hangs does nothing to the next one."""
    first = place.connect()
    second = place.connect(anew=True)

    first.end("hung")

    assert second.ended is None
    assert place.connect().identity == second.identity


def test_only_the_user_can_reach_a_socket(place: Place) -> None:
    """The folder has the mode 0700, and socket, lock and log have 0600."""
    place.connect()

    assert place.path.stat().st_mode & 0o777 == 0o700
    for path in (place.files.socket, place.files.lock, place.files.log):
        assert path.lstat().st_mode & 0o777 == 0o600, path


def test_a_folder_of_another_user_is_not_used(place: Place) -> None:
    """A folder that is not owned by the user is refused before anything in it is touched."""
    place.folder.prepare()
    other = HostFolder(place.path, user=os.getuid() + 1)

    with pytest.raises(CannotShareError, match="not a folder of this user alone"):
        HostFinder(other, place.finder.command).connect(IDENTITY, lambda: None)
    assert list(place.path.iterdir()) == []


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o702])
def test_a_folder_that_others_can_enter_is_not_used(place: Place, mode: int) -> None:
    """Rights that others have on the folder are reason enough."""
    place.folder.prepare()
    place.path.chmod(mode)

    with pytest.raises(CannotShareError, match="mode 0700"):
        place.connect()


def test_a_folder_that_others_can_replace_is_not_used(place: Place) -> None:
    """Somebody who may write to the folder above could put a folder of his own in its place."""
    place.folder.prepare()
    place.root.chmod(0o777)

    with pytest.raises(CannotShareError, match="others can replace"):
        place.connect()


def test_a_link_in_the_place_of_the_folder_is_not_followed(place: Place) -> None:
    """The folder is a folder."""
    (place.root / "real").mkdir(mode=0o700)
    place.path.symlink_to(place.root / "real")

    with pytest.raises(CannotShareError, match="not a folder"):
        place.connect()


def test_a_socket_of_another_user_is_not_connected_to(place: Place) -> None:
    """Nothing is sent to it, and nothing is put in its place."""
    place.folder.prepare()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place.files.socket))
        listener.listen()
        listener.settimeout(0)

        with pytest.raises(CannotShareError, match="not a socket of this user"):
            HostFolder(place.path, user=os.getuid() + 1).connect(place.files)

        with pytest.raises(BlockingIOError):
            listener.accept()


def test_a_file_in_the_place_of_a_socket_is_left_alone(place: Place) -> None:
    """It is said, and the file stays."""
    place.folder.prepare()
    place.files.socket.write_text("mine")

    with pytest.raises(CannotShareError, match="not a socket"):
        place.connect()
    assert place.files.socket.read_text() == "mine"


def test_a_path_that_is_too_long_for_a_socket_is_said(place: Place) -> None:
    """Systems take short paths only."""
    with pytest.raises(CannotShareError, match="too long for a socket"):
        HostFolder(place.root / ("x" * 100)).prepare()


def test_a_window_that_cannot_share_has_a_process_of_its_own(place: Place, caplog: pytest.LogCaptureFixture) -> None:
    """The user gets completions all the same, and the log says why the process is not shared."""
    place.folder.prepare()
    place.path.chmod(0o755)
    alone = [sys.executable, "-m", "tests.faults.scripted_host", str(place.root)]
    window = RemoteCompleter(alone, place.finder)

    with caplog.at_level("INFO"):
        assert window.load(Settings(model="well"), CancelToken()) is None

    assert not window.shares
    assert [record for record in caplog.records if record.levelname != "INFO"] == [], "nothing is missing"
    assert "This window gets a process of its own" in caplog.text
    window.abandon()


def test_hosts_are_for_one_model_device_and_version() -> None:
    """Windows that differ in any of them have different hosts."""
    names = {
        HostIdentity(model, device, command, build).name
        for model in (None, "model")
        for device in (None, "cpu")
        for command in (("one",), ("two",))
        for build in ("old", "new")
    }

    assert len(names) == 16


def test_a_model_has_one_name_in_every_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths become whole; a name that is a folder here as well is shared with nobody."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "owner" / "name").mkdir(parents=True)

    assert whole_name(None) is None
    assert whole_name("./owner/name") == str(tmp_path / "owner" / "name")
    assert whole_name("/models/x.gguf") == "/models/x.gguf"
    assert whole_name("owner/other") == "owner/other"
    assert whole_name("http://127.0.0.1:8000/v1") == "http://127.0.0.1:8000/v1"
    with pytest.raises(ValueError, match="may be a name"):
        whole_name("owner/name")
