"""`dovetail train`: a fill-in-the-middle model of one's own, from sources to a folder that can be hosted."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from dovetail.model.error import ModelError, require_extra
from dovetail.model.recipe import PRESETS
from dovetail.model.sources import read_corpus, standard_library

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from dovetail.model.training import Report

_SECONDS_A_LINE = 30.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "--output", type=Path, required=True, metavar="FOLDER", help="where the model is written"
    )
    parser.add_argument(
        "--sources",
        type=Path,
        nargs="+",
        metavar="FOLDER",
        help="folders of Python files to learn from (default: the standard library of this Python)",
    )
    parser.add_argument(
        "--minutes", type=float, default=50.0, metavar="N", help="how long to train (default: 50)"
    )
    parser.add_argument(
        "--steps",
        type=int,
        metavar="N",
        help="train for so many steps, however long they take (the same model every time)",
    )
    parser.add_argument(
        "--preset", choices=sorted(PRESETS), default="small", help="the size (default: small)"
    )
    parser.add_argument(
        "--run",
        type=Path,
        metavar="FOLDER",
        help="where the run is kept, so that a killed one goes on (default: beside the output)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Train and write the model; return the exit code."""
    console = Console(stderr=True)
    try:
        require_extra()
        if arguments.minutes <= 0:
            raise ModelError(f"--minutes {arguments.minutes:g} leaves no time to train in: give more than 0.")
        if arguments.steps is not None and arguments.steps <= 0:
            raise ModelError(f"--steps {arguments.steps} is no training: give more than 0.")
        _train(arguments, console)
    except ModelError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _train(arguments: argparse.Namespace, console: Console) -> None:
    # After `require_extra`, and here, since they import torch.
    from dovetail.model.publication import model_card, publish
    from dovetail.model.training import Budget, train

    recipe = PRESETS[arguments.preset]
    output: Path = arguments.output
    folder: Path = arguments.run or output.with_name(output.name + ".run")
    corpus = read_corpus(arguments.sources or [standard_library()])
    console.print(
        f"{len(corpus.training)} files to learn from, {len(corpus.held_out)} held out; the run is in {folder}"
    )
    budget = Budget(arguments.minutes, arguments.steps)
    if console.is_terminal:
        columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        with Progress(*columns, console=console) as progress:
            task = progress.add_task("tokenizer", total=1.0)

            def show(report: Report) -> None:
                progress.update(task, completed=report.progress, description=_line(report))

            outcome = train(corpus, recipe, budget, folder, report=show)
    else:
        outcome = train(corpus, recipe, budget, folder, report=_now_and_then(console))
    card = model_card(
        outcome,
        corpus,
        recipe,
        preset=arguments.preset,
        budget=budget,
        standard=not arguments.sources,
    )
    publish(outcome, output, card)
    console.print(
        f"{output}: {outcome.steps} steps, held-out loss {outcome.held_out_loss:.3f}, "
        f"{outcome.held_out_middle_loss:.3f} within middles"
    )


def _line(report: Report) -> str:
    minutes, seconds = divmod(int(report.seconds_left), 60) if report.progress else (0, 0)
    return (
        f"step {report.step}  loss {report.loss:.3f}  {report.tokens_a_second:.0f} tokens/s  "
        f"{minutes}:{seconds:02} left"
    )


def _now_and_then(console: Console) -> Callable[[Report], None]:
    """Return a reporter for logs, which prints a line every half minute."""
    last = -_SECONDS_A_LINE

    def report(current: Report) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _SECONDS_A_LINE or current.progress >= 1:
            last = now
            console.print(_line(current), highlight=False)

    return report
