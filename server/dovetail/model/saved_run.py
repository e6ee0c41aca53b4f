"""A training run's state on disk."""

from __future__ import annotations

import io
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import torch

from dovetail.model.error import ModelError
from dovetail.model.storage import write_bytes

if TYPE_CHECKING:
    from pathlib import Path

_NAME = "checkpoint.pt"


@dataclass(frozen=True, slots=True)
class SavedRun:
    """All that decides how a run goes on."""

    identity: dict[str, Any]
    """A digest of the run's conditions; a run with another digest is not continued."""
    model: dict[str, Any]
    optimizer: dict[str, Any]
    step: int
    """Steps done."""
    seconds: float
    """Time spent on them."""
    bfloat16: bool


def save_run(folder: Path, saved: SavedRun) -> None:
    """Replace the folder's checkpoint; a run killed meanwhile, or a full disk, leaves the one before.

    Raises `ModelError` if it cannot be written.
    """
    # In memory first: torch's writer hides the system's error about a full disk.
    data = io.BytesIO()
    torch.save({field.name: getattr(saved, field.name) for field in fields(SavedRun)}, data)
    write_bytes(folder / _NAME, data.getvalue())


def load_run(folder: Path) -> SavedRun | None:
    """Return the folder's checkpoint, or None if it has none; raises `ModelError` if it cannot be read."""
    path = folder / _NAME
    if not path.exists():
        return None
    try:
        return SavedRun(**torch.load(path, map_location="cpu", weights_only=True))
    except Exception as error:  # pickles fail in many ways
        reason = str(error).partition("\n")[0]
        raise ModelError(f"{path} is damaged ({reason}): remove it to train anew.") from error
