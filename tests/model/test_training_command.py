"""`dovetail train`: a model that can be hosted, mistakes in one sentence, signals, and a model that is trained on."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import torch
from safetensors.torch import load_file
from tests.hosted import hosted_model
from tests.model.short_runs import NEEDS_FULL, TINY, steps

from dovetail.commands.train import add_arguments, run
from dovetail.model.error import ModelError
from dovetail.model.losses import losses_of
from dovetail.model.publication import rounded
from dovetail.model.recipe import PRESETS
from dovetail.model.run import prepare
from dovetail.model.saved_run import load_run
from dovetail.model.tokenizer import END, FILE
from dovetail.model.training import new_model, train

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from dovetail.model.hosted import HostedModel


def arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(words)


def test_command_makes_a_model_that_can_be_hosted(
    sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`dovetail train` writes a folder that is hosted like any other, a card that says how, and the losses' picture."""
    output = tmp_path / "model"
    words = ("--output", str(output), "--sources", str(sources), "--preset", "tiny", "--minutes", "0.02")

    assert run(arguments(*words)) == 0

    hosted = hosted_model(str(output))
    generation = hosted.begin([hosted.vocabulary.specials["<fim_prefix>"], *hosted.encode("import ")])
    card = (output / "README.md").read_text(encoding="utf-8")
    captured = capsys.readouterr()
    assert len(generation.ranked(5)) == 5
    assert "--preset tiny --minutes 0.02" in card
    assert "held-out loss" in card
    assert "in the middle of code (Python)" in card
    assert "<|file|>other/file.py" in card
    assert "<polyline" in (output / "losses.svg").read_text(encoding="utf-8")
    assert "loss" in captured.err
    assert captured.out == ""


