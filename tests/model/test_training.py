"""Training, from a folder of sources to a model that can be hosted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.model.short_runs import NEEDS_FULL, RECIPE, TINY, KillError, finished, same, steps

from dovetail.model.error import ModelError
from dovetail.model.losses import losses_of
from dovetail.model.run import open_run, prepare
from dovetail.model.saved_run import load_run
from dovetail.model.training import Budget, Report, rate, train

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


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
    """The prepared text is kept as it was: a run that was carried elsewhere is opened without the sources."""
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


@NEEDS_FULL
@pytest.mark.parametrize("name", ["tokenizer.json", "tokens.bin", "texts.txt", "documents.json", "run.json"])
def test_a_run_is_prepared_wholly_or_not_at_all(
    name: str, sources: Path, tmp_path: Path, full_disk: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No half-written run is taken for one if the disk is full; with room it is prepared anew."""
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
    """The run goes on from the checkpoint before if one cannot be written."""
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
