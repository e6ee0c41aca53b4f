"""The file of counts in the user's state folder; several servers add to it at once, and none loses a count.

A server adds its counts while it holds a lock. If another server holds it, the counts wait in a file of their own, and
the next server that has the lock takes them over. The names of the files that were taken over stand in the main file,
so a server that dies before it removes them counts nothing twice.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import tempfile
import uuid
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

from dovetail.statistics.counts import bounded, from_plain, merged, to_plain

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from dovetail.statistics.counts import CountTable

logger = logging.getLogger(__name__)

_NAME = "statistics.json"
_LOCK = "statistics.lock"
_WAITING = "statistics-waiting-*.json"
_VERSION = 1


class Storage:
    """The counts of all servers of a user."""

    def __init__(self, folder: Path | None = None, today: Callable[[], date] = date.today) -> None:
        """Use a folder, the user's state folder without one; nothing is read or written yet."""
        self.folder = folder or Path(platformdirs.user_state_path("dovetail"))
        self._today = today

    @property
    def path(self) -> Path:
        """The main file."""
        return self.folder / _NAME

    def read(self) -> CountTable:
        """Return all counts; raises OSError if the file cannot be read."""
        waiting = {path.name: table for path in self._waiting() if (table := self._table(path)) is not None}
        # After those: what was taken over meanwhile is named in the main file.
        table, taken = self._main()
        return merged([table, *(counts for name, counts in waiting.items() if name not in taken)])

    def add(self, table: CountTable) -> None:
        """Add counts; if the disk refuses, they are lost, and the log says so."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with _locked(self.folder / _LOCK) as held:
                if held:
                    self._take_over(table)
                else:
                    self._write(self.folder / _WAITING.replace("*", uuid.uuid4().hex), table)
        except OSError as error:
            logger.warning("Counts of completions were not kept in %s: %s.", self.folder, error.strerror or error)

    def _take_over(self, table: CountTable) -> None:
        """Add counts and those that wait to the main file."""
        kept, taken = self._main()
        waiting = {path: counts for path in self._waiting() if (counts := self._table(path)) is not None}
        fresh = [counts for path, counts in waiting.items() if path.name not in taken]
        everything = bounded(merged([kept, *fresh, table]), self._today())
        self._write(self.path, everything, [path.name for path in waiting])
        for path in waiting:
            path.unlink(missing_ok=True)

    def _waiting(self) -> list[Path]:
        return sorted(self.folder.glob(_WAITING))

    def _main(self) -> tuple[CountTable, frozenset[str]]:
        """Return the counts of the main file, and the names of the waiting files that they include."""
        data = _data(self.path)
        if data is None:
            return {}, frozenset()
        try:
            return from_plain(data.get("rows")), frozenset(map(str, data.get("taken") or ()))
        except (TypeError, ValueError):
            _set_aside(self.path)
            return {}, frozenset()

    def _table(self, path: Path) -> CountTable | None:
        """Return the counts of a waiting file; None if it is gone or damaged."""
        data = _data(path)
        try:
            return None if data is None else from_plain(data.get("rows"))
        except ValueError:
            _set_aside(path)
            return None

    def _write(self, path: Path, table: CountTable, taken: Collection[str] = ()) -> None:
        """Write a file as a whole or not at all; only this user may read it."""
        data = {"version": _VERSION, "taken": sorted(taken), "rows": to_plain(table)}
        descriptor, part = tempfile.mkstemp(suffix=".part", dir=self.folder)
        try:
            with open(descriptor, "w", encoding="utf-8") as file:
                json.dump(data, file, ensure_ascii=False, separators=(",", ":"))
            os.replace(part, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(part)
            raise


def _data(path: Path) -> dict[str, Any] | None:
    """Return the contents of a file; None if there is no such file, or if it is damaged and was set aside."""
    try:
        data = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except ValueError:
        data = None
    if not isinstance(data, dict) or data.get("version") != _VERSION:
        _set_aside(path)
        return None
    return data


def _set_aside(path: Path) -> None:
    """Rename a file that cannot be read, so that a new one can begin and nothing is overwritten."""
    aside = path.with_name(f"{path.name}.damaged")
    logger.warning("%s is damaged: it is %s now, and counting begins anew.", path, aside.name)
    with suppress(OSError):
        path.replace(aside)


@contextmanager
def _locked(path: Path) -> Iterator[bool]:
    """Hold the lock, and say whether that was possible; closing the file, or the end of the process, gives it up."""
    with path.open("ab") as file:
        try:
            _lock(file.fileno())
        except OSError:
            yield False
        else:
            yield True


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
