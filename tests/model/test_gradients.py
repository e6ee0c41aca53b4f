"""The fast gradients are those that plain torch computes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
import torch
from torch.nn import functional

from dovetail.model.attention import BLOCKS
from dovetail.model.dataset import encode
from dovetail.model.gradients import Gradients
from dovetail.model.loss import weighted_loss
from dovetail.model.recipe import PRESETS
from dovetail.model.row_stream import batch_of
from dovetail.model.samples import IGNORED, Sampler, SampleRow
from dovetail.model.training import new_model

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import LlamaForCausalLM

    from dovetail.model.sources import Corpus

RECIPE = replace(PRESETS["tiny"], heads=4, key_heads=2)


@pytest.fixture(name="rows", scope="module")
def _rows(corpus: Corpus, tokenizer: Tokenizer) -> list[SampleRow]:
    sampler = Sampler(encode(corpus.training, tokenizer), tokenizer, seed=5)
    return [sampler.row(0, index, 300) for index in range(3)]


def models(tokenizer: Tokenizer, *attentions: str) -> list[LlamaForCausalLM]:
    """Return models of the same random weights."""
    found = []
    for attention in attentions:
        torch.manual_seed(11)
        found.append(new_model(RECIPE, tokenizer, attention))
    return found


def plain_gradients(
    model: LlamaForCausalLM, rows: list[SampleRow], middle_weight: float
) -> tuple[float, list[torch.Tensor]]:
    """Return loss and gradients as torch and transformers compute them."""
    inputs, targets = (torch.tensor([getattr(row, name) for row in rows]) for name in ("inputs", "targets"))
    middle = torch.tensor([row.in_middle for row in rows])
    weights = torch.where(middle, middle_weight, 1.0) * (targets != IGNORED)
    answer: Any = model(input_ids=inputs, use_cache=False)
    losses = functional.cross_entropy(answer.logits.mT, targets, ignore_index=IGNORED, reduction="none")
    loss = (losses * weights).sum() / weights.sum()
    return loss.item(), list(torch.autograd.grad(loss, list(model.parameters())))


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_gradients_are_those_of_plain_torch(tokenizer: Tokenizer, rows: list[SampleRow], workers: int) -> None:
    """Attention in blocks, the loss in chunks and rows shared out to threads change nothing but the time."""
    plain, ours = models(tokenizer, "eager", BLOCKS)
    loss, expected = plain_gradients(plain, rows, 3.0)
    with Gradients(ours, 3.0, torch.float32, workers) as gradients:
        actual = gradients.of(batch_of(rows)).item()

    assert actual == pytest.approx(loss, rel=1e-5)
    for mine, theirs in zip(ours.parameters(), expected, strict=True):
        assert mine.grad is not None
        torch.testing.assert_close(mine.grad, theirs, rtol=1e-3, atol=1e-6)


def test_narrow_gradients_point_the_same_way(tokenizer: Tokenizer, rows: list[SampleRow]) -> None:
    """In bfloat16 they are coarser, and nothing more; the model's own weights stay what they are."""
    plain, ours = models(tokenizer, "eager", BLOCKS)
    loss, expected = plain_gradients(plain, rows, 3.0)
    with Gradients(ours, 3.0, torch.bfloat16, 2) as gradients:
        actual = gradients.of(batch_of(rows)).item()

    assert actual == pytest.approx(loss, rel=1e-2)
    for mine, theirs in zip(ours.parameters(), expected, strict=True):
        assert mine.dtype == torch.float32
        assert mine.grad is not None
        assert functional.cosine_similarity(mine.grad.flatten(), theirs.flatten(), dim=0) > 0.95


def test_the_same_rows_give_the_same_bits(tokenizer: Tokenizer, rows: list[SampleRow]) -> None:
    """However threads run, gradients are the same bit for bit."""
    (ours,) = models(tokenizer, BLOCKS)
    found = []
    with Gradients(ours, 3.0, torch.bfloat16, 2) as gradients:
        for _ in range(3):
            gradients.of(batch_of(rows))
            found.append([parameter.grad for parameter in ours.parameters()])

    for one, other in zip(found[0], found[2], strict=True):
        assert one is not None
        assert other is not None
        assert torch.equal(one, other)


def test_torch_has_its_threads_back(tokenizer: Tokenizer, rows: list[SampleRow]) -> None:
    """After training torch uses as many threads as before, also if it failed."""
    (ours,) = models(tokenizer, BLOCKS)
    before = torch.get_num_threads()
    with pytest.raises(KeyError), Gradients(ours, 3.0, torch.float32, 2):
        raise KeyError
    assert torch.get_num_threads() == before


def test_weighted_loss_of_many_positions() -> None:
    """More positions than a chunk holds, some of no weight, in one loss."""
    torch.manual_seed(2)
    hidden = torch.randn(700, 16, requires_grad=True)
    matrix = torch.randn(50, 16, requires_grad=True)
    targets, weights = torch.randint(0, 50, (700,)), torch.rand(700).round()
    expected = (functional.cross_entropy(hidden @ matrix.T, targets, reduction="none") * weights).sum() * 2
    wanted = torch.autograd.grad(expected, [hidden, matrix])

    actual = weighted_loss(hidden, matrix, targets, weights) * 2
    found = torch.autograd.grad(actual, [hidden, matrix])

    torch.testing.assert_close(actual, expected)
    torch.testing.assert_close(found[0], wanted[0])
    torch.testing.assert_close(found[1], wanted[1], rtol=1e-4, atol=1e-4)
