"""A trained model as the beginning of another training: its sizes, its tokenizer and its weights are taken over."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from safetensors import SafetensorError
from safetensors.torch import load_file

from dovetail.model.error import ModelError
from dovetail.model.tokenizer import END, FILE, SPECIALS, load_tokenizer, with_file_mark

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizers import Tokenizer
    from torch import Tensor

    from dovetail.model.recipe import Recipe

_EMBEDDING = "model.embed_tokens.weight"

_GENTLER = 0.5
"""The share of a recipe's learning rates; higher ones lose the model's knowledge in the first minutes."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The beginning of a run."""

    recipe: Recipe
    tokenizer: Tokenizer
    weights: dict[str, Tensor]
    """Name → tensor, in float32."""


def read_origin(folder: Path, recipe: Recipe) -> Origin:
    """Return a model to go on from, with a recipe that has its sizes and the rest of a given one.

    Raises `ModelError` if the folder holds no model, or one that `dovetail train` did not make.
    """
    try:
        config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        tokenizer = load_tokenizer(folder / "tokenizer.json")
        weights = {name: tensor.float() for name, tensor in load_file(folder / "model.safetensors").items()}
    except (OSError, ValueError, SafetensorError) as error:
        raise ModelError(
            f"Training cannot continue from {folder} ({error}): it needs "
            "config.json, tokenizer.json and model.safetensors."
        ) from error
    tokens = tokenizer.get_vocab()  # str → int
    needed = {*SPECIALS} - {FILE}
    if config.get("model_type") != "llama" or not config.get("tie_word_embeddings") or not tokens.keys() >= needed:
        raise ModelError(f"Training cannot continue from {folder}: it was not made by `dovetail train`.")
    if FILE not in tokens and recipe.context_share + recipe.path_share:
        try:
            tokenizer = with_file_mark(tokenizer)
        except ValueError as error:
            raise ModelError(f"Training cannot continue from {folder}: {error}.") from error
        # A mark begins a file, as the end of the file before does.
        embedding = weights[_EMBEDDING]
        embedding[tokenizer.token_to_id(FILE)] = embedding[tokenizer.token_to_id(END)]
    sizes = replace(
        recipe,
        vocabulary_size=config["vocab_size"],
        hidden_size=config["hidden_size"],
        layers=config["num_hidden_layers"],
        heads=config["num_attention_heads"],
        key_heads=config["num_key_value_heads"],
        feed_forward_size=config["intermediate_size"],
        learning_rate=recipe.learning_rate * _GENTLER,
        matrix_rate=recipe.matrix_rate * _GENTLER,
    )
    return Origin(sizes, tokenizer, weights)
