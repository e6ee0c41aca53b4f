"""The tensors of Llama and Qwen2 models: their names in transformers and in GGUF, and the order of their rows.

transformers keeps the two halves of each rotary pair half a head apart; llama.cpp's Llama has them side by side, so
the rows of its queries and keys change places. Its Qwen2 has them as transformers does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ARCHITECTURES = ("llama", "qwen2")
"""The `model_type` of a configuration; GGUF has the same names."""

_WHOLE = {
    "model.embed_tokens.weight": "token_embd.weight",
    "model.norm.weight": "output_norm.weight",
    "lm_head.weight": "output.weight",
}
_OF_LAYER = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
}
_LAYER = re.compile(r"model\.layers\.(\d+)\.([\w.]+)\.(weight|bias)")
_BLOCK = re.compile(r"blk\.(\d+)\.(\w+)\.(weight|bias)")


def gguf_name(name: str) -> str | None:
    """Return the name in GGUF of a tensor of transformers, or None for one that no such model has.

    >>> gguf_name("model.layers.3.mlp.up_proj.weight")
    'blk.3.ffn_up.weight'
    """
    match = _LAYER.fullmatch(name)
    if match is None:
        return _WHOLE.get(name)
    layer, part, leaf = match.groups()
    return f"blk.{layer}.{_OF_LAYER[part]}.{leaf}" if part in _OF_LAYER else None


def transformers_name(name: str) -> str | None:
    """Return the name in transformers of a tensor of a GGUF file, or None for one that no such model has.

    >>> transformers_name("blk.3.ffn_up.weight")
    'model.layers.3.mlp.up_proj.weight'
    """
    match = _BLOCK.fullmatch(name)
    if match is None:
        return next((ours for ours, theirs in _WHOLE.items() if theirs == name), None)
    layer, part, leaf = match.groups()
    ours = next((ours for ours, theirs in _OF_LAYER.items() if theirs == part), None)
    return None if ours is None else f"model.layers.{layer}.{ours}.{leaf}"


def side_by_side(rows: NDArray[np.float32], heads: int) -> NDArray[np.float32]:
    """Return the rows of queries or keys with rotary pairs side by side, from half a head apart."""
    size = len(rows) // heads
    changed: NDArray[np.float32] = rows.reshape(heads, 2, size // 2, *rows.shape[1:]).swapaxes(1, 2)
    return changed.reshape(rows.shape)


def half_apart(rows: NDArray[np.float32], heads: int) -> NDArray[np.float32]:
    """Return the rows of queries or keys with rotary pairs half a head apart, from side by side."""
    size = len(rows) // heads
    changed: NDArray[np.float32] = rows.reshape(heads, size // 2, 2, *rows.shape[1:]).swapaxes(1, 2)
    return changed.reshape(rows.shape)


def rotary_heads(architecture: str, name: str, heads: int, key_heads: int) -> int | None:
    """Return the heads of a tensor (named as in GGUF) whose rows change places; None for all other tensors."""
    if architecture != "llama":
        return None
    part = name.split(".")[2] if name.startswith("blk.") else ""
    return {"attn_q": heads, "attn_k": key_heads}.get(part)
