"""The GGUF file of a transformers folder, made once and kept in the user's cache.

The embedded model is shipped as safetensors, for training and for transformers. llama.cpp reads GGUF only, and the two
hold the same half-precision numbers, so one of them is made of the other where it is first needed (a quarter of a
second) instead of shipping the model twice.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

import platformdirs

from dovetail.grammar.disk_cache import code_digest
from dovetail.model.conversion import convert

_FILES = ("config.json", "generation_config.json", "tokenizer.json", "model.safetensors")

_TYPE = "f16"
"""The type of the embedded model's own numbers."""

_OLD = 30 * 24 * 3600.0
"""Seconds after which the copy of another version is removed."""

_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def light_copy(folder: Path) -> Path:
    """Return the GGUF file of a folder's model; raises ModelError for a folder that cannot be converted.

    Its name says everything that decides its content. Where the cache cannot be written, it lasts for this process.
    """
    digest = hashlib.blake2b(code_digest("model"), digest_size=16)
    for name in _FILES:
        with suppress(FileNotFoundError):
            digest.update((folder / name).read_bytes())
    name = f"{folder.name}-{digest.hexdigest()}.gguf"
    kept = platformdirs.user_cache_path("dovetail") / "models" / name
    if _is_ours(kept):
        return kept
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        convert(folder, kept, _TYPE)
        kept.chmod(0o600)
        _drop_old(kept)
    except OSError:
        kept = Path(_temporary().name) / name
        convert(folder, kept, _TYPE)
    return kept


@cache
def _temporary() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that is removed when the process ends."""
    return tempfile.TemporaryDirectory(prefix="dovetail-")


def _drop_old(kept: Path) -> None:
    """Remove the copies of other versions; not the young ones, which other windows may be about to open."""
    for other in kept.parent.glob(f"{kept.name.rpartition('-')[0]}-*.gguf"):
        if other != kept and other.stat().st_mtime < kept.stat().st_mtime - _OLD:
            other.unlink()


def _is_ours(path: Path) -> bool:
    """Return whether a file is there, and nobody else may have written it."""
    try:
        found = path.stat()
    except OSError:
        return False
    owner = os.getuid() if hasattr(os, "getuid") else found.st_uid
    return found.st_uid == owner and not found.st_mode & _OTHERS
