"""Batches of hosted models: the rows of a tree have the numbers of single texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import torch
from tests.hosted import hosted_model
from tests.model.test_hosting import PROMPT, SLIDING, of_architecture
from transformers import GPT2Config, GPTBigCodeConfig, MambaConfig, MistralConfig, Qwen2Config

from dovetail.decoding.proposer import BatchProposer
from dovetail.model.products import few_rows

if TYPE_CHECKING:
    from pathlib import Path

    from transformers import PreTrainedConfig

    from dovetail.model.batch import HostedRow
    from dovetail.model.hosted import HostedModel


@pytest.fixture(name="hosted", scope="module")
def _hosted(toy: Path) -> HostedModel:
    return hosted_model(str(toy))


def first_row(hosted: HostedModel, tokens: list[int], document: str | None = None) -> HostedRow:
    row = hosted.begin_batch(tokens, document)
    assert row is not None
    return row


def same(hosted: HostedModel, row: HostedRow, tokens: list[int]) -> None:
    """Compare a row with a generation of its own that has read the same tokens."""
    expected = hosted.begin(tokens)
    assert [token for token, _ in row.ranked(8)] == [token for token, _ in expected.ranked(8)]
    assert [score for _, score in row.ranked(8)] == pytest.approx([score for _, score in expected.ranked(8)], abs=1e-3)
    assert row.ending() == pytest.approx(expected.ending(), abs=1e-3)


def passes(hosted: HostedModel, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that takes note of the number of tokens of each pass from now on."""
    lengths: list[int] = []
    forward = hosted._model.forward

    def counted(*arguments: object, **options: torch.Tensor) -> object:
        lengths.append(options["input_ids"].shape[1])
        return forward(*arguments, **options)

    monkeypatch.setattr(hosted._model, "forward", counted)
    return lengths


@pytest.mark.parametrize(
    "config",
    [
        GPT2Config(n_embd=32, n_layer=2, n_head=2),
        GPTBigCodeConfig(n_embd=32, n_layer=2, n_head=2),
        Qwen2Config(
            hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=1,
            tie_word_embeddings=True,
        ),
        MistralConfig(
            hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=1,
            sliding_window=4096, max_position_embeddings=256,
        ),
    ],
    ids=lambda config: config.model_type,
)  # fmt: skip
def test_rows_have_the_numbers_of_single_texts(config: PreTrainedConfig, toy: Path, tmp_path: Path) -> None:
    """Rows of unequal length, forks of forks and rewound rows score as they would alone, on every architecture."""
    hosted = of_architecture(config, toy, tmp_path / "other")
    prompt = hosted.encode(PROMPT)
    row = first_row(hosted, prompt)
    same(hosted, row, prompt)

    one, other = row.fork(), row.fork()
    for token in (5, 6, 7):
        one.feed(token)
    other.feed(8)
    same(hosted, one, [*prompt, 5, 6, 7])
    same(hosted, other, [*prompt, 8])
    third = one.fork()
    third.feed(9)
    one.feed(10)
    other.feed(11)
    same(hosted, other, [*prompt, 8, 11])
    same(hosted, third, [*prompt, 5, 6, 7, 9])
    same(hosted, one, [*prompt, 5, 6, 7, 10])
    one.rewind(3)
    one.feed(12)
    same(hosted, one, [*prompt, 5, 12])


@pytest.mark.parametrize(
    "config",
    [MambaConfig(hidden_size=32, num_hidden_layers=2, state_size=4), *SLIDING],
    ids=lambda config: config.model_type,
)
def test_models_that_read_no_trees_have_no_batches(config: PreTrainedConfig, toy: Path, tmp_path: Path) -> None:
    """A model with a state of its own, or with windows shorter than a text, says so: its texts are taken in turn."""
    hosted = of_architecture(config, toy, tmp_path / "other")

    assert hosted.begin_batch(hosted.encode(PROMPT)) is None


def test_a_hosted_model_is_a_proposer_with_batches(hosted: HostedModel) -> None:
    """The decoder recognises it by its methods."""
    assert isinstance(hosted, BatchProposer)


