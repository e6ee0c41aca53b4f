"""Training, from a folder of sources to a model that can be hosted."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import torch
from safetensors.torch import load_file
from tests.hosted import hosted_model

from dovetail.commands.train import add_arguments, run
from dovetail.model.error import ModelError
from dovetail.model.losses import losses_of
from dovetail.model.recipe import PRESETS, Recipe
from dovetail.model.run import open_run, prepare
from dovetail.model.saved_run import load_run
from dovetail.model.training import Budget, Report, TrainedModel, new_model, rate, train

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.model.hosted import HostedModel

TINY = PRESETS["tiny"]
RECIPE = replace(TINY, length=64, step_tokens=192, lengths=((0.5, 32),))


class KillError(Exception):
    """The signal that stops a run from outside."""


def steps(count: int) -> Budget:
    return Budget(minutes=1, steps=count)


def finished(folder: Path, sources: Path, budget: Budget, recipe: Recipe = RECIPE, **options: Any) -> TrainedModel:
    """Train to the end."""
    trained = train(prepare(folder, recipe, [sources]), budget, bfloat16=False, **options)
    assert trained is not None
    return trained


def same(one: Any, other: Any) -> bool:
    """Return whether two models have the same weights, bit for bit."""
    expected, actual = one.state_dict(), other.state_dict()
    return all(torch.equal(expected[name], actual[name]) for name in expected)


def test_loss_falls(sources: Path, tmp_path: Path) -> None:
    """A short training leaves the model much better than by chance, on the steps and on held-out text."""
    losses: list[float] = []
    trained = finished(tmp_path, sources, steps(80), TINY, report=lambda report: losses.append(report.loss))

    assert losses[0] == pytest.approx(6.2, abs=0.3)
    assert sum(losses[-10:]) / 10 < losses[0] - 1
    assert trained.held_out_loss < losses[0] - 1
    assert trained.steps == len(losses) == 80
    assert [loss for _, loss in losses_of(tmp_path)] == pytest.approx(losses, abs=1e-4)


@pytest.mark.parametrize("seconds", [0.0, 1e9], ids=["saved at every step", "never saved"])
def test_a_killed_run_ends_as_if_it_had_not_been(sources: Path, tmp_path: Path, seconds: float) -> None:
    """A run that is killed and started again has the weights of one that ran through, bit for bit."""

    def kill(report: Report) -> None:
        if report.step == 4:
            raise KillError

    whole = finished(tmp_path / "whole", sources, steps(8))
    with pytest.raises(KillError):
        finished(tmp_path / "killed", sources, steps(8), checkpoint_seconds=seconds, report=kill)
    seen: list[int] = []
    resumed = finished(tmp_path / "killed", sources, steps(8), report=lambda report: seen.append(report.step))

    assert seen == [*range(4 if seconds == 0 else 1, 9)]
    assert same(whole.model, resumed.model)
    assert losses_of(tmp_path / "whole") == losses_of(tmp_path / "killed")


def test_a_stopped_run_is_saved_where_it_stands(sources: Path, tmp_path: Path) -> None:
    """Asked to stop, training ends after the step, and goes on there as if it had not stopped."""
    whole = finished(tmp_path / "whole", sources, steps(8))
    taken: list[int] = []
    kept = prepare(tmp_path / "stopped", RECIPE, [sources])
    trained = train(
        kept, steps(8), bfloat16=False, report=lambda report: taken.append(report.step), stop=lambda: len(taken) == 3
    )
    resumed = finished(tmp_path / "stopped", sources, steps(8), report=lambda report: taken.append(report.step))

    assert trained is None
    assert taken == [1, 2, 3, 4, 5, 6, 7, 8]
    assert same(whole.model, resumed.model)


def test_a_run_goes_on_without_its_sources(sources: Path, tmp_path: Path) -> None:
    """What was read is kept as it was: a run that was carried elsewhere is opened without the sources."""
    prepared = prepare(tmp_path / "here", RECIPE, [sources])
    (tmp_path / "here").rename(tmp_path / "there")
    opened = open_run(tmp_path / "there", RECIPE)

    assert opened.corpus == prepared.corpus
    assert opened.identity == prepared.identity
    with pytest.raises(ModelError, match="holds no run"):
        open_run(tmp_path / "here", RECIPE)


def test_learning_rate_follows_the_budget(sources: Path, tmp_path: Path) -> None:
    """Progress runs from the first step to 1, and the time left to 0; the rate rises and falls along."""
    reports: list[Report] = []
    finished(tmp_path, sources, steps(4), report=reports.append)

    assert [report.progress for report in reports] == [0.25, 0.5, 0.75, 1.0]
    assert reports[-1].seconds_left == 0
    assert rate(RECIPE, 0) < rate(RECIPE, RECIPE.warm_up / 2) < rate(RECIPE, RECIPE.warm_up) == 1
    assert rate(RECIPE, 1) == pytest.approx(RECIPE.last_rate)


def test_a_rate_that_cools_at_the_end_can_be_cut_short() -> None:
    """With a part to cool in the rate stays at its highest until then, and falls in a straight line to the last."""
    recipe = replace(RECIPE, cooling=0.2, warm_up=0.1, last_rate=0.0)

    assert [rate(recipe, progress) for progress in (0.05, 0.1, 0.5, 0.8)] == pytest.approx([0.5, 1.0, 1.0, 1.0])
    assert [rate(recipe, progress) for progress in (0.9, 0.95, 1.0)] == pytest.approx([0.5, 0.25, 0.0])


def test_a_killed_run_with_long_samples_goes_on_exactly(sources: Path, tmp_path: Path) -> None:
    """With other files before the samples and with a cooling rate too, a killed run ends with the same weights."""
    recipe = replace(TINY, length=512, step_tokens=1024, context_share=1.0, cooling=0.5)
    whole = finished(tmp_path / "whole", sources, steps(4), recipe)

    def kill(report: Report) -> None:
        if report.step == 3:
            raise KillError

    with pytest.raises(KillError):
        finished(tmp_path / "killed", sources, steps(4), recipe, checkpoint_seconds=0, report=kill)

    assert same(whole.model, finished(tmp_path / "killed", sources, steps(4), recipe).model)


def test_a_run_is_lengthened_before_it_cools(sources: Path, tmp_path: Path) -> None:
    """A run that was begun with fewer steps goes on as if it had been begun with more, if it has not cooled yet."""
    recipe = replace(TINY, cooling=0.2, warm_up=0.0)
    whole = finished(tmp_path / "whole", sources, steps(8), recipe)
    taken: list[int] = []
    begun = prepare(tmp_path / "begun", recipe, [sources])
    train(begun, steps(6), bfloat16=False, report=lambda report: taken.append(report.step), stop=lambda: len(taken) > 2)

    assert same(whole.model, finished(tmp_path / "begun", sources, steps(8), recipe).model)


def test_minutes_are_those_of_the_clock(sources: Path, tmp_path: Path) -> None:
    """A run of minutes ends when they are over, and resumed after that, at once."""
    budget = Budget(minutes=0.02)
    trained = finished(tmp_path, sources, budget)
    again = finished(tmp_path, sources, budget)

    assert trained.seconds >= 1.2
    assert again.steps == trained.steps
    assert same(trained.model, again.model)


def test_a_run_of_other_sources_is_not_gone_on_from(sources: Path, tmp_path: Path) -> None:
    """A folder of other texts or sizes is refused rather than mixed."""
    finished(tmp_path, sources, steps(1))

    with pytest.raises(ModelError, match="holds a run of other sources or sizes"):
        finished(tmp_path, sources.parent / "email", steps(2))
    with pytest.raises(ModelError, match="holds a run of other sources or sizes"):
        finished(tmp_path, sources, steps(2), replace(RECIPE, layers=1))


@pytest.mark.parametrize("name", ["run.json", "tokenizer.json", "training/documents.json", "checkpoint.pt"])
def test_a_damaged_run_is_a_sentence(name: str, sources: Path, tmp_path: Path) -> None:
    """A file that was cut short is named, with what to do."""
    finished(tmp_path, sources, steps(1))
    path = tmp_path / name
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])

    with pytest.raises(ModelError, match=r"damaged .*: remove (it|the folder)"):
        finished(tmp_path, sources, steps(2))


@pytest.fixture(name="full_disk")
def _full_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function after which no file whose name starts so can be written to."""

    def fill(name: str) -> None:
        whole = Path.open

        def half(path: Path, mode: str = "r", *rest: Any, **options: Any) -> Any:
            file = whole(path, mode, *rest, **options)
            if path.name.startswith(name) and mode[0] in "wa":
                file.write(b"half" if "b" in mode else "half")
                file.flush()
                descriptor = os.open("/dev/full", os.O_WRONLY)
                os.dup2(descriptor, file.fileno())  # what is written from now on meets a full device
                os.close(descriptor)
            return file

        monkeypatch.setattr(Path, "open", half)

    return fill


