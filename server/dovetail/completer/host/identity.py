"""The identity of a host: everything that two windows must have in common to use one model."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

import dovetail

_READ_BY_MODELS = re.compile(r"(CUDA|DOVETAIL|GGML|HF|LLAMA|OMP|PYTORCH|TORCH|TRANSFORMERS|XDG_CACHE)_\w+")
"""Variables of the environment that change what a model's library loads or how it runs."""


@dataclass(frozen=True, slots=True)
class HostIdentity:
    """One model, on one device, run by one version of Dovetail."""

    model: str | None
    """The name or the whole path of the model; None for the embedded one."""
    device: str | None
    """`cpu`, or None for the fastest."""
    command: tuple[str, ...]
    """The command that starts the host."""
    build: str
    """The state of Dovetail's own files; see `build_digest`."""

    @property
    def name(self) -> str:
        """A short name for files, different for different identities and for different machines and containers."""
        surroundings = {name: value for name, value in os.environ.items() if _READ_BY_MODELS.fullmatch(name)}
        place = [platform.node(), ""]
        # Several containers may share a home folder; a process is known by its number in its own container only.
        with suppress(OSError):
            place[1] = os.readlink("/proc/self/ns/pid")
        plain = json.dumps([asdict(self), surroundings, place], sort_keys=True)
        return hashlib.sha256(plain.encode(errors="surrogatepass")).hexdigest()[:16]


def whole_name(model: str | None) -> str | None:
    """Return the name of a model that means the same in every working folder.

    Paths that are written as such become absolute; other names and addresses stay. Raises ValueError for a name that is
    also a path here, since another window may mean another model by it, and OSError and RuntimeError for a path that
    cannot be examined.
    """
    if model is None or "://" in model:
        return model
    path = Path(model).expanduser()
    if path.is_absolute() or model.startswith((f".{os.sep}", f"..{os.sep}", "./", "../")):
        return str(path.absolute())
    if path.exists():
        raise ValueError(f"{model} is a path and may be a name")
    return model


@cache
def build_digest() -> str:
    """Return a digest of version, interpreter and files of this package, as they were when this was first asked.

    Another version gives another digest, and so does every change of a file, as in a checkout that is worked on.
    """
    root = Path(dovetail.__file__).parent
    parts = [metadata.version("dovetail"), sys.executable, sys.version, str(root)]
    for path in sorted(root.rglob("*.py")):
        state = path.stat()
        parts.append(f"{path.relative_to(root)} {state.st_size} {state.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode(errors="surrogatepass")).hexdigest()[:32]
