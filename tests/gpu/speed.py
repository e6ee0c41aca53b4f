"""Tokens a second on a CUDA device, with and without the constraint: `python -m tests.gpu.speed`.

The model has a billion parameters in bfloat16, random: what it writes is nothing, how long it takes is what a trained
one takes. So that the constraint has the work of real completions, the true text is ranked first at each place; the
device does all its work nevertheless. The bar is that the constraint costs at most 3 %.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Any

import torch
from rich.console import Console
from tests.benchmarks.contexts import contexts
from tests.benchmarks.decoding import ALONE, CONSTRAINED, measure, table
from tests.hosted import hosted_model
from tests.oracles.cpython import TARGET
from transformers import AutoModelForCausalLM, LlamaConfig

import dovetail
from dovetail.model.generation import HostedGeneration
from dovetail.model.hosted import HostedModel

if TYPE_CHECKING:
    from collections.abc import Sequence

BAR = 0.03
SIZES: dict[str, dict[str, Any]] = {
    "1b": {"hidden_size": 2048, "intermediate_size": 5632, "num_hidden_layers": 22, "num_attention_heads": 32},
    "tiny": {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2},
}
"""Name → what the model is made of; the tiny one is for a machine without such a device."""


class Guided(HostedGeneration):
    """A text whose true continuation is ranked first, whatever the model says."""

    script: Sequence[int] = ()
    prompt_length = 0
    """Tokens before the text."""

    def ranked(self, count: int) -> list[tuple[int, float]]:
        """Return the model's ranking after the true next token."""
        ranked = super().ranked(count)  # waits for the device as always
        place = len(self._tokens) - self.prompt_length
        if place >= len(self.script):
            return ranked
        true = self.script[place]
        return [(true, 0.0), *((token, score) for token, score in ranked if token != true)][:count]

    def scores(self, tokens: Sequence[int]) -> list[float]:
        """Return the model's scores, the true next token's raised above them."""
        place = len(self._tokens) - self.prompt_length
        true = self.script[place] if place < len(self.script) else -1
        return [0.0 if token == true else score for token, score in zip(tokens, super().scores(tokens), strict=True)]


class GuidedModel(HostedModel):
    """A model that is told what to write."""

    script: Sequence[int] = ()

    def begin(self, prompt: Sequence[int], document: str | None = None) -> HostedGeneration:
        """Return a guided text."""
        generation = Guided(self._model, prompt, self._left_out, self._ends)
        generation.script, generation.prompt_length = self.script, len(prompt)
        return generation


def random_model(size: str, device: torch.device) -> GuidedModel:
    """Return a model of a size with random weights, and the embedded model's vocabulary."""
    known = hosted_model()
    torch.manual_seed(0)
    config = LlamaConfig(vocab_size=len(known.vocabulary.pieces), max_position_embeddings=2048, **SIZES[size])
    dtype = torch.bfloat16 if device.type == "cuda" else torch.float32
    with torch.device(device):
        model: Any = AutoModelForCausalLM.from_config(config, dtype=dtype)
    return GuidedModel(f"random, {size}", model.eval(), known._tokenizer, known.vocabulary)


def clock() -> float:
    """Return the time of day in seconds, when the device has done what it was asked for."""
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.perf_counter()


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and return 1 if the constraint costs more than the bar, 2 without a device."""
    parser = argparse.ArgumentParser(prog="python -m tests.gpu.speed", description=__doc__)
    parser.add_argument("--size", choices=list(SIZES), default="1b")
    parser.add_argument("--count", type=int, default=40, help="texts")
    parser.add_argument("--cpu", action="store_true", help="measure on the processor, to see that the script works")
    chosen = parser.parse_args(arguments)
    if not torch.cuda.is_available() and not chosen.cpu:
        print("There is no CUDA device here: run this where there is one, or with --cpu.", file=sys.stderr)  # noqa: T201
        return 2
    device = torch.device("cpu" if chosen.cpu else "cuda")
    language = dovetail.load_language("python", target=TARGET)
    model = random_model(chosen.size, device)
    speeds: dict[str, Any] = {}
    for context in contexts(3_000, chosen.count, 1):
        model.script = model.encode(context.middle)
        for name, speed in measure(language, [context], model, clock).items():
            kept = speeds.setdefault(name, type(speed)())
            kept.tokens += speed.tokens
            kept.seconds += speed.seconds
            kept.constraint += speed.constraint
            kept.shares += speed.shares
    Console().print(table(speeds, f"Tokens a second, {model.name}, {device.type}").drawn())
    alone, constrained = (speeds[name].seconds / speeds[name].tokens for name in (ALONE, CONSTRAINED))
    return int(constrained > (1 + BAR) * alone)


if __name__ == "__main__":
    sys.exit(main())