NEEDS_FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")


@NEEDS_FULL
@pytest.mark.parametrize("name", ["tokenizer.json", "tokens.bin", "texts.txt", "documents.json", "run.json"])
def test_a_run_is_prepared_wholly_or_not_at_all(
    name: str, sources: Path, tmp_path: Path, full_disk: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the disk is full no half-written run is taken for one; with room it is prepared anew."""
    full_disk(name)
    with pytest.raises(ModelError, match=r"Nothing can be written to .* \(No space left on device\): make room"):
        prepare(tmp_path, RECIPE, [sources])
    monkeypatch.undo()

    assert not (tmp_path / "run.json").exists()
    assert not [*tmp_path.rglob("*.partial")]
    assert prepare(tmp_path, RECIPE, [sources]).corpus.training


@NEEDS_FULL
def test_a_full_disk_costs_no_checkpoint(
    sources: Path, tmp_path: Path, full_disk: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a checkpoint cannot be written, the one before it is what the run goes on from."""
    taken: list[int] = []

    def fill_at_four(report: Report) -> None:
        taken.append(report.step)
        if report.step == 4:
            full_disk("checkpoint.pt")

    with pytest.raises(ModelError, match=r"\(No space left on device\)"):
        finished(tmp_path, sources, steps(8), checkpoint_seconds=0, report=fill_at_four)
    monkeypatch.undo()
    found = load_run(tmp_path)

    assert found is not None
    assert found.step == taken[-1] - 1 == 3
    assert finished(tmp_path, sources, steps(8)).steps == 8


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
    assert all(torch.equal(tensor, found.model[name].half()) for name, tensor in exported.items())


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
    ],
)
def test_a_mistake_is_one_sentence(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the user gets wrong is said in one line on stderr, with exit code 2."""
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


def scores(hosted: HostedModel, tokens: list[int]) -> torch.Tensor:
    """Return the log-probabilities of all next tokens, (vocabulary)."""
    return torch.tensor(hosted.begin(tokens).scores(range(len(hosted.vocabulary.pieces))))


def test_the_command_goes_on_from_a_model(
    toy: Path, sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What comes out is another model of the same size, and its card names the one before."""
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
