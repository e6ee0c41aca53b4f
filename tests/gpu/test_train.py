"""The way of a training to a machine with a CUDA device and back, gone here without one."""

from __future__ import annotations

import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import torch
from tests.gpu.train import MovableEnd, joined, main, pack, restore, split
from transformers import LlamaConfig, LlamaForCausalLM

from dovetail.model.error import ModelError
from dovetail.model.hosting import load_model
from dovetail.model.recipe import PRESETS
from dovetail.model.run import open_run

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT = 16_000_000
"""Bytes of a file that may be moved."""


def test_pieces_join_to_what_they_were(tmp_path: Path) -> None:
    """Data of any length comes back from its pieces, and pieces of longer data before it are gone."""
    for data in (b"", b"x" * 25, b"y" * 10, b"z" * 9):
        if data:
            split(data, tmp_path, "thing", 10)
            assert joined(tmp_path, "thing") == data
    assert [path.name for path in tmp_path.iterdir()] == ["thing.00"]
    with pytest.raises(ModelError, match="name the folder with the pieces"):
        joined(tmp_path, "other")


def test_a_training_is_packed_run_in_calls_and_joined(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Call by call the run goes on until it is finished; the model comes back in pieces and is hosted."""
    sources = str(Path(sysconfig.get_path("stdlib")) / "json")
    pieces, work, model = tmp_path / "pieces", tmp_path / "work", tmp_path / "model"
    common = ["--work", str(work), "--preset", "tiny"]
    assert main(["pack", str(pieces), "--sources", sources, "--work", str(tmp_path / "here"), "--preset", "tiny"]) == 0

    again = "not finished: call again\n"
    for seconds, said in (("0", again), ("0", again), ("999", "finished\n")):
        assert main(["run", str(pieces), *common, "--steps", "4", "--seconds", seconds, "--cpu"]) == 0
        assert capsys.readouterr().out == said

    assert main(["join", str(pieces), str(model)]) == 0
    assert load_model(str(model)).window == PRESETS["tiny"].length
    assert all(path.stat().st_size <= LIMIT for path in pieces.iterdir())


def test_only_texts_travel_and_everything_is_there_again(tmp_path: Path) -> None:
    """The run that is made of the pieces has the same documents, tokens and neighbours."""
    sources, here, there = [Path(sysconfig.get_path("stdlib")) / "email"], tmp_path / "here", tmp_path / "there"
    pack(tmp_path, sources, "tiny", here, ())
    restore(joined(tmp_path, "run.xz"), there)
    ours, theirs = open_run(here, PRESETS["tiny"]), open_run(there, PRESETS["tiny"])

    assert theirs.identity == ours.identity
    assert theirs.training.documents == ours.training.documents
    assert theirs.held_out.documents == ours.held_out.documents
    for number, document in enumerate(ours.training.documents):
        middle = len(document.text) // 2
        assert theirs.training.left(number, middle, 99) == ours.training.left(number, middle, 99)
    assert (theirs.training.neighbours == ours.training.neighbours).all()


def test_the_end_of_a_training_moves(tmp_path: Path) -> None:
    """A file in the run's folder counts from the moment that it is there."""
    budget = MovableEnd(10.0, None, tmp_path)

    assert budget.progress(7, 300.0) == 0.5
    (tmp_path / "minutes").write_text("6")
    assert budget.progress(7, 300.0) == pytest.approx(5 / 6)


def test_without_a_device_it_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No hours are spent on a processor by mistake; a folder without pieces is named."""
    absent: Callable[[], bool] = lambda: False  # noqa: E731
    monkeypatch.setattr(torch.cuda, "is_available", absent)

    assert main(["run", str(tmp_path)]) == 2
    assert "There is no CUDA device here" in capsys.readouterr().err
    assert main(["join", str(tmp_path), str(tmp_path / "model")]) == 2
    assert "holds no model.tar.00" in capsys.readouterr().err


def test_the_preset_is_of_a_size_to_choose() -> None:
    """Between 100 and 300 million parameters: worth an accelerator, and still to be run on a processor."""
    recipe = PRESETS["gpu"]
    config = LlamaConfig(
        vocab_size=recipe.vocabulary_size,
        hidden_size=recipe.hidden_size,
        intermediate_size=recipe.feed_forward_size,
        num_hidden_layers=recipe.layers,
        num_attention_heads=recipe.heads,
        num_key_value_heads=recipe.key_heads,
        tie_word_embeddings=True,
    )
    with torch.device("meta"):
        parameters = sum(parameter.numel() for parameter in LlamaForCausalLM(config).parameters())

    assert 100e6 <= parameters <= 300e6
