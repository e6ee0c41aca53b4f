"""Speeds of a processor by the clock: the embedded model after a long prompt, and a larger one beside torch."""

from __future__ import annotations

import os
import random
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from tests.fuzz.sources import files

from dovetail.decoding.draft_follower import DraftFollower
from dovetail.decoding.drafting import Drafts, PromptIndex
from dovetail.decoding.unchecked import UncheckedState
from dovetail.model import array_pass, llama_context
from dovetail.model.conversion import convert
from dovetail.model.free_cores import usable_cores
from dovetail.model.hosting import EMBEDDED, load_model

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.decoding.proposer import Proposer

WRITTEN = 16

SHIPPED = "numpy, as shipped"

_ANYTHING = UncheckedState("")
"""A state that every draft fits."""

TYPED = 5
"""Tokens that were typed since the last prompt of a document."""

HALF_A_BILLION = {
    "hidden_size": 896, "intermediate_size": 4864, "num_hidden_layers": 32, "num_attention_heads": 14,
    "num_key_value_heads": 2, "head_dim": 64, "max_position_embeddings": 2048,
}  # fmt: skip
"""The form of a model of Qwen2.5's smallest size, with the embedded model's tokens and more layers for it: 0.49 B."""


def write_after(
    model: Proposer, prompt: Sequence[int], count: int, document: str | None = None
) -> tuple[float, float]:  # fmt: skip
    """Return the seconds in which a prompt was read, and those in which the tokens after it were written."""
    begun = time.perf_counter()
    text = model.begin(prompt, document)
    best = text.ranked(1)
    read = time.perf_counter()
    for _ in range(count):
        text.feed(best[0][0])
        best = text.ranked(1)
    return read - begun, time.perf_counter() - read


def write_code_after(model: Proposer, prompt: Sequence[int], count: int) -> tuple[float, float]:
    """Return the same seconds as `write_after` for a text that is written as a decoder does it: with drafts."""
    begun = time.perf_counter()
    text = model.begin(prompt, "document")
    follower = DraftFollower(Drafts(PromptIndex(prompt, ())), model.vocabulary.pieces, drafting=True)
    token = text.ranked(1)[0][0]
    read = time.perf_counter()
    for left in reversed(range(count)):
        text.feed(token)
        follower, draft = follower.follow((), token, _ANYTHING, left)
        text.start(draft)
        token = text.ranked(1)[0][0]
    return read - begun, time.perf_counter() - read


def tokens_of(model: Proposer, count: int, seed: int) -> list[int]:
    """Return tokens at random, which no run has read before."""
    known = [token for token, piece in enumerate(model.vocabulary.pieces) if piece is not None]
    return random.Random(seed).choices(known, k=count)


def code_tokens(model: Proposer, count: int, number: int) -> list[list[int]]:
    """Return the first tokens of some Python files, each long enough."""
    found = []
    for path in files():
        text = path.read_bytes().decode(errors="replace")
        tokens = model.encode(text[: 8 * count])
        if len(tokens) >= count:
            found.append(tokens[:count])
        if len(found) == number:
            break
    return found


def embedded_milliseconds(count: int, length: int = 1000) -> dict[str, dict[str, list[float]]]:
    """Return what prompts and tokens took of the embedded model, by runtime, with all cores that may be used.

    One runtime is measured after the other, so that each has the processor's caches to itself, as in an editor.
    """
    found: dict[str, dict[str, list[float]]] = {}
    with (
        tempfile.TemporaryDirectory() as name,
        mock.patch.object(array_pass, "free_cores", return_value=usable_cores()),
        mock.patch.object(llama_context, "free_cores", return_value=usable_cores()),
    ):
        convert(EMBEDDED, Path(name) / "embedded.gguf", "f16")
        for runtime, model in {SHIPPED: load_model(), "llama.cpp, F16": load_model(f"{name}/embedded.gguf")}.items():
            times: dict[str, list[float]] = {}
            for number, code in enumerate(code_tokens(model, length, count + 1)):
                tokens = tokens_of(model, length + TYPED, number)
                read, wrote = write_after(model, tokens[:length], WRITTEN, "document")
                again = sum(write_after(model, tokens, WRITTEN, "document"))
                read_code, wrote_code = write_code_after(model, code, WRITTEN)
                taken = {
                    "prompt": read, f"{WRITTEN} tokens": wrote, "both": read + wrote,
                    f"{TYPED} typed tokens read, {WRITTEN} written": again,
                    f"prompt of code, {WRITTEN} tokens with drafts": read_code + wrote_code,
                }  # fmt: skip
                if number:  # the first warms up
                    for kind, seconds in taken.items():
                        times.setdefault(kind, []).append(1000 * seconds)
            found[runtime] = times
    return found


def half_a_billion(folder: Path) -> Path:
    """Return the folder of a model with random weights, in half precision."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    shutil.copytree(EMBEDDED, folder, ignore=shutil.ignore_patterns("*.safetensors"))
    torch.manual_seed(1)
    config = AutoConfig.from_pretrained(EMBEDDED, **HALF_A_BILLION)
    kinds: Any = AutoModelForCausalLM
    kinds.from_config(config, dtype=torch.float16).save_pretrained(folder)
    return folder


def tokens_a_second(count: int, length: int = 64) -> dict[str, float]:
    """Return how many tokens a second a model of half a billion parameters writes with torch and with llama.cpp."""
    from tests.hosted import hosted_model

    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = half_a_billion(Path(name) / "half")
        convert(folder, Path(name) / "half.gguf", "q8_0")
        runtimes = {
            "torch, float32": hosted_model(str(folder)), "llama.cpp, Q8_0": load_model(f"{name}/half.gguf")
        }  # fmt: skip
        with mock.patch.object(llama_context, "free_cores", return_value=usable_cores()):
            for runtime, model in runtimes.items():
                prompts = [tokens_of(model, length, number) for number in range(count + 1)]
                taken = [write_after(model, prompt, WRITTEN)[1] for prompt in prompts]
                found[runtime] = WRITTEN / statistics.median(taken[1:])
    return found


def cores() -> int:
    """Return the number of cores that are used."""
    return min(usable_cores(), os.cpu_count() or 1)