def test_a_model_is_written_while_its_run_goes_on(
    sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--export` writes the model of the last checkpoint, changes nothing of the run, and says what it lacks."""
    folder = tmp_path / "run"
    words = ("--output", str(tmp_path / "model"), "--sources", str(sources), "--preset", "tiny", "--steps", "9")
    assert run(arguments(*words, "--run", str(folder), "--export")) == 2
    assert "holds no checkpoint" in capsys.readouterr().err

    taken: list[int] = []
    kept = prepare(folder, TINY, [sources])
    train(kept, steps(9), report=lambda report: taken.append(report.step), stop=lambda: len(taken) == 4)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    assert run(arguments(*words, "--run", str(folder), "--export")) == 0
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert "4 steps of" in (tmp_path / "model" / "README.md").read_text(encoding="utf-8")
    found = load_run(folder)
    assert found is not None
    exported = load_file(tmp_path / "model" / "model.safetensors")
    assert all(torch.equal(tensor, rounded(found.model[name]).half()) for name, tensor in exported.items())


@NEEDS_FULL
def test_a_half_written_model_is_none(
    sources: Path,
    tmp_path: Path,
    full_disk: Callable[[str], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a full disk the command says so and leaves the model that was there; with room it publishes."""
    output = tmp_path / "model"
    words = ("--output", str(output), "--sources", str(sources), "--preset", "tiny", "--steps", "1")
    assert run(arguments(*words)) == 0
    card = (output / "README.md").read_text(encoding="utf-8")
    longer = (*words[:-1], "2")
    full_disk("model.safetensors")

    assert run(arguments(*longer)) == 2
    assert "No space left on device" in capsys.readouterr().err
    monkeypatch.undo()
    assert (output / "README.md").read_text(encoding="utf-8") == card
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model", "model.run"]
    assert run(arguments(*longer)) == 0
    assert (output / "README.md").read_text(encoding="utf-8") != card


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--sources", "no/such/folder"], "There is no folder no/such/folder"),
        (["--minutes", "0"], "no time to train in"),
        (["--steps", "-1"], "trains nothing"),
        (["--cross-file", "1.5"], "a number from 0 to 1"),
    ],
)
def test_a_mistake_is_one_sentence(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A mistake of the user is one line on stderr, with exit code 2."""
    assert run(arguments("--output", str(tmp_path / "model"), *words)) == 2

    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1
    assert not [*tmp_path.iterdir()]


def test_an_empty_folder_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder without a file to learn from is refused before anything is written."""
    (tmp_path / "sources").mkdir()
    words = ("--output", str(tmp_path / "model"), "--sources", str(tmp_path / "sources"))

    assert run(arguments(*words)) == 2
    assert "hold no Python file to learn from" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["sources"]


def test_nothing_else_is_overwritten(sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file, or a folder of something else, is not replaced by a model, and that is said before the training."""
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "thesis.txt").write_text("x")

    (tmp_path / "cloned" / ".git").mkdir(parents=True)
    (tmp_path / "cloned" / "config.json").write_text("{}")

    for name, sentence in (("file", "is a file"), ("folder", "holds thesis.txt"), ("cloned", "holds .git")):
        assert run(arguments("--output", str(tmp_path / name), "--sources", str(sources))) == 2
        assert sentence in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cloned", "file", "folder"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_and_saves(number: signal.Signals, sources: Path, tmp_path: Path) -> None:
    """A run that is told to stop saves all that it did, says how to continue, and continues."""
    words = ["--output", str(tmp_path / "model"), "--sources", str(sources), "--preset", "tiny", "--steps", "100000"]
    code = "import torch, sys; torch.set_num_threads(1); from dovetail.__main__ import main; sys.exit(main())"
    with subprocess.Popen(
        [sys.executable, "-c", code, "train", *words],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        assert process.stderr is not None
        said = next((line for line in process.stderr if line.startswith("step ")), "")
        process.send_signal(number)
        rest = process.stderr.read()
    found = load_run(tmp_path / "model.run")

    assert "loss" in said
    assert process.returncode == 128 + number
    assert "The same command continues from here" in " ".join(rest.split())
    assert not (tmp_path / "model").exists()
    assert found is not None
    assert found.step >= 1
    assert len(losses_of(tmp_path / "model.run")) == found.step


def test_training_goes_on_from_a_model(toy: Path, sources: Path, tmp_path: Path) -> None:
    """With `--from` a run begins with a model's weights and tokenizer, whatever the preset's sizes are."""
    kept = prepare(tmp_path / "run", PRESETS["cpu"], [sources], origin=toy)
    before = hosted_model(str(toy))
    model = new_model(kept.recipe, kept.tokenizer)
    missing, unexpected = model.load_state_dict(kept.beginning(), strict=False)

    assert kept.recipe.hidden_size == PRESETS["tiny"].hidden_size
    assert kept.recipe.length == PRESETS["cpu"].length
    assert kept.recipe.learning_rate < PRESETS["cpu"].learning_rate
    assert kept.tokenizer.to_str() == (toy / "tokenizer.json").read_text(encoding="utf-8")
    assert (missing, unexpected) == (["lm_head.weight"], [])
    tokens = torch.tensor([before.encode("import json\n")])
    with torch.inference_mode():
        torch.testing.assert_close(model(tokens).logits[0, -1].log_softmax(-1), scores(before, tokens[0].tolist()))


def test_a_model_without_a_mark_for_files_gets_one(toy: Path, sources: Path, tmp_path: Path) -> None:
    """The last pair makes room for the mark: no other token changes, and the mark begins as the end of a file does."""
    old = tmp_path / "old"
    shutil.copytree(toy, old)
    described = json.loads((toy / "tokenizer.json").read_text(encoding="utf-8"))
    (mark,) = [token for token in described["added_tokens"] if token["content"] == FILE]
    described["added_tokens"].remove(mark)
    vocabulary = described["model"]["vocab"]
    del vocabulary[FILE]
    vocabulary["unused"] = mark["id"]
    (old / "tokenizer.json").write_text(json.dumps(described), encoding="utf-8")
    kept = prepare(tmp_path / "run", TINY, [sources], origin=old)
    weights = kept.beginning()["model.embed_tokens.weight"]
    last = max(vocabulary.values())

    assert kept.tokenizer.get_vocab_size() == len(vocabulary)
    assert kept.tokenizer.token_to_id(FILE) == last
    assert torch.equal(weights[last], weights[kept.tokenizer.token_to_id(END)])
    unchanged = {token: number for token, number in vocabulary.items() if number != last}
    assert {token: number for token, number in kept.tokenizer.get_vocab().items() if number != last} == unchanged

    alone = replace(TINY, context_share=0.0, path_share=0.0)
    assert prepare(tmp_path / "alone", alone, [sources], origin=old).tokenizer.token_to_id(FILE) is None


def test_a_run_keeps_to_its_samples(sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A run that was begun with other packages held out, or another share of other files, is not gone on from."""
    words = ["--output", str(tmp_path / "model"), "--sources", str(sources), "--preset", "tiny", "--steps", "1"]
    assert run(arguments(*words, "--hold-out", "scanner", "--cross-file", "1")) == 0
    assert "held out" in capsys.readouterr().err
    assert "--hold-out scanner\n" in (tmp_path / "model" / "README.md").read_text(encoding="utf-8")

    for changed in (["--hold-out", "scanner"], ["--cross-file", "1"]):
        assert run(arguments(*words, *changed)) == 2
        assert "holds a run" in capsys.readouterr().err


def scores(hosted: HostedModel, tokens: list[int]) -> torch.Tensor:
    """Return the log-probabilities of all next tokens, (vocabulary)."""
    return torch.tensor(hosted.begin(tokens).scores(range(len(hosted.vocabulary.pieces))))


def test_the_command_goes_on_from_a_model(
    toy: Path, sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The result is another model of the same size, and its card names the one before."""
    words = ["--output", str(tmp_path / "model"), "--sources", str(sources), "--preset", "tiny", "--steps", "2"]

    assert run(arguments(*words, "--from", str(toy))) == 0
    card = (tmp_path / "model" / "README.md").read_text(encoding="utf-8")
    assert f"--from {toy}" in card
    assert f"trained on from `{toy}`" in card

    capsys.readouterr()
    assert run(arguments(*words, "--from", str(toy))) == 0
    assert "nothing was trained. Remove it to begin anew." in capsys.readouterr().err

    other = tmp_path / "other"
    shutil.copytree(tmp_path / "model", other)
    for start in ([], ["--from", str(other)]):
        assert run(arguments(*words, *start)) == 2
        assert "holds a run" in capsys.readouterr().err


@pytest.mark.parametrize("lacking", ["config.json", "tokenizer.json", "model.safetensors"])
def test_what_cannot_be_gone_on_from_is_a_sentence(lacking: str, toy: Path, sources: Path, tmp_path: Path) -> None:
    """A folder that lacks a part of a model, or holds one of another kind, is refused before anything is read."""
    folder = tmp_path / "other"
    shutil.copytree(toy, folder)
    (folder / lacking).unlink()
    with pytest.raises(ModelError, match=r"cannot continue from .* \(.*it needs config\.json"):
        prepare(tmp_path / "run", TINY, [sources], origin=folder)

    shutil.copytree(toy, folder, dirs_exist_ok=True)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "gpt2"}))
    with pytest.raises(ModelError, match="it was not made by `dovetail train`"):
        prepare(tmp_path / "run", TINY, [sources], origin=folder)
    assert not (tmp_path / "run").exists()
