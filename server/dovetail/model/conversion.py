"""A transformers folder made into a GGUF file, and the two compared."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from safetensors import SafetensorError, safe_open

from dovetail.model.error import ModelError, first_line
from dovetail.model.gguf_file import TYPES as STORED_TYPES
from dovetail.model.gguf_names import ARCHITECTURES, gguf_name, rotary_heads, side_by_side
from dovetail.model.gguf_vocabulary import CONTROL, DESCRIPTION, NORMAL, UNUSED, USER_DEFINED
from dovetail.model.gguf_writer import PlannedTensor, write_gguf
from dovetail.vocabulary.vocabulary import is_special

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from dovetail.decoding.proposer import Proposer

TYPES = {
    "f32": (0, 0),
    "f16": (1, 1),
    "bf16": (30, 32),
    "q8_0": (8, 7),
    "q5_1": (7, 9),
    "q5_0": (6, 8),
    "q4_1": (3, 3),
    "q4_0": (2, 2),
}
"""Name of a type, from the largest to the smallest → the type of a matrix, and the type that the file says it has."""

_F32, _F16 = 0, 1
_QUANTIZATION_VERSION = 2

_PRE_TOKENIZERS = {"llama": "default", "qwen2": "qwen2"}
"""For other programs, which know patterns by names; ours reads the whole description of the tokenizer."""

_BEST = 64
"""So many of the original's likeliest tokens are compared at each place."""


class Comparison(NamedTuple):
    """The agreement of two runtimes of one model."""

    places: int
    difference: float
    """The largest difference of the log-probabilities of a token among the original's likeliest."""
    same_best: float
    """The share of places with the same likeliest token."""


def convert(folder: Path, output: Path, kind: str, description: Mapping[str, Any] | None = None) -> None:
    """Write the model of a transformers folder as a GGUF file, whole or not at all; raises ModelError and OSError.

    `description`: the tokenizer's, where the folder's `tokenizer.json` is not the one to take.
    """
    config = _read_json(folder, "config.json")
    _check_architecture(folder, config)
    if description is None:
        description = _read_json(folder, "tokenizer.json")
    if not _is_byte_level(description):
        raise ModelError(f"The tokenizer in {folder} is not byte-level: take a GGUF file that its authors offer.")
    matrix_type, file_type = TYPES[kind]
    metadata = {
        **_metadata(config, folder.resolve().name, file_type),
        **_vocabulary(config, _read_json(folder, "generation_config.json", {}), description),
    }
    tensors = list(_tensors(folder, config, matrix_type))
    partial = output.with_name(f"{output.name}.{os.getpid()}.partial")
    try:
        write_gguf(partial, metadata, tensors)
        os.replace(partial, output)
    finally:
        partial.unlink(missing_ok=True)


def compare(original: Proposer, converted: Proposer, text: str, places: int) -> Comparison:
    """Have both models read the first tokens of a text, and compare what they propose after each."""
    tokens = original.encode(text)[: min(places, original.window, converted.window)]
    assert converted.encode(text)[: len(tokens)] == tokens, "both have one tokenizer"
    first, second = original.begin(tokens[:1]), converted.begin(tokens[:1])
    difference, same = 0.0, 0
    for token in [*tokens[1:], None]:
        best = first.ranked(_BEST)
        others = second.scores([likely for likely, _ in best])
        difference = max(difference, *(abs(score - other) for (_, score), other in zip(best, others, strict=True)))
        same += best[0][0] == second.ranked(1)[0][0]
        if token is not None:
            first.feed(token)
            second.feed(token)
    return Comparison(len(tokens), difference, same / len(tokens))


def _read_json(folder: Path, name: str, default: Any = None) -> Any:
    path = folder / name
    if default is not None and not path.exists():
        return default
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelError(f"The file {path} cannot be read ({error.strerror}): name a folder with a model.") from error
    except ValueError as error:
        raise ModelError(
            f"The file {path} is damaged ({first_line(error)}): take another copy of the model."
        ) from error


def _check_architecture(folder: Path, config: Mapping[str, Any]) -> None:
    """Refuse what the tensors' names alone do not tell: other layers, rotations and activations."""
    kind = config.get("model_type")
    if kind not in ARCHITECTURES:
        raise ModelError(
            f"The model in {folder} is of the kind {kind}, and only {' and '.join(ARCHITECTURES)} can be converted "
            "here: take a GGUF file that its authors offer."
        )
    rope = config.get("rope_parameters") or config.get("rope_scaling") or {}
    others = {
        "scaled rotations": rope.get("rope_type", rope.get("type", "default")) != "default",
        "sliding windows": bool(config.get("use_sliding_window")),
        "biases": bool(config.get("attention_bias") or config.get("mlp_bias")),
        f"the activation {config.get('hidden_act')}": config.get("hidden_act") != "silu",
    }
    for name, found in others.items():
        if found:
            raise ModelError(
                f"The model in {folder} has {name}, which cannot be converted here: take a GGUF file that its authors "
                "offer."
            )


def _is_byte_level(description: Mapping[str, Any]) -> bool:
    model, decoder = description.get("model") or {}, description.get("decoder") or {}
    return model.get("type") == "BPE" and "ByteLevel" in (
        decoder.get("type"),
        *(step.get("type") for step in decoder.get("decoders", ())),
    )


