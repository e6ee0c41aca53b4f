"""A trained model written as a folder that any Hugging Face program reads."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import torch
from safetensors.torch import save

from dovetail.model.error import ModelError
from dovetail.model.storage import whole_folder, write_bytes, write_text
from dovetail.model.tokenizer import END, FILE, MIDDLE, PADDING, PREFIX, SUFFIX

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizers import Tokenizer
    from torch import Tensor
    from transformers import LlamaForCausalLM

_FILES = frozenset(
    {
        "model.safetensors",
        "config.json",
        "generation_config.json",
        "tokenizer.json",
        "tokenizer_config.json",
        "README.md",
        "losses.svg",
    }
)
"""The files of a written model; a folder that holds any other file is not replaced."""

_TIED = "lm_head.weight"
"""The same matrix as the embedding: it is written once."""

_GROUP, _MOST = 32, 127
"""Numbers that share a factor, and the largest of the whole numbers that it is multiplied with."""


def check_place(folder: Path) -> None:
    """Return if a model may be written to a folder; raise `ModelError` if that would destroy something else."""
    if folder.exists() and not folder.is_dir():
        raise ModelError(f"{folder} is a file: name a folder for the model.")
    other = next((path.name for path in folder.iterdir() if path.name not in _FILES), None) if folder.is_dir() else None
    if other is not None:
        raise ModelError(f"{folder} holds {other}, which would be lost: name a new or an empty folder.")


def publish(model: LlamaForCausalLM, tokenizer: Tokenizer, folder: Path, card: str, picture: str | None = None) -> None:
    """Write weights in eight bits, in numbers of sixteen, and configuration, tokenizer, card and picture of the losses.

    What the folder held is replaced when all of it is written; raises `ModelError` if it cannot be.
    """
    check_place(folder)
    kind: Any = model.config
    configuration = {**kind.to_diff_dict(), "architectures": ["LlamaForCausalLM"], "dtype": "float16"}
    generation = {"eos_token_id": kind.eos_token_id, "pad_token_id": kind.pad_token_id}
    description = {
        # The name that every version of transformers knows.
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": END,
        "pad_token": PADDING,
        "additional_special_tokens": [mark for mark in (PREFIX, MIDDLE, SUFFIX, FILE) if mark in tokenizer.get_vocab()],
        "model_max_length": kind.max_position_embeddings,
        "clean_up_tokenization_spaces": False,
    }
    weights = {
        name: rounded(tensor.detach().cpu()).to(torch.float16).contiguous()
        for name, tensor in model.state_dict().items()
        if name != _TIED
    }
    with whole_folder(folder) as partial:
        write_bytes(partial / "model.safetensors", save(weights, {"format": "pt"}))
        write_text(partial / "config.json", json.dumps(configuration, indent=2) + "\n")
        write_text(partial / "generation_config.json", json.dumps(generation, indent=2) + "\n")
        write_text(partial / "tokenizer.json", tokenizer.to_str())
        write_text(partial / "tokenizer_config.json", json.dumps(description, indent=2) + "\n")
        write_text(partial / "README.md", card)
        if picture is not None:
            write_text(partial / "losses.svg", picture)


def rounded(weights: Tensor) -> Tensor:
    """Return a matrix in float32 whose numbers have eight bits: 32 of a row share a factor, which is a power of two.

    Each is exact in float16 and leaves most of its last bits zero, so that a package which packs its files is half as
    large, and every program still reads them. Vectors, and rows that are no whole groups, stay as they are.
    """
    if weights.dim() != 2 or weights.shape[1] % _GROUP:
        return weights.float()
    groups = weights.float().reshape(len(weights), -1, _GROUP)
    largest = groups.abs().amax(2, keepdim=True)  # (rows, groups, 1)
    # Not below the smallest number of float16; where all are zero, any factor will do.
    factor = torch.exp2(torch.log2(largest / _MOST).ceil().clamp(min=-24))
    return (torch.round(groups / factor) * factor).reshape(weights.shape)
