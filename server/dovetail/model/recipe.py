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
    """The highest learning rate of AdamW, which updates the embedding and the norms."""
    matrix_rate: float
    """The highest learning rate of Muon, which updates the hidden matrices."""
    lengths: tuple[tuple[float, int], ...] = ()
    """Shorter rows to begin with, which are faster: (up to this part of the training, tokens)."""
    most_characters: int | None = None
    """The most characters that are read of one package; None reads all of it."""
    middle_weight: float = 4.0
    """The weight of a middle's token in the loss; other tokens weigh one."""
    weight_decay: float = 0.1
    warm_up: float = 0.03
    """Part of the training in which the learning rates rise."""
    last_rate: float = 0.03
    """The last learning rates, as a share of the highest."""
    cooling: float | None = None
    """Last part of the training in which the learning rates fall, in a straight line, from their highest.

    None for half a cosine over all of the training. With a part, a run may be lengthened or shortened while it goes.
    """
    context_share: float = 0.35
    """The share of samples that are preceded by pieces of other files."""
    path_share: float = 0.4
    """The share of the other samples that are preceded by the path of their own file."""
    balance: float = 0.5
    """A package weighs its size to this power."""
    shares: tuple[tuple[str, float], ...] = ()
    """(language, how much of the training); none where they count as they come."""
    seed: int = 20260101

    def row_length(self, progress: float) -> int:
        """Return the tokens in a row after a part of the training."""
        return next((length for until, length in self.lengths if progress < until), self.length)


PRESETS = {
    # For tests: it learns hardly anything, and runs through all steps in seconds.
    "tiny": Recipe(512, 64, 2, 2, 1, 128, length=128, step_tokens=512, learning_rate=5e-3, matrix_rate=2e-2),
    # Trains in three hours on two cores.
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
    # The embedded one: 15.7 million parameters, of them 9.4 million beside the embedding; twelve minutes of a large
    # accelerator, or a month of one core.
    "embedded": Recipe(
        16384,
        384,
        6,
        6,
        2,
        1024,
        length=1536,
        step_tokens=196_608,
        learning_rate=4e-3,
        matrix_rate=2e-2,
        most_characters=6_000_000,
        weight_decay=0.025,
        warm_up=0.01,
        last_rate=0.0,
        cooling=0.35,
        context_share=0.45,
        path_share=0.6,
        balance=0.75,
        shares=(("python", 0.66), ("typescript", 0.11), ("javascript", 0.1), ("go", 0.09), ("lua", 0.04)),
    ),
    # Continues the embedded model, `--from embedded`, with more languages and parts of other files.
    "continued": Recipe(
        16384,
        256,
        6,
        4,
        2,
        704,
        length=1280,
        step_tokens=5120,
        learning_rate=2.4e-3,
        matrix_rate=1.6e-2,
        most_characters=2_000_000,
        weight_decay=0.025,
        warm_up=0.005,
        last_rate=0.0,
        cooling=0.2,
        context_share=0.5,
        path_share=0.6,
        balance=0.75,
        shares=(("python", 0.85), ("typescript", 0.05), ("javascript", 0.05), ("go", 0.035), ("lua", 0.015)),
    ),
    # 126 million parameters; trains in an hour or two on a large accelerator.
    "gpu": Recipe(
        32768,
        768,
        16,
        12,
        4,
        2048,
        length=2048,
        step_tokens=131_072,
        learning_rate=1e-3,
        matrix_rate=1e-2,
        lengths=((0.8, 1024),),
        balance=0.75,
    ),
}
