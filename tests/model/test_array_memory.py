"""Copies of sequences that share what was read: each has the numbers of a text that was read alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.hosted import random_model
from transformers import LlamaConfig

from dovetail.model.array_context import ArrayContext
from dovetail.model.array_memory import ArrayMemory
from dovetail.model.array_weights import ArrayWeights, read_array_weights
from dovetail.model.sequence_context import SequencePart

if TYPE_CHECKING:
    from pathlib import Path

SEQUENCES = 4
LENGTH = 240
NEAR = 1e-3
"""Logits of 32 bits that were added up in another order differ by less."""


@pytest.fixture(name="weights", scope="module")
def _weights(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> ArrayWeights:
    config = LlamaConfig(
        hidden_size=48, intermediate_size=80, num_hidden_layers=2, num_attention_heads=6, num_key_value_heads=2,
        head_dim=16, max_position_embeddings=LENGTH, tie_word_embeddings=True,
    )  # fmt: skip
    return read_array_weights(random_model(config, toy, tmp_path_factory.mktemp("memory") / "model"))


@settings(max_examples=60)
@given(data=st.data())
def test_a_sequence_has_its_own_numbers_whatever_others_share_with_it(
    data: st.DataObject, weights: ArrayWeights
) -> None:
    """Sequences are read, copied and taken back in any order, and each has the logits of its text read alone."""
    context, alone = ArrayContext(weights, SEQUENCES), ArrayContext(weights, 1)
    texts: list[list[int]] = [[] for _ in range(SEQUENCES)]
    for _ in range(data.draw(st.integers(1, 12))):
        if data.draw(st.booleans()):
            one, other = data.draw(st.permutations(range(SEQUENCES)))[:2]
            context.copy(one, other)
            texts[other] = list(texts[one])
        parts = []
        for sequence in data.draw(st.sets(st.integers(0, SEQUENCES - 1), min_size=1)):
            text = texts[sequence]
            kept = data.draw(st.integers(max(0, len(text) - 20), len(text)) | st.integers(0, len(text)))
            if data.draw(st.booleans()):
                context.take_back(sequence, kept)
            room = LENGTH - kept
            new = data.draw(st.integers(1, 5) | st.integers(1, 80)) if room > 80 else max(1, min(room, 2))
            if not room:
                continue
            tokens = np.random.default_rng(data.draw(st.integers(0, 99))).integers(10, 500, new).tolist()
            texts[sequence] = [*text[:kept], *tokens]
            parts.append(SequencePart(sequence, kept, tokens, min(new, 3)))
        found = context.read_parts(parts) if parts else []
        for part, logits in zip(parts, found, strict=True):
            text = texts[part.sequence]
            assert logits == pytest.approx(alone.read(0, 0, text, part.rows), abs=NEAR)


def test_a_copy_shares_its_start_until_that_is_written_anew(weights: ArrayWeights) -> None:
    """A copy of a copy shares with the first; whatever is written over what others share leaves them their own."""
    memory = ArrayMemory(weights, LENGTH, SEQUENCES)
    memory.keys[:, 0, ..., :9] = 1

    memory.copy(0, 1, 9)
    memory.write(1, 9, 2)
    memory.copy(1, 2, 11)
    assert memory.shared(1) == memory.shared(2) == (0, 9)
    assert not memory.keys[:, 1].any()

    memory.take_back(2, 4)
    memory.write(0, 5, 1)
    assert memory.shared(1) is None
    assert (memory.keys[:, 1, ..., :9] == 1).all()
    assert memory.shared(2) == (0, 4)
