"""The models that were fetched: their files in the user's cache, and a note beside each of where it came from."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import platformdirs

from dovetail.model.catalogue import catalogue, nearest
from dovetail.model.download import fetch, unfinished
from dovetail.model.error import ModelError
from dovetail.model.hub import describe
from dovetail.model.storage import write_text
from dovetail.model.trial import Speed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from dovetail.model.catalogue import OfferedModel
    from dovetail.model.hub import HubFile


@dataclass(frozen=True, slots=True)
class Note:
    """The facts of a model that was fetched."""

    repository: str
    commit: str
    sha256: str
    speed: Speed | None = None


def offered(name: str) -> OfferedModel:
    """Return the model of a name; raises ModelError for one that is not offered."""
    found = catalogue().get(name)
    if found is None:
        near = nearest(name, catalogue())
        meant = "" if near is None else f" did you mean {near}? Otherwise"
        raise ModelError(f"There is no model {name} to fetch:{meant} choose {', '.join(catalogue())}.")
    return found


def path_of(name: str) -> Path:
    """Return where the file of a model is, or would be."""
    return platformdirs.user_cache_path("dovetail") / "models" / "downloaded" / f"{name}.gguf"


def require_downloaded(name: str) -> Path:
    """Return the file of a model that is offered; raises ModelError if it was not fetched."""
    path = path_of(offered(name).name)
    if not path.is_file():
        raise ModelError(f"The model {name} is not on this machine: `dovetail models get {name}` fetches it.")
    return path


def unfinished_bytes(name: str) -> int:
    """Return how many bytes of a model an unfinished download has left."""
    return max((part.stat().st_size for part in unfinished(path_of(name))), default=0)


def get(name: str, received: Callable[[int, int], None], described: Callable[[HubFile], None]) -> Path:
    """Fetch a model unless it is there, and return its file; raises ModelError.

    `described` is told what the hub says of the file, `received` of each step the bytes that are there and all of them.
    """
    model = offered(name)
    path = path_of(name)
    if path.is_file():
        return path
    file = describe(model.repository, model.file)
    described(file)
    fetch(file, path, lambda count: received(count, file.size))
    write_note(name, Note(file.repository, file.commit, file.sha256))
    return path


def remove(name: str) -> int:
    """Remove what was fetched of a model, whole or unfinished, and return the number of bytes; raises ModelError."""
    path = path_of(offered(name).name)
    removed = 0
    try:
        for file in (path, *unfinished(path)):
            if file.is_file():
                removed += file.stat().st_size
                file.unlink()
        _note_path(name).unlink(missing_ok=True)
        path.with_name(f"{path.name}.lock").unlink(missing_ok=True)
    except OSError as error:
        raise ModelError(f"{path} cannot be removed ({error.strerror or error}): close what uses it.") from error
    if not removed:
        raise ModelError(f"The model {name} is not on this machine: there is nothing to remove.")
    return removed


def read_note(name: str) -> Note | None:
    """Return what is known of a model that was fetched; None without it, or if it cannot be read."""
    try:
        data = json.loads(_note_path(name).read_bytes())
        speed = data.pop("speed")
        return Note(**data, speed=None if speed is None else Speed(**speed))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def write_note(name: str, note: Note) -> None:
    """Write down what is known of a model; raises ModelError."""
    write_text(_note_path(name), json.dumps(asdict(note), indent=2) + "\n")


def note_speed(name: str, speed: Speed) -> None:
    """Add a measured speed to what is known of a model; raises ModelError."""
    note = read_note(name)
    if note is not None:
        write_note(name, replace(note, speed=speed))


def _note_path(name: str) -> Path:
    return path_of(name).with_suffix(".json")
