"""Training a model: steps within a budget of time or number, resumed where a stopped run was.

Everything that decides the next step is in the checkpoint, and rows depend on the number of the step alone,
so a run counted in steps gives the same weights whether it was stopped or not. A run measured in minutes does
not count the time that it lay stopped.
"""

from __future__ import annotations

import math
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch.nn import functional
from transformers import LlamaConfig, LlamaForCausalLM

from dovetail.model.attention import BLOCKS, KERNEL
from dovetail.model.device import is_faster_in_bfloat16
from dovetail.model.error import ModelError
from dovetail.model.free_cores import usable_cores
from dovetail.model.gradients import DeviceGradients, Gradients
from dovetail.model.losses import Losses
from dovetail.model.optimizers import Optimizers
from dovetail.model.row_stream import CAN_STREAM, RowStream, batch_of
from dovetail.model.samples import IGNORED, Sampler
from dovetail.model.saved_run import SavedRun, load_run, save_run
from dovetail.model.tokenizer import END, PADDING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokenizers import Tokenizer

    from dovetail.model.dataset import Dataset
    from dovetail.model.recipe import Recipe
    from dovetail.model.row_stream import RowBatch
    from dovetail.model.run import Run
    from dovetail.model.samples import SampleRow

_HELD_OUT_ROWS = 32


@dataclass(frozen=True, slots=True)
class Budget:
    """The end of training, and of the learning rate's cosine."""

    minutes: float
    steps: int | None = None
    """If given, it counts instead of the minutes."""

    def progress(self, step: int, seconds: float) -> float:
        """Return how much of the budget is spent, from 0 to 1."""
        spent = seconds / (60 * self.minutes) if self.steps is None else step / self.steps
        return min(1.0, spent)


