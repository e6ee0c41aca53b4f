"""The weights of a small model of Llama's form, as arrays of numpy."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dovetail.model.error import ModelError, first_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

_CONFIGURATION = "config.json"
_WEIGHTS = "model.safetensors"

_FORM = {"model_type": "llama", "hidden_act": "silu", "attention_bias": False, "mlp_bias": False}
"""The form of model that is computed; keys that a configuration lacks have these values."""

_ROTATION = "default"


class ArrayLayer(NamedTuple):
    """The matrices of one layer, (out, in). What a norm multiplies with is part of the matrix after it."""

    attention: Matrix
    """((heads + 2 · key heads) · head width, width): queries, keys, values. Queries are scaled already. The numbers of
    queries and keys that are turned together stand side by side."""
    attended: Matrix
    """(width, heads · head width)"""
    gates: Matrix
    """(2 · inner width, width): what goes through the gate's function, what it is multiplied with."""
    gated: Matrix
    """(width, inner width)"""


class ArrayWeights(NamedTuple):
    """The weights of a model."""

    embedding: Matrix
    """(vocabulary, width)"""
    layers: tuple[ArrayLayer, ...]
    norm: NDArray[np.float32]
    """The factors of the norm after the last layer, (width)."""
    head: Matrix
    """(vocabulary, width); often the embedding itself."""
    heads: int
    key_heads: int
    head_width: int
    epsilon: float
    """Is added to a mean square before its root is taken."""
    base: float
    """The base of the angles by which queries and keys are turned."""
    window: int
    """The most tokens of a text."""


def read_array_weights(folder: Path) -> ArrayWeights:
    """Read the weights of a folder of transformers; raises `ModelError` if they are damaged, or of another form."""
    from safetensors.numpy import load_file

    try:
        configuration: dict[str, Any] = json.loads((folder / _CONFIGURATION).read_text("utf-8"))
        return _weights(configuration, load_file(folder / _WEIGHTS))
    except ModelError:
        raise
    except Exception as error:  # the library has no type of its own for a damaged file
        raise ModelError(
            f"The model {folder} cannot be loaded ({first_line(error)}): take another copy of it."
        ) from error


def _weights(configuration: dict[str, Any], tensors: dict[str, NDArray[Any]]) -> ArrayWeights:
    rotation = configuration.get("rope_parameters") or {}
    other = [key for key, value in _FORM.items() if configuration.get(key, value) != value]
    if rotation.get("rope_type", _ROTATION) != _ROTATION:
        other.append("rope_type")
    if other:
        raise ModelError(f"The model is of another form ({', '.join(other)}): let transformers run it.")
    heads = int(configuration["num_attention_heads"])
    key_heads = int(configuration["num_key_value_heads"])
    head_width = int(configuration.get("head_dim") or configuration["hidden_size"] // heads)
    embedding = _exact(tensors["model.embed_tokens.weight"])
    layers = range(int(configuration["num_hidden_layers"]))
    return ArrayWeights(
        embedding,
        _side_by_side([_layer(tensors, f"model.layers.{at}.", heads, key_heads, head_width) for at in layers]),
        _exact(tensors["model.norm.weight"]),
        embedding if configuration.get("tie_word_embeddings") else _exact(tensors["lm_head.weight"]),
        heads,
        key_heads,
        head_width,
        float(configuration["rms_norm_eps"]),
        float(rotation["rope_theta"]),
        int(configuration["max_position_embeddings"]),
    )


def _layer(
    tensors: dict[str, NDArray[Any]], name: str, heads: int, key_heads: int, head_width: int
) -> ArrayLayer:  # fmt: skip
    def stacked(*parts: str) -> Matrix:
        return np.concatenate([_exact(tensors[f"{name}{part}_proj.weight"]) for part in parts])

    attention = stacked("self_attn.q", "self_attn.k", "self_attn.v")
    attention *= _exact(tensors[f"{name}input_layernorm.weight"])
    attention[: heads * head_width] *= np.float32(head_width**-0.5)
    turned = attention[: (heads + key_heads) * head_width]
    # A place turns the numbers i and i + head width / 2 of a head as one complex number.
    halves = turned.reshape(heads + key_heads, 2, head_width // 2, -1)
    turned[:] = halves.transpose(0, 2, 1, 3).reshape(turned.shape)
    gates = stacked("mlp.gate", "mlp.up")
    gates *= _exact(tensors[f"{name}post_attention_layernorm.weight"])
    return ArrayLayer(attention, stacked("self_attn.o"), gates, stacked("mlp.down"))


def _side_by_side(layers: Sequence[ArrayLayer]) -> tuple[ArrayLayer, ...]:
    """Return layers in one piece of memory, for which numpy asks for pages of megabytes.

    A step reads all of it once; with small pages to be looked up it takes a tenth longer.
    """
    memory = np.empty(sum(matrix.size for layer in layers for matrix in layer), np.float32)
    end = 0

    def moved(matrix: Matrix) -> Matrix:
        nonlocal end
        begin, end = end, end + matrix.size
        memory[begin:end] = matrix.ravel()
        return memory[begin:end].reshape(matrix.shape)

    return tuple(ArrayLayer(*map(moved, layer)) for layer in layers)


def _exact(tensor: NDArray[Any]) -> Matrix:
    return np.ascontiguousarray(tensor, np.float32)
