"""Training the embedded model: steps within a budget of time or number, resumed where a killed run stopped.

Everything that decides the next step is in the checkpoint, and rows depend on the number of the step alone,
so a run counted in steps gives the same weights whether it was stopped or not. A run measured in minutes does
not count the time that it lay stopped.
"""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import torch
from torch.nn import functional
from transformers import LlamaConfig, LlamaForCausalLM

from dovetail.model.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from dovetail.model.error import ModelError
from dovetail.model.samples import IGNORED, Row, Sampler
from dovetail.model.tokenizer import END, PADDING, load_tokenizer, train_tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tokenizers import Tokenizer

    from dovetail.model.recipe import Recipe
    from dovetail.model.sources import Corpus

_HELD_OUT_ROWS = 48


@dataclass(frozen=True, slots=True)
class Budget:
    """When training ends, and with it the cosine of the learning rate."""

    minutes: float
    steps: int | None = None
    """If given, it counts instead of the minutes."""

    def progress(self, step: int, seconds: float) -> float:
        """Return how much of the budget is spent, from 0 to 1."""
        spent = seconds / (60 * self.minutes) if self.steps is None else step / self.steps
        return min(1.0, spent)


@dataclass(frozen=True, slots=True)
class Report:
    """How training stands after a step."""

    step: int
    progress: float
    loss: float
    """Of the step's rows, in nats a token, middles weighted."""
    tokens_a_second: float
    seconds_left: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """A trained model and what is known of it."""

    model: LlamaForCausalLM
    tokenizer: Tokenizer
    steps: int
    seconds: float
    held_out_loss: float
    """In nats a token, over all tokens."""
    held_out_middle_loss: float
    """In nats a token, over those of the middles."""


def train(
    corpus: Corpus,
    recipe: Recipe,
    budget: Budget,
    folder: Path,
    *,
    bfloat16: bool | None = None,
    checkpoint_seconds: float = 60.0,
    report: Callable[[Report], None] = lambda _: None,
) -> Outcome:
    """Train a model, going on from the checkpoint in the folder if there is one.

    `bfloat16`: whether products are taken in that type; None for whichever is faster here.
    `checkpoint_seconds`: how much work a kill may cost at most.
    Raises `ModelError` if the folder's checkpoint is of another recipe or other sources.
    """
    folder.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    identity = {"recipe": asdict(recipe), "corpus": corpus.digest}
    checkpoint = load_checkpoint(folder)
    if checkpoint is not None and checkpoint.identity != identity:
        raise ModelError(f"{folder} holds a run of other sources or sizes: remove it, or name another.")

    tokenizer = _tokenizer(corpus, recipe, folder, fresh=checkpoint is None)
    torch.manual_seed(recipe.seed)
    model = new_model(recipe, tokenizer)
    torch.nn.Module.to(model, device)  # the model's own `to` has no types
    optimizer = _optimizer(model, recipe)
    step, seconds = 0, 0.0
    if checkpoint is not None:
        model.load_state_dict(checkpoint.model)
        optimizer.load_state_dict(checkpoint.optimizer)
        step, seconds, bfloat16 = checkpoint.step, checkpoint.seconds, checkpoint.bfloat16
    sampler = Sampler(corpus.training, tokenizer, recipe.length, recipe.seed)
    if bfloat16 is None:
        bfloat16 = _faster_in_bfloat16(model, [sampler.row(0, 0)], device)

    def save() -> None:
        state = Checkpoint(identity, model.state_dict(), optimizer.state_dict(), step, seconds, bfloat16)
        save_checkpoint(folder, state)

    saved = seconds
    model.train()
    while (progress := budget.progress(step, seconds)) < 1:
        started = time.monotonic()
        for group in optimizer.param_groups:
            group["lr"] = recipe.learning_rate * _rate(recipe, progress)
        rows = [sampler.row(step, index) for index in range(recipe.rows)]
        with torch.autocast(device, torch.bfloat16, enabled=bfloat16):
            losses, weights = _losses(model, rows, recipe.middle_weight, device)
        loss = (losses * weights).sum() / weights.sum().clamp(min=1)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        step += 1
        took = time.monotonic() - started
        seconds += took
        progress = budget.progress(step, seconds)
        left = seconds / progress * (1 - progress) if progress else math.inf
        report(Report(step, progress, loss.item(), recipe.rows * recipe.length / took, left))
        if seconds - saved >= checkpoint_seconds:
            saved = seconds
            save()
    save()

    held_out = Sampler(corpus.held_out or corpus.training, tokenizer, recipe.length, recipe.seed + 1)
    overall, middle = measure(model, [held_out.row(0, index) for index in range(_HELD_OUT_ROWS)], device)
    torch.nn.Module.to(model, "cpu")
    return Outcome(model, tokenizer, step, seconds, overall, middle)


