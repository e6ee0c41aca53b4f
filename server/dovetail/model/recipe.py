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
    key_heads: int
    """Heads that keep keys and values; several heads of queries share one."""
    feed_forward_size: int
    length: int
    """The most tokens that the model reads at once, and in a row at the end of training."""
    step_tokens: int
    """Tokens of a step's batch."""
    learning_rate: float
    """Of AdamW, which has the embedding and the norms, at its highest."""
    matrix_rate: float
    """Of Muon, which has the hidden matrices, at its highest."""
    lengths: tuple[tuple[float, int], ...] = ()
    """Shorter rows to begin with, which are faster: (up to this part of the training, tokens)."""
    most_characters: int | None = None
    """What is read at most of one package: what is seen but in part need not be read in full."""
    middle_weight: float = 4.0
    """How much a token of a middle counts in the loss, where others count one."""
    weight_decay: float = 0.1
    warm_up: float = 0.03
    """Part of the training in which the learning rates rise."""
    last_rate: float = 0.03
    """Where the learning rates end, as part of their highest."""
    seed: int = 20260101

    def row_length(self, progress: float) -> int:
        """Return the tokens in a row after a part of the training."""
        return next((length for until, length in self.lengths if progress < until), self.length)


PRESETS = {
    # Learns hardly anything; it shows in seconds that the whole way works.
    "tiny": Recipe(512, 64, 2, 2, 1, 128, length=128, step_tokens=512, learning_rate=5e-3, matrix_rate=2e-2),
    # Within three hours on two cores.
    "cpu": Recipe(
        16384,
        256,
        6,
        4,
        2,
        704,
        length=1280,
        step_tokens=5120,
        learning_rate=3e-3,
        matrix_rate=2e-2,
        lengths=((0.55, 256), (0.8, 512)),
        most_characters=8_000_000,
    ),
    # 28 million parameters, within half an hour on a large accelerator.
    "gpu": Recipe(16384, 512, 7, 8, 2, 1408, length=1280, step_tokens=131_072, learning_rate=2e-3, matrix_rate=2e-2),
}
