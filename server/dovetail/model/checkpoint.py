"""A training run on disk."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from pathlib import Path

_NAME = "checkpoint.pt"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """All that decides how a run goes on."""

    identity: dict[str, Any]
    """What the run is of; a checkpoint of another is not gone on from."""
    model: dict[str, Any]
    optimizer: dict[str, Any]
    step: int
    """Steps done."""
    seconds: float
    """Time spent on them."""
    bfloat16: bool


def save_checkpoint(folder: Path, checkpoint: Checkpoint) -> None:
    """Replace the folder's checkpoint; a run killed meanwhile leaves the one before."""
    partial = folder / (_NAME + ".partial")
    torch.save({field.name: getattr(checkpoint, field.name) for field in fields(Checkpoint)}, partial)
    partial.replace(folder / _NAME)


def load_checkpoint(folder: Path) -> Checkpoint | None:
    """Return the folder's checkpoint, or None if it has none."""
    path = folder / _NAME
    if not path.exists():
        return None
    return Checkpoint(**torch.load(path, map_location="cpu", weights_only=True))
