"""The model that numpy computes: the numbers of transformers, however a text is read, and files it cannot read."""

from __future__ import annotations

import json
import shutil
import threading
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.hosted import random_model
from transformers import AutoModelForCausalLM, LlamaConfig

from dovetail.model import array_pass
from dovetail.model.array_context import ArrayContext
from dovetail.model.array_weights import ArrayWeights, read_array_weights
from dovetail.model.error import ModelError
from dovetail.model.sequence_context import SequencePart

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

LENGTH = 300
"""More tokens than a block."""

NEAR = 1e-3
"""Logits of 32 bits that were added up in another order differ by less; they go from -40 to 40 here."""


@pytest.fixture(name="folder", scope="module")
def _folder(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a model whose parts all have different sizes, whose head is its own, and whose norms differ from 1."""
    config = LlamaConfig(
        hidden_size=48, intermediate_size=80, num_hidden_layers=3, num_attention_heads=6, num_key_value_heads=2,
        head_dim=16, max_position_embeddings=LENGTH + 20, tie_word_embeddings=False, rms_norm_eps=1e-5,
        rope_parameters={"rope_type": "default", "rope_theta": 500.0},
    )  # fmt: skip
    return random_model(config, toy, tmp_path_factory.mktemp("arrays") / "model")


@pytest.fixture(name="weights", scope="module")
def _weights(folder: Path) -> ArrayWeights:
    return read_array_weights(folder)


@pytest.fixture(name="tokens", scope="module")
def _tokens() -> list[int]:
    tokens: list[int] = np.random.default_rng(1).integers(10, 500, LENGTH).tolist()
    return tokens


@pytest.fixture(name="expected", scope="module")
def _expected(folder: Path, tokens: list[int]) -> NDArray[np.float32]:
    """Return the logits after each token as transformers computes them, (tokens, vocabulary)."""
    model: Any = AutoModelForCausalLM.from_pretrained(folder)
    with torch.inference_mode():
        logits: NDArray[np.float32] = model.float()(torch.tensor([tokens])).logits[0].numpy()
    return logits


@pytest.fixture(name="several_threads")
def _several_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a pass three threads, whatever else runs."""
    monkeypatch.setattr(array_pass, "usable_cores", lambda: 3)
    monkeypatch.setattr(array_pass, "free_cores", lambda *_: 3)


@settings(max_examples=40)
@given(cuts=st.sets(st.integers(1, LENGTH - 1), max_size=8), rows=st.integers(1, 12))
def test_a_text_has_the_numbers_of_transformers_however_it_is_read(
    cuts: set[int], rows: int, weights: ArrayWeights, tokens: list[int], expected: NDArray[np.float32]
) -> None:
    """A text that is read in pieces of any lengths has in all of them the logits of the text read at once."""
    context = ArrayContext(weights, 1)
    edges = [0, *sorted(cuts), LENGTH]
    for begin, end in pairwise(edges):
        wanted = min(rows, end - begin)
        found = context.read(0, begin, tokens[begin:end], wanted)
        assert found == pytest.approx(expected[end - wanted : end], abs=NEAR)


@settings(max_examples=40)
@given(lengths=st.lists(st.integers(1, 150), min_size=2, max_size=4), data=st.data())
def test_texts_of_one_pass_do_not_touch_one_another(
    lengths: list[int], data: st.DataObject, weights: ArrayWeights, tokens: list[int], expected: NDArray[np.float32]
) -> None:
    """Each text of a pass has its own logits, also a copy that goes on elsewhere, and one that was taken back."""
    context = ArrayContext(weights, len(lengths) + 1)
    for pass_ in range(2):
        parts = []
        for sequence, length in enumerate(lengths):
            start = data.draw(st.integers(0, length - 1)) if pass_ else 0
            context.take_back(sequence, start)
            parts.append(SequencePart(sequence, start, tokens[start:length], 1))
        for length, found in zip(lengths, context.read_parts(parts), strict=True):
            assert found == pytest.approx(expected[length - 1 : length], abs=NEAR)
    context.copy(0, len(lengths))
    context.read(0, lengths[0], [7] * 3, 1)
    found = context.read(len(lengths), lengths[0], tokens[lengths[0] : lengths[0] + 4], 4)
    assert found == pytest.approx(expected[lengths[0] : lengths[0] + 4], abs=NEAR)


@pytest.mark.usefixtures("several_threads")
def test_threads_change_no_number(weights: ArrayWeights, tokens: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """The logits are the same to the last bit, however many threads share the blocks of a text."""
    found = ArrayContext(weights, 1).read(0, 0, tokens, 5)
    monkeypatch.setattr(array_pass, "free_cores", lambda *_: 1)

    assert np.array_equal(found, ArrayContext(weights, 1).read(0, 0, tokens, 5))


@pytest.mark.usefixtures("several_threads")
@pytest.mark.parametrize("lack", ["cores", "control"])
def test_a_pass_stays_in_its_thread(
    lack: str, weights: ArrayWeights, tokens: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No thread helps if no other core is free, or if numpy's library would have threads of its own."""
    if lack == "cores":
        monkeypatch.setattr(array_pass, "free_cores", lambda *_: 1)
    else:
        monkeypatch.setattr(array_pass, "has_one_thread", lambda: False)
    threads: set[str] = set()
    gate = array_pass._gate

    def watched(*given: Any) -> Any:
        threads.add(threading.current_thread().name)
        return gate(*given)

    monkeypatch.setattr(array_pass, "_gate", watched)
    ArrayContext(weights, 1).read(0, 0, tokens, 1)

    assert threads == {threading.current_thread().name}


@pytest.mark.usefixtures("several_threads")
def test_a_pass_that_fails_in_a_thread_fails(
    weights: ArrayWeights, tokens: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No block of a failed pass is computed afterwards, and the next pass has the right numbers."""
    context = ArrayContext(weights, 1)
    expected = context.read(0, 0, tokens, 1)
    with monkeypatch.context() as patched:
        patched.setattr(array_pass, "_gate", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            context.read(0, 0, tokens, 1)

    assert np.array_equal(context.read(0, 0, tokens, 1), expected)


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("model_type", "qwen2", "model_type"), ("hidden_act", "gelu", "hidden_act"),
        ("attention_bias", True, "attention_bias"), ("mlp_bias", True, "mlp_bias"),
        ("rope_parameters", {"rope_type": "yarn", "rope_theta": 1e4}, "rope_type"),
    ],
)  # fmt: skip
def test_a_model_of_another_form_is_refused(key: str, value: object, named: str, folder: Path, tmp_path: Path) -> None:
    """The parts that would be computed wrongly are named."""
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    configuration = json.loads((other / "config.json").read_text("utf-8"))
    (other / "config.json").write_text(json.dumps({**configuration, key: value}), "utf-8")

    with pytest.raises(ModelError, match=rf"The model is of another form \({named}\): let transformers run it"):
        read_array_weights(other)


@pytest.mark.parametrize("broken", ["config.json", "model.safetensors"])
def test_a_damaged_model_is_a_sentence(broken: str, folder: Path, tmp_path: Path) -> None:
    """Half a file, or none, is one sentence with the place."""
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    half = (other / broken).read_bytes()
    (other / broken).write_bytes(half[: len(half) // 2])
    with pytest.raises(ModelError, match=r"The model .*other cannot be loaded \(.*\): take another copy of it"):
        read_array_weights(other)
    (other / broken).unlink()
    with pytest.raises(ModelError, match=r"The model .*other cannot be loaded \(.*\): take another copy of it"):
        read_array_weights(other)
