"""Waiting times and memory of a user: an installation from nothing, and windows that share a model.

Everything runs in an environment of its own with the wheel of this checkout, in a home folder that was empty. All
times are by the clock, so they say something only where little else runs.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
from tests.end_to_end.test_process import EXIT, INITIALIZED, SHUTDOWN, next_message, written

from dovetail.lsp.status import DID_CHANGE_STATUS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).resolve().parents[2]

TEXT = "def total(prices, rate):\n    subtotal = sum(\n    return subtotal * (1 + rate)\n"

_CURSOR = {"line": 1, "character": 19}

_MEGABYTE = 1e6


class Installed:
    """The wheel of this checkout in an environment of its own."""

    def __init__(self, folder: Path) -> None:
        """Build the wheel and make an empty environment with an empty home."""
        self.folder = folder
        build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
        subprocess.run([*build, "--wheel-dir", str(folder / "wheel"), str(ROOT)], check=True)
        [self.wheel] = (folder / "wheel").glob("*.whl")
        venv.create(folder / "environment", with_pip=True)
        self.python = folder / "environment" / "bin" / "python"
        ours = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "PYTHON"))}
        # The path of a socket has to be short.
        self.environment = {**ours, "HOME": str(folder / "home"), "DOVETAIL_HOSTS": str(folder / "hosts")}
        (folder / "home").mkdir()

    def run(self, *words: str) -> float:
        """Run the Python of the environment, and return the seconds that it took."""
        begun = time.perf_counter()
        subprocess.run(
            [str(self.python), *words], env=self.environment, cwd=ROOT, check=True, stdout=subprocess.DEVNULL
        )  # fmt: skip
        return time.perf_counter() - begun

    def install(self) -> tuple[float, float]:
        """Install the wheel; return the seconds, and the megabytes that pip took from the index for it."""
        wanted = ["--quiet", "--constraint", str(ROOT / "server" / "constraints.txt"), str(self.wheel)]
        seconds = self.run("-m", "pip", "install", *wanted)
        self.run("-m", "pip", "download", *wanted, "--dest", str(self.folder / "downloads"))
        size = sum(file.stat().st_size for file in (self.folder / "downloads").iterdir())
        return seconds, size / _MEGABYTE

    def size(self) -> float:
        """Return the megabytes of the environment on disk, without pip."""
        files = [path for path in self.python.parents[1].rglob("*") if path.is_file() and not path.is_symlink()]
        return sum(path.stat().st_size for path in files if "pip" not in path.parts) / _MEGABYTE


@contextmanager
def installed() -> Iterator[Installed]:
    """Make an environment, and remove it afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="dt"))
    try:
        yield Installed(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Window:
    """A server with one document, as an editor has it."""

    def __init__(self, place: Installed, name: str) -> None:
        """Start the server and open a document; `ready` is the time until it answered at all."""
        begun = time.perf_counter()
        self._process = subprocess.Popen(
            [str(place.python), "-m", "dovetail", "serve"], env=place.environment, cwd=place.folder,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        self._number = 0
        self._is_ready = False
        options = {"min_characters": 1, "trigger": "eager", "debounce": 0, "time_limit": 60, "host": {"idle": 0}}
        capabilities = {"experimental": {"didChangeStatus": True}}
        self._ask("initialize", {"capabilities": capabilities, "processId": None, "rootUri": None,
                                 "initializationOptions": options})  # fmt: skip
        self.ready = time.perf_counter() - begun
        """Seconds until it answered."""
        self._tell(INITIALIZED)
        self._uri = f"file:///{name}.py"
        document = {"uri": self._uri, "languageId": "python", "version": 1, "text": TEXT}
        self._tell({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        while not self._is_ready:
            self._next()
        self.loaded = time.perf_counter() - begun
        """Seconds until it had its model."""
        place_of = {"textDocument": {"uri": self._uri}, "position": _CURSOR, "context": {"triggerKind": 1}}
        while not self._ask("textDocument/inlineCompletion", place_of)["items"]:
            pass
        self.completed = time.perf_counter() - begun
        """Seconds until it had offered a text."""

    def memory(self) -> float:
        """Return the resident megabytes of the server and of processes that it has started and that belong to it."""
        own = psutil.Process(self._process.pid)
        resident: int = sum(process.memory_info().rss for process in (own, *own.children()))
        return resident / _MEGABYTE

    def close(self) -> None:
        """End the server."""
        self._tell(SHUTDOWN)
        self._tell(EXIT)
        self._process.wait(60)

    def _ask(self, method: str, params: object) -> Any:
        self._number += 1
        self._tell({"id": self._number, "method": method, "params": params})
        while "method" in (answer := self._next()) or answer.get("id") != self._number:
            pass
        assert "error" not in answer, answer
        return answer["result"]

    def _next(self) -> dict[str, Any]:
        """Return the next message, and take note of what it says about the model."""
        assert self._process.stdout is not None
        message = next_message(self._process.stdout)
        assert message is not None, "the server has ended"
        if message.get("method") == DID_CHANGE_STATUS:
            told = message["params"]
            self._is_ready = told["kind"] == "Normal" and not told["busy"]
        return message

    def _tell(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(written(dict(message)))
        self._process.stdin.flush()


def measure_installation(place: Installed) -> dict[str, float]:
    """Return what an installation takes, and what a first and a later completion on the command line take."""
    seconds, megabytes = place.install()
    command = ("-m", "dovetail", "complete", str(ROOT / "tests" / "examples" / "inventory.py") + ":47:57")
    first = place.run(*command)
    later = min(place.run(*command) for _ in range(3))
    return {
        "megabytes downloaded": megabytes, "megabytes on disk": place.size(), "seconds of pip install": seconds,
        "seconds of the first `dovetail complete`": first, "seconds of a later one": later,
    }  # fmt: skip


def measure_windows(place: Installed, count: int = 3) -> dict[str, dict[str, float]]:
    """Return for each window when it was ready, and what it added to the memory of all; the host is in the first."""
    found: dict[str, dict[str, float]] = {}
    windows: list[Window] = []
    before = 0.0
    for number in range(count):
        windows.append(Window(place, f"prices{number}"))
        host = json.loads(
            subprocess.run(
                [str(place.python), "-m", "dovetail", "host", "--json"],
                env=place.environment, check=True, capture_output=True,
            ).stdout
        )["hosts"]  # fmt: skip
        assert [each["windows"] for each in host] == [number + 1], host
        model = host[0]["memory"] / _MEGABYTE
        # A host is a child of the window that started it, and is counted once.
        servers = sum(window.memory() for window in windows) - model
        found[f"window {number + 1}"] = {
            "answers": windows[-1].ready, "has its model": windows[-1].loaded, "has offered": windows[-1].completed,
            "added": servers + model - before, "servers": servers, "host": model,
        }  # fmt: skip
        before = servers + model
    for window in windows:
        window.close()
    return found
