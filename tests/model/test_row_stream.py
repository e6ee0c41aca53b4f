"""Rows from processes of their own: every document once, the same rows each time, and going on where it stopped."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

from dovetail.model.attention import KERNEL
from dovetail.model.dataset import Dataset, encode
from dovetail.model.gradients import DeviceGradients, Gradients
from dovetail.model.recipe import PRESETS
from dovetail.model.row_stream import RowStream, batch_of, joined, parts_of
from dovetail.model.samples import Sampler
from dovetail.model.training import new_model

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from dovetail.model.row_stream import RowBatch
    from dovetail.model.sources import Corpus

RECIPE = replace(PRESETS["tiny"], context_share=0.5, path_share=0.5)


@pytest.fixture(name="dataset", scope="module")
def _dataset(corpus: Corpus, tokenizer: Tokenizer) -> Dataset:
    return encode(corpus.training, tokenizer)


def taken(dataset: Dataset, tokenizer: Tokenizer, first: int, rows: int, *, may_repeat: bool = False) -> RowBatch:
    """Return rows of two processes, from some row on, eight at a time."""
    with RowStream(dataset, tokenizer, RECIPE, 2, first, may_repeat=may_repeat) as stream:
        return joined([stream.take(8) for _ in range(rows // 8)])


def test_the_parts_hold_every_document_once_and_weigh_the_same(dataset: Dataset) -> None:
    """Packages stay whole."""
    parts = parts_of(dataset, 3)
    weights = [sum(dataset.documents[number].weight for number in part) for part in parts]
    packages = [{dataset.documents[number].package for number in part} for part in parts]
    largest = max(
        sum(one.weight for one in dataset.documents if one.package == name)
        for name in {one.package for one in dataset.documents}
    )

    assert sorted(number for part in parts for number in part) == list(range(len(dataset.documents)))
    assert not any(one & other for place, one in enumerate(packages) for other in packages[place + 1 :])
    assert max(weights) - min(weights) <= largest


def test_a_sampler_draws_from_its_part_alone(dataset: Dataset, tokenizer: Tokenizer) -> None:
    """The rows of one document hold its words."""
    number = max(range(len(dataset.documents)), key=lambda place: len(dataset.documents[place].text))
    rows = [Sampler(dataset, tokenizer, 3, part=[number]).row(0, index, 128) for index in range(4)]
    known = set(tokenizer.encode(dataset.documents[number].text, add_special_tokens=False).tokens)
    drawn = {tokenizer.id_to_token(token) for row in rows for token in row.inputs}

    assert len(drawn & known) > 0.5 * len(drawn)


def test_the_same_rows_come_each_time_and_a_run_goes_on(dataset: Dataset, tokenizer: Tokenizer) -> None:
    """Nothing but its number decides a row."""
    whole = taken(dataset, tokenizer, 0, 32)

    assert all(map(np.array_equal, taken(dataset, tokenizer, 0, 32), whole))
    assert all(
        np.array_equal(late, all_[16:]) for late, all_ in zip(taken(dataset, tokenizer, 16, 16), whole, strict=True)
    )
    assert whole.inputs.shape == (32, RECIPE.length)


def test_rows_come_again_only_where_they_may(dataset: Dataset, tokenizer: Tokenizer) -> None:
    """A device that is faster than the processes sees some rows twice and never waits but for the first."""
    rows = taken(dataset, tokenizer, 0, 800, may_repeat=True)
    once = taken(dataset, tokenizer, 0, 80)

    assert len(rows.inputs) == 800
    assert len({row.tobytes() for row in rows.inputs}) < 800
    assert len({row.tobytes() for row in once.inputs}) == 80


def test_without_a_compiler_torch_has_kernels_of_its_own(
    dataset: Dataset, tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A training does not end because its kernels cannot be compiled; other failures are not hidden."""

    def broken(*_: object, **__: object) -> object:
        raise RuntimeError("no compiler")

    monkeypatch.setattr(torch, "compile", lambda *_, **__: broken)
    rows = batch_of([Sampler(dataset, tokenizer, seed=5).row(0, index, 64) for index in range(2)])
    gradients = DeviceGradients(new_model(RECIPE, tokenizer, KERNEL), 3.0, torch.float32, compiled=True)
    gradients.prepare(rows)

    assert gradients.of(rows).item() > 0
    with pytest.raises(IndexError):
        gradients.prepare(rows._replace(inputs=rows.inputs + 10**6))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_gradients_of_a_device_are_those_of_a_processor(
    dataset: Dataset, tokenizer: Tokenizer, dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parts of a batch add up to it; narrow numbers point the same way."""
    monkeypatch.setattr("dovetail.model.gradients._AT_ONCE_COMPILED", 300)
    sampler = Sampler(dataset, tokenizer, seed=5)
    rows = batch_of([sampler.row(0, index, 150) for index in range(6)])
    torch.manual_seed(11)
    model = new_model(replace(RECIPE, heads=4, key_heads=2), tokenizer, KERNEL)
    found = []
    gradients: Gradients | DeviceGradients
    for gradients in (
        Gradients(model, 3.0, torch.float32, 1),
        DeviceGradients(model, 3.0, dtype, compiled=False),
    ):
        with gradients:
            loss = gradients.of(rows).item()
        found.append((loss, torch.cat([one.grad.flatten() for one in model.parameters() if one.grad is not None])))
    (loss, plain), (other, ours) = found

    assert other == pytest.approx(loss, rel=1e-5 if dtype == torch.float32 else 1e-2)
    assert torch.cosine_similarity(plain, ours, 0) > (0.99999 if dtype == torch.float32 else 0.999)