def _metadata(config: Mapping[str, Any], name: str, file_type: int) -> dict[str, Any]:
    """Return what llama.cpp has to know of a model's shape."""
    kind, heads, hidden = config["model_type"], config["num_attention_heads"], config["hidden_size"]
    width = config.get("head_dim") or hidden // heads
    rope = config.get("rope_parameters") or {}
    shape = {
        "context_length": config["max_position_embeddings"],
        "embedding_length": hidden,
        "block_count": config["num_hidden_layers"],
        "feed_forward_length": config["intermediate_size"],
        "attention.head_count": heads,
        "attention.head_count_kv": config.get("num_key_value_heads") or heads,
        "attention.key_length": width,
        "attention.value_length": width,
        "attention.layer_norm_rms_epsilon": float(config["rms_norm_eps"]),
        "rope.freq_base": float(rope.get("rope_theta") or config.get("rope_theta") or 10_000),
        "rope.dimension_count": width,
        "vocab_size": config["vocab_size"],
    }
    return {
        "general.architecture": kind,
        "general.name": name,
        "general.file_type": file_type,
        "general.quantization_version": _QUANTIZATION_VERSION,
        **{f"{kind}.{key}": value for key, value in shape.items()},
    }


def _vocabulary(
    config: Mapping[str, Any], generation: Mapping[str, Any], description: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the tokenizer, whole for us and as llama.cpp's own keys for others."""
    size = config["vocab_size"]
    texts, types = [f"[UNUSED{token}]" for token in range(size)], [UNUSED] * size
    for text, token in description["model"]["vocab"].items():
        texts[token], types[token] = text, NORMAL
    for added in description.get("added_tokens") or ():
        texts[added["id"]] = added["content"]
        types[added["id"]] = CONTROL if is_special(added) else USER_DEFINED
    found = {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": _PRE_TOKENIZERS[config["model_type"]],
        "tokenizer.ggml.tokens": texts,
        "tokenizer.ggml.token_type": types,
        "tokenizer.ggml.merges": [
            merge if isinstance(merge, str) else " ".join(merge) for merge in description["model"]["merges"]
        ],
        "tokenizer.ggml.add_bos_token": False,
        DESCRIPTION: json.dumps(description, ensure_ascii=False),
    }
    ends: list[object] = []
    for given in (generation.get("eos_token_id"), config.get("eos_token_id")):
        ends += given if isinstance(given, list) else [given]
    known = dict.fromkeys(end for end in ends if isinstance(end, int) and 0 <= end < size)
    found.update(zip(("tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id"), known, strict=False))
    return found


def _tensors(folder: Path, config: Mapping[str, Any], matrix_type: int) -> Iterator[PlannedTensor]:
    """Yield the tensors with the names, the order of rows and the types that the file is to have."""
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise ModelError(f"The folder {folder} holds no *.safetensors: name a folder with a model.")
    for path in files:
        try:
            with safe_open(path, "np") as file:
                described = [(name, file.get_slice(name)) for name in file.keys()]  # noqa: SIM118 - it is no mapping
                for name, part in described:
                    planned = _planned(path, name, part, config, matrix_type)
                    if planned is not None:
                        yield planned
        except (SafetensorError, OSError) as error:
            raise ModelError(f"The file {path} is damaged ({first_line(error)}): take another copy.") from error


def _planned(path: Path, ours: str, part: Any, config: Mapping[str, Any], matrix_type: int) -> PlannedTensor | None:
    """Return the plan for a tensor, or None for one that the file does without."""
    name = gguf_name(ours)
    if name is None:
        raise ModelError(f"The model in {path.parent} has a tensor {ours}, which is not known here.")
    if name == "output.weight" and config.get("tie_word_embeddings"):
        return None
    heads = config["num_attention_heads"]
    turned = rotary_heads(config["model_type"], name, heads, config.get("num_key_value_heads") or heads)
    shape, stored = tuple(part.get_shape()), _type_for(tuple(part.get_shape()), matrix_type)
    framework = "pt" if part.get_dtype() == "BF16" else "np"  # numpy has no such type

    def make() -> NDArray[Any]:
        with safe_open(path, framework) as file:
            tensor = file.get_tensor(ours)
        numbers: NDArray[np.float32] = (tensor.float().numpy() if framework == "pt" else tensor).astype(np.float32)
        return _stored(numbers if turned is None else side_by_side(numbers, turned), stored)

    return PlannedTensor(name, shape, stored, make)


def _type_for(shape: tuple[int, ...], matrix_type: int) -> int:
    """Return the type of a tensor: vectors stay as they are, and rows that are not made of whole blocks are F16."""
    if len(shape) == 1:
        return _F32
    _, block, _ = STORED_TYPES[matrix_type]
    return _F16 if shape[-1] % block else matrix_type


def _stored(numbers: NDArray[np.float32], stored: int) -> NDArray[Any]:
    """Return numbers in a type of the format."""
    if stored == _F32:
        return numbers
    if stored == _F16:
        return numbers.astype(np.float16)
    import gguf  # only where it is needed, since it is installed with torch

    quantized: NDArray[Any] = gguf.quants.quantize(np.ascontiguousarray(numbers), gguf.GGMLQuantizationType(stored))
    return quantized
