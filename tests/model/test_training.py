"""Training, from a folder of sources to a model that can be hosted."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import torch

from dovetail.commands.train import add_arguments, run
from dovetail.model.error import ModelError
from dovetail.model.hosting import load_model
from dovetail.model.recipe import PRESETS
from dovetail.model.sources import read_corpus
from dovetail.model.training import Budget, Report, train

if TYPE_CHECKING:
    from pathlib import Path

    from dovetail.model.sources import Corpus

RECIPE = replace(PRESETS["tiny"], length=64, rows=2)


class KillError(Exception):
    """What stops a run from outside."""


def steps(count: int) -> Budget:
    return Budget(minutes=1, steps=count)


def test_loss_falls(corpus: Corpus, tmp_path: Path) -> None:
    """A short training leaves the model much better than by chance, on the steps and on held-out text."""
    losses = []
    outcome = train(
        corpus,
        PRESETS["tiny"],
        steps(80),
        tmp_path,
        bfloat16=False,
        report=lambda report: losses.append(report.loss),
    )

    assert losses[0] == pytest.approx(6.2, abs=0.3)
    assert sum(losses[-10:]) / 10 < losses[0] - 1
    assert outcome.held_out_loss < losses[0] - 1
    assert outcome.steps == len(losses) == 80


def test_a_killed_run_ends_as_if_it_had_not_been(corpus: Corpus, tmp_path: Path) -> None:
    """A run that is killed and started again has the weights of one that ran through."""

    def kill(report: Report) -> None:
        if report.step == 4:
            raise KillError

    whole = train(corpus, RECIPE, steps(8), tmp_path / "whole", bfloat16=False)
    with pytest.raises(KillError):
        train(
            corpus, RECIPE, steps(8), tmp_path / "killed", bfloat16=False, checkpoint_seconds=0, report=kill
        )
    seen: list[int] = []
    resumed = train(
        corpus,
        RECIPE,
        steps(8),
        tmp_path / "killed",
        bfloat16=False,
        report=lambda report: seen.append(report.step),
    )

    assert seen == [4, 5, 6, 7, 8]
    expected, actual = whole.model.state_dict(), resumed.model.state_dict()
    assert all(torch.equal(expected[name], actual[name]) for name in expected)


def test_learning_rate_follows_the_budget(corpus: Corpus, tmp_path: Path) -> None:
    """Progress runs from the first step to 1, and the time left to 0."""
    reports: list[Report] = []
    train(corpus, RECIPE, steps(4), tmp_path, bfloat16=False, report=reports.append)

    assert [report.progress for report in reports] == [0.25, 0.5, 0.75, 1.0]
    assert reports[-1].seconds_left == 0


def test_a_run_of_other_sources_is_not_gone_on_from(corpus: Corpus, sources: Path, tmp_path: Path) -> None:
    """A checkpoint of other texts or sizes is refused rather than mixed."""
    train(corpus, RECIPE, steps(1), tmp_path, bfloat16=False)

    with pytest.raises(ModelError, match="holds a run of other sources or sizes"):
        train(read_corpus([sources.parent / "email"]), RECIPE, steps(2), tmp_path, bfloat16=False)
    with pytest.raises(ModelError, match="holds a run of other sources or sizes"):
        train(corpus, replace(RECIPE, layers=1), steps(2), tmp_path, bfloat16=False)


def arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(words)


def test_command_makes_a_model_that_can_be_hosted(
    sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`dovetail train` writes a folder that is hosted like any other, and a card that says how."""
    output = tmp_path / "model"
    words = ("--output", str(output), "--sources", str(sources), "--preset", "tiny", "--minutes", "0.02")

    assert run(arguments(*words)) == 0

    hosted = load_model(str(output))
    generation = hosted.begin([hosted.vocabulary.specials["<fim_prefix>"], *hosted.encode("import ")])
    card = (output / "README.md").read_text(encoding="utf-8")
    captured = capsys.readouterr()
    assert len(generation.ranked(5)) == 5
    assert "--preset tiny --minutes 0.02" in card
    assert "held-out loss" in card
    assert "loss" in captured.err
    assert captured.out == ""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--sources", "no/such/folder"], "There is no folder no/such/folder"),
        (["--minutes", "0"], "no time to train in"),
        (["--steps", "-1"], "is no training"),
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