def test_a_model_that_takes_masks_otherwise_has_no_batches(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that overlooks the mask, or fails with one, is found out before it writes."""
    for broken in ("overlooks", "fails"):
        hosted = hosted_model(str(toy))
        forward = hosted._model.forward

        def other(*arguments: object, broken: str = broken, forward: object = forward, **options: object) -> object:
            if options.pop("attention_mask", None) is not None and broken == "fails":
                raise TypeError("no such mask")
            assert callable(forward)
            return forward(*arguments, **options)

        monkeypatch.setattr(hosted._model, "forward", other)

        assert hosted.begin_batch(hosted.encode(PROMPT)) is None


def test_one_pass_reads_all_rows_and_their_drafts(hosted: HostedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass reads what is new of every row; what was drafted rightly needs no further pass; dropped rows none."""
    prompt = hosted.encode(PROMPT)
    row = first_row(hosted, prompt)
    row.ranked(1)
    rows = [row.fork() for _ in range(3)]
    lengths = passes(hosted, monkeypatch)

    for token, one in enumerate(rows, 5):
        one.feed(token)
        one.start([20, 21] if token == 5 else [])
    for one in rows:
        one.ranked(1)
    assert lengths == [5]  # a token of each row, and a draft of two

    for token in (20, 21):
        rows[0].feed(token)
        assert rows[0].known
        rows[0].ranked(1)
    rows[1].feed(30)
    assert not rows[1].known
    rows[2].feed(31)
    rows[2].drop()
    rows[1].ranked(1)
    assert lengths == [5, 1]
    same(hosted, rows[0], [*prompt, 5, 20, 21])


def test_rows_share_what_they_have_in_common(hosted: HostedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rows that are fed the same tokens are one text to the model, until they part."""
    row = first_row(hosted, hosted.encode(PROMPT))
    row.ranked(1)
    rows = [row.fork(), row.fork()]
    lengths = passes(hosted, monkeypatch)

    for one in rows:
        for token in (5, 6):
            one.feed(token)
    rows[1].feed(7)
    for one in rows:
        one.ranked(1)

    assert lengths == [3]


def test_the_next_request_of_the_document_takes_the_prompt_over(
    hosted: HostedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows' texts are taken out of the cache, the prompt is not read again, also while rows are left."""
    prompt = hosted.encode(PROMPT)
    row = first_row(hosted, prompt, "document")
    row.ranked(1)
    for token in (5, 6):
        fork = row.fork()
        fork.feed(token)
        fork.ranked(1)
    lengths = passes(hosted, monkeypatch)

    again = hosted.begin([*prompt, 9], "document")
    found = again.ranked(8)

    assert lengths == [1]
    monkeypatch.undo()
    fresh = hosted.begin([*prompt, 9]).ranked(8)
    assert [token for token, _ in found] == [token for token, _ in fresh]
    assert [score for _, score in found] == pytest.approx([score for _, score in fresh], abs=1e-4)


def test_a_failed_pass_of_a_batch_is_forgotten(hosted: HostedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next request of the document reads everything again if a pass failed: nobody knows what it had read."""
    prompt = hosted.encode(PROMPT)
    expected = hosted.begin(prompt).ranked(5)
    row = first_row(hosted, prompt, "failed")
    row.ranked(1)
    row.feed(5)
    with monkeypatch.context() as patched:
        patched.setattr(hosted._model, "forward", lambda **options: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            row.ranked(1)

    assert hosted.begin(prompt, "failed").ranked(5) == expected


def test_few_rows_are_multiplied_like_many() -> None:
    """The faster product of a few rows is the usual one but for rounding, whatever the number and form of the rows."""
    torch.manual_seed(5)
    matrix = torch.randn(50, 16)
    for shape in ((1, 16), (2, 16), (1, 3, 16), (1, 8, 16), (1, 9, 16), (2, 2, 16)):
        inputs = torch.randn(*shape)
        expected = torch.nn.functional.linear(inputs, matrix)

        found = few_rows(matrix, inputs)

        assert found.shape == expected.shape
        assert torch.allclose(found, expected, atol=1e-5)
