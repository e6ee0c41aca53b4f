"""Sizes of model and training, by name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything but the sources that decides what comes out of training."""

    vocabulary_size: int
    hidden_size: int
    layers: int
    heads: int
    feed_forward_size: int
    length: int
    """Tokens in a row, and the most that the model will read at once."""
    rows: int
    """Rows in a step's batch."""
    learning_rate: float
    """At its highest, after the warm-up."""
    middle_weight: float = 6.0
    """How much a token of a middle counts in the loss, where others count one."""
    weight_decay: float = 0.1
    warm_up: float = 0.03
    """Part of the training in which the learning rate rises."""
    last_rate: float = 0.03
    """Where the learning rate ends, as part of its highest."""
    seed: int = 20260101


PRESETS = {
    # Learns hardly anything; it shows in seconds that the whole way works.
    "tiny": Recipe(512, 64, 2, 2, 128, length=128, rows=4, learning_rate=5e-3),
    # Within an hour on two cores: the embedded model.
    "small": Recipe(6144, 256, 4, 4, 704, length=768, rows=8, learning_rate=3e-3),
    # For a GPU.
    "medium": Recipe(16384, 512, 8, 8, 1408, length=1024, rows=32, learning_rate=1.5e-3),
}
