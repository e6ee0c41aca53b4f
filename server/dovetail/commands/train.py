"""`dovetail train`: train a fill-in-the-middle model on folders of sources."""

from __future__ import annotations

import math
import signal
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from dovetail.model.error import ModelError, require_extra
from dovetail.model.hosting import EMBEDDED
from dovetail.model.recipe import PRESETS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator
    from types import FrameType

    from dovetail.model.training import Report, TrainedModel

_SECONDS_A_LINE = 30.0
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


EPILOG = """\
examples:
  dovetail train --output model --minutes 60
  dovetail train --output model --sources ~/src ~/more --preset embedded
  dovetail train --output model --export                 the model of the last checkpoint

exit codes:
  0    the model is written
  2    the command is wrong, or the sources cannot be used
  130  it was interrupted; the same command continues
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("--output", type=Path, required=True, metavar="FOLDER", help="where the model is written")
    parser.add_argument(
        "--sources",
        type=Path,
        nargs="+",
        metavar="FOLDER",
        help="folders of Python files, or collections of packages, to learn from (default: the standard library of "
        "this Python, and the permissively licensed packages beside it)",
    )
    parser.add_argument(
        "--minutes", type=float, default=180.0, metavar="N", help="the minutes of training (default: 180)"
    )
    parser.add_argument(
        "--steps",
        type=int,
        metavar="N",
        help="train for so many steps, however long they take (the same model every time)",
    )
    parser.add_argument("--preset", choices=sorted(PRESETS), default="cpu", help="the size (default: cpu)")
    parser.add_argument(
        "--from",
        dest="origin",
        type=Path,
        metavar="FOLDER",
        help="go on from a model that this command made, with its size and tokenizer; `embedded` for the embedded one",
    )
    parser.add_argument(
        "--run",
        type=Path,
        metavar="FOLDER",
        help="where the run is kept, so that a killed one goes on (default: beside the output)",
    )
    parser.add_argument(
        "--hold-out",
        nargs="+",
        default=(),
        metavar="PACKAGE",
        help="packages to keep from training, with all copies of their files, beside those that always are",
    )
    parser.add_argument(
        "--cross-file",
        type=float,
        metavar="SHARE",
        help="the share of samples that begin with parts of other files, from 0 to 1 (default: that of the preset)",
    )
    parser.add_argument("--threads", type=int, metavar="N", help="processor cores to train on (default: all)")
    parser.add_argument(
        "--export",
        action="store_true",
        help="train nothing; write the model of the run's last checkpoint, while the run may go on",
    )


def run(arguments: argparse.Namespace) -> int:
    """Train and write the model; return the exit code."""
    console = Console(stderr=True)
    try:
        require_extra()
        if not 0 < arguments.minutes < math.inf:
            raise ModelError(f"--minutes {arguments.minutes:g} leaves no time to train in: give more than 0.")
        if arguments.steps is not None and arguments.steps <= 0:
            raise ModelError(f"--steps {arguments.steps} trains nothing: give more than 0.")
        if arguments.threads is not None and arguments.threads <= 0:
            raise ModelError(f"--threads {arguments.threads} leaves no core to train on: give more than 0.")
        if arguments.cross_file is not None and not 0 <= arguments.cross_file <= 1:
            raise ModelError(f"--cross-file {arguments.cross_file:g} is no share: give a number from 0 to 1.")
        with _stops() as stops:
            _train(arguments, console, stops)
    except ModelError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    # As a shell says of what a signal ended.
    return 128 + stops[0] if stops else 0


@contextmanager
def _stops() -> Iterator[list[int]]:
    """Yield a list that holds the first signal that asks to stop; a second signal stops at once."""
    came: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)
        for known, handler in before.items():
            signal.signal(known, handler)

    before = {number: signal.signal(number, note) for number in _SIGNALS}
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _train(arguments: argparse.Namespace, console: Console, stops: list[int]) -> None:
    # After `require_extra`, and here, since they import torch.
    from dovetail.model.card import model_card
    from dovetail.model.device import use_threads
    from dovetail.model.losses import losses_of, picture
    from dovetail.model.publication import check_place, publish
    from dovetail.model.run import prepare
    from dovetail.model.training import Budget, last_saved, train

    if arguments.threads is not None:
        use_threads(arguments.threads)
    output: Path = arguments.output.absolute() if arguments.output.name in ("", "..") else arguments.output
    check_place(output)
    folder: Path = arguments.run or output.with_name(output.name + ".run")
    origin = EMBEDDED if arguments.origin == Path("embedded") and not arguments.origin.is_dir() else arguments.origin
    recipe = PRESETS[arguments.preset]
    if arguments.cross_file is not None:
        recipe = replace(recipe, context_share=arguments.cross_file)
    kept = prepare(folder, recipe, arguments.sources, origin, arguments.hold_out)
    corpus = kept.corpus
    console.print(
        f"{len(corpus.training)} files to learn from, {len(corpus.held_out)} held out "
        f"({', '.join(corpus.held_out_packages)}); the run is in {folder}",
        highlight=False,
    )
    budget = Budget(arguments.minutes, arguments.steps)
    if arguments.export:
        trained: TrainedModel | None = last_saved(kept)
    else:
        with _shown(console) as report:
            trained = train(kept, budget, report=report, stop=lambda: bool(stops))
    if trained is None:
        console.print(f"Stopped. The same command continues from here; the run is kept in {folder}.", highlight=False)
        return
    if not trained.steps_now and not arguments.export:
        console.print(f"The run in {folder} had ended: nothing was trained. Remove it to begin anew.", highlight=False)
    card = model_card(kept, trained, preset=arguments.preset, budget=budget)
    publish(trained.model, trained.tokenizer, output, card, picture(losses_of(folder), trained.held_out_loss))
    console.print(
        f"{output}: {trained.steps} steps, {'held-out' if corpus.held_out else 'training'} loss "
        f"{trained.held_out_loss:.3f}, "
        f"{trained.held_out_middle_loss:.3f} within middles",
        highlight=False,
    )


@contextmanager
def _shown(console: Console) -> Iterator[Callable[[Report], None]]:
    """Yield a reporter: a progress bar in a terminal, a line every half minute in a log."""
    if not console.is_terminal:
        yield _now_and_then(console)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("starting", total=1.0)
        yield lambda report: progress.update(task, completed=report.progress, description=_line(report))


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