def new_model(recipe: Recipe, tokenizer: Tokenizer) -> LlamaForCausalLM:
    """Return an untrained model of the recipe's size for the tokenizer."""
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=tokenizer.get_vocab_size(),
            hidden_size=recipe.hidden_size,
            intermediate_size=recipe.feed_forward_size,
            num_hidden_layers=recipe.layers,
            num_attention_heads=recipe.heads,
            max_position_embeddings=recipe.length,
            tie_word_embeddings=True,
            bos_token_id=None,
            eos_token_id=tokenizer.token_to_id(END),
            pad_token_id=tokenizer.token_to_id(PADDING),
        )
    )


@torch.inference_mode()
def measure(model: LlamaForCausalLM, rows: Sequence[Row], device: str) -> tuple[float, float]:
    """Return the loss over all tokens and over those of the middles, in nats a token.

    The model is left out of its training mode.
    """
    model.train(mode=False)
    overall, of_middles = [0.0, 0], [0.0, 0]
    for row in rows:
        losses, weights = _losses(model, [row], 1.0, device)
        middle = weights * torch.tensor(row.in_middle, device=device)
        for total, chosen in ((overall, weights), (of_middles, middle)):
            total[0] += (losses * chosen).sum().item()
            total[1] += int(chosen.sum().item())
    return overall[0] / max(1, overall[1]), of_middles[0] / max(1, of_middles[1])


def _tokenizer(corpus: Corpus, recipe: Recipe, folder: Path, *, fresh: bool) -> Tokenizer:
    path = folder / "tokenizer.json"
    if fresh or not path.exists():
        train_tokenizer((document.text for document in corpus.training), recipe.vocabulary_size).save(
            str(path)
        )
    return load_tokenizer(path)


def _optimizer(model: LlamaForCausalLM, recipe: Recipe) -> torch.optim.AdamW:
    matrices = [parameter for parameter in model.parameters() if parameter.dim() >= 2]
    vectors = [parameter for parameter in model.parameters() if parameter.dim() < 2]
    groups = [
        {"params": matrices, "weight_decay": recipe.weight_decay},
        {"params": vectors, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=recipe.learning_rate, betas=(0.9, 0.95))


def _rate(recipe: Recipe, progress: float) -> float:
    """Return the learning rate as part of its highest: a straight rise, then half a cosine."""
    if progress < recipe.warm_up:
        return max(progress / recipe.warm_up, 0.01)
    turn = (progress - recipe.warm_up) / (1 - recipe.warm_up)
    return recipe.last_rate + (1 - recipe.last_rate) * (1 + math.cos(math.pi * turn)) / 2


def _losses(
    model: LlamaForCausalLM, rows: Sequence[Row], middle_weight: float, device: str
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the loss at every position of the rows and how much it counts, both flat."""
    inputs = torch.tensor([row.inputs for row in rows], device=device)  # (rows, length)
    targets = torch.tensor([row.targets for row in rows], device=device).flatten()  # (rows * length)
    in_middle = torch.tensor([row.in_middle for row in rows], device=device).flatten()  # (rows * length)
    logits = (
        model(input_ids=inputs, use_cache=False).logits.flatten(0, 1).float()
    )  # (rows * length, vocabulary)
    losses = functional.cross_entropy(
        logits, targets, ignore_index=IGNORED, reduction="none"
    )  # (rows * length)
    weights = (1 + (middle_weight - 1) * in_middle) * (targets != IGNORED)  # (rows * length)
    return losses, weights


def _faster_in_bfloat16(model: LlamaForCausalLM, rows: Sequence[Row], device: str) -> bool:
    """Return whether a forward and a backward pass are faster in bfloat16, the first of each left out."""
    best = {}  # bool -> seconds
    for bfloat16 in (False, True):
        times = []
        for _ in range(4):
            started = time.perf_counter()
            with torch.autocast(device, torch.bfloat16, enabled=bfloat16):
                losses, _ = _losses(model, rows, 1.0, device)
            losses.sum().backward()  # type: ignore[no-untyped-call]
            if device == "cuda":
                torch.cuda.synchronize()
            times.append(time.perf_counter() - started)
        best[bfloat16] = min(times[1:])
    model.zero_grad()
    return best[True] < best[False]