@dataclass(frozen=True, slots=True)
class Report:
    """The state of training after a step."""

    step: int
    progress: float
    loss: float
    """The loss of the step's rows, in nats a token, middles weighted."""
    tokens_a_second: float
    seconds_left: float


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A trained model and what is known of it."""

    model: LlamaForCausalLM
    tokenizer: Tokenizer
    steps: int
    steps_now: int
    """Those of this call; none where the run had ended before."""
    seconds: float
    bfloat16: bool
    held_out_loss: float
    """The loss over all held-out tokens, in nats a token."""
    held_out_middle_loss: float
    """The loss over the held-out tokens of middles, in nats a token."""


def train(
    run: Run,
    budget: Budget,
    *,
    bfloat16: bool | None = None,
    checkpoint_seconds: float = 60.0,
    report: Callable[[Report], None] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
) -> TrainedModel | None:
    """Train a model, going on from the run's checkpoint if there is one; None if `stop` ended it before its time.

    `bfloat16`: whether products are taken in that type; None for whichever is faster here.
    `checkpoint_seconds`: how much work a kill may cost at most.
    `stop`: asked after each step; the run is saved then.
    Raises `ModelError` if the folder's checkpoint is of another recipe or other sources, or cannot be written.
    """
    recipe = run.recipe
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    checkpoint = load_run(run.folder)
    if checkpoint is not None and checkpoint.identity != run.identity:
        raise ModelError(f"{run.folder} holds a run of other sources or sizes: remove it, or name another.")

    torch.manual_seed(recipe.seed)
    model = new_model(recipe, run.tokenizer, attention=KERNEL if device.type == "cuda" else BLOCKS)
    model.load_state_dict(run.beginning(), strict=False)  # the embedding stands in for what is tied to it
    torch.nn.Module.to(model, device)  # the model's own `to` has no types
    optimizers = Optimizers(model, recipe)
    step, seconds = 0, 0.0
    if checkpoint is not None:
        model.load_state_dict(checkpoint.model)
        optimizers.load_state_dict(checkpoint.optimizer)
        step, seconds, bfloat16 = checkpoint.step, checkpoint.seconds, checkpoint.bfloat16
    if bfloat16 is None:
        bfloat16 = is_faster_in_bfloat16(device, recipe.hidden_size, (recipe.step_tokens,))

    def save() -> None:
        losses.flush()
        state = SavedRun(run.identity, model.state_dict(), optimizers.state_dict(), step, seconds, bfloat16)
        save_run(run.folder, state)

    saved, before_now = seconds, step
    dtype = torch.bfloat16 if bfloat16 else torch.float32
    with (
        Losses(run.folder, step) as losses,
        _rows(run, budget, device, step) as rows,
        _gradients(model, recipe, device, dtype) as gradients,
    ):
        batch = rows(step, progress := budget.progress(step, seconds))
        if isinstance(gradients, DeviceGradients):
            gradients.prepare(batch)
        begun = time.monotonic() - seconds
        while progress < 1:
            loss = gradients.of(batch)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizers.step(rate(recipe, progress))
            step += 1
            tokens = batch.inputs.size
            batch = rows(step, progress)  # while a device still works at the step before
            nats = loss.item()
            before, seconds = seconds, time.monotonic() - begun
            progress = budget.progress(step, seconds)
            left = seconds / progress * (1 - progress) if progress else math.inf
            report(Report(step, progress, nats, tokens / (seconds - before), left))
            losses.add(step, seconds, tokens, nats)
            stopped = stop()
            if stopped or seconds - saved >= checkpoint_seconds:
                saved = seconds
                save()
            if stopped and progress < 1:
                return None
        save()

    return _measured(run, model, (step, step - before_now), seconds, bfloat16)


@contextmanager
def _rows(run: Run, budget: Budget, device: torch.device, step: int) -> Iterator[Callable[[int, float], RowBatch]]:
    """Yield a function (step, progress) that returns a step's rows."""
    recipe = run.recipe
    if device.type != "cuda" or recipe.lengths or not CAN_STREAM:
        sampler = _sampler(run.training, run, recipe.seed)

        def made(step: int, progress: float) -> RowBatch:
            length = recipe.row_length(progress)
            count = max(1, recipe.step_tokens // length)
            return batch_of([sampler.row(step, index, length) for index in range(count)])

        yield made
        return
    count = recipe.step_tokens // recipe.length
    workers = max(1, usable_cores() - 2)
    with RowStream(
        run.training, run.tokenizer, recipe, workers, step * count, may_repeat=budget.steps is None
    ) as stream:
        yield lambda _step, _progress: stream.take(count)


def _gradients(
    model: LlamaForCausalLM, recipe: Recipe, device: torch.device, dtype: torch.dtype
) -> Gradients | DeviceGradients:
    if device.type == "cuda":
        return DeviceGradients(model, recipe.middle_weight, dtype, compiled=not recipe.lengths)
    workers = torch.get_num_threads() if device.type == "cpu" else 1
    return Gradients(model, recipe.middle_weight, dtype, workers)


def last_saved(run: Run) -> TrainedModel:
    """Return the model of the run's last checkpoint and change nothing, so that the run may go on meanwhile.

    Raises `ModelError` if there is no checkpoint of this recipe and these sources.
    """
    checkpoint = load_run(run.folder)
    if checkpoint is None or checkpoint.identity != run.identity:
        raise ModelError(f"{run.folder} holds no checkpoint of these sources and sizes: train first.")
    model = new_model(run.recipe, run.tokenizer)
    model.load_state_dict(checkpoint.model)
    return _measured(run, model, (checkpoint.step, 0), checkpoint.seconds, checkpoint.bfloat16)


def _measured(
    run: Run, model: LlamaForCausalLM, steps: tuple[int, int], seconds: float, bfloat16: bool
) -> TrainedModel:
    """Measure a model on what was held out; `steps`: all, and those of this call."""
    recipe = run.recipe
    documents = run.held_out if run.held_out.documents else run.training
    held_out = _sampler(documents, run, recipe.seed + 1)
    unseen = [held_out.row(0, index, recipe.length) for index in range(_HELD_OUT_ROWS)]
    overall, middle = measure(model, unseen)
    torch.nn.Module.to(model, "cpu")
    return TrainedModel(model, run.tokenizer, *steps, seconds, bfloat16, overall, middle)


def _sampler(documents: Dataset, run: Run, seed: int) -> Sampler:
    recipe = run.recipe
    return Sampler(documents, run.tokenizer, seed, recipe.context_share, recipe.path_share, recipe.length)


def new_model(recipe: Recipe, tokenizer: Tokenizer, attention: str = "sdpa") -> LlamaForCausalLM:
    """Return an untrained model of the recipe's size for the tokenizer."""
    options: dict[str, Any] = {"attn_implementation": attention}  # not among the declared ones
    config = LlamaConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=recipe.hidden_size,
        intermediate_size=recipe.feed_forward_size,
        num_hidden_layers=recipe.layers,
        num_attention_heads=recipe.heads,
        num_key_value_heads=recipe.key_heads,
        max_position_embeddings=recipe.length,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.token_to_id(END),
        pad_token_id=tokenizer.token_to_id(PADDING),
        **options,
    )
    return LlamaForCausalLM(config)


@torch.inference_mode()
def measure(model: LlamaForCausalLM, rows: Sequence[SampleRow]) -> tuple[float, float]:
    """Return the loss over all tokens and over those of the middles, in nats a token.

    The model is left out of its training mode.
    """
    model.train(mode=False)
    overall, of_middles = [0.0, 0], [0.0, 0]
    for row in rows:
        inputs = torch.tensor([row.inputs], device=model.device)  # (1, length)
        targets = torch.tensor(row.targets, device=model.device)  # (length)
        logits = model(input_ids=inputs, use_cache=False).logits[0].float()  # (length, vocabulary)
        losses = functional.cross_entropy(logits, targets, ignore_index=IGNORED, reduction="none")  # (length)
        counted = targets != IGNORED  # (length)
        middle = counted & torch.tensor(row.in_middle, device=model.device)  # (length)
        for total, chosen in ((overall, counted), (of_middles, middle)):
            total[0] += losses[chosen].sum().item()
            total[1] += int(chosen.sum())
    return overall[0] / max(1, overall[1]), of_middles[0] / max(1, of_middles[1])


def rate(recipe: Recipe, progress: float) -> float:
    """Return the learning rate as part of its highest: a straight rise, then half a cosine or a straight fall."""
    if progress < recipe.warm_up:
        return max(progress / recipe.warm_up, 0.01)
    if recipe.cooling is not None:
        return recipe.last_rate + (1 - recipe.last_rate) * min(1.0, (1 - progress) / recipe.cooling)
    turn = (progress - recipe.warm_up) / (1 - recipe.warm_up)
    return recipe.last_rate + (1 - recipe.last_rate) * (1 + math.cos(math.pi * turn)) / 2
