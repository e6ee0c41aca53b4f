"""The missing cases of an experiment, done one after the other, with their progress."""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING, TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from dovetail.evaluation.journal import AnyRecord

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from dovetail.evaluation.journal import Journal

R = TypeVar("R", bound=AnyRecord)

_SECONDS_A_LINE = 30.0


def do_missing(journal: Journal[R], do: Callable[[int], R], console: Console) -> None:
    """Do the missing cases with a progress bar, or with a line now and then if the output is a log."""
    # What was loaded stays to the end, and there is much of it for the collector to look at.
    gc.collect()
    gc.freeze()
    total = len(journal.done) + len(journal.missing)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(journal.path.stem, total=total, completed=len(journal.done))
        tell = _now_and_then(console, total) if not console.is_terminal else None
        for number in journal.missing:
            record = do(number)
            journal.append(record)
            progress.advance(task)
            if tell is not None:
                tell(len(journal.done), record)


def _now_and_then(console: Console, total: int) -> Callable[[int, AnyRecord], None]:
    """Return a reporter for logs, which prints a line every half minute."""
    last = time.monotonic()

    def report(done: int, record: AnyRecord) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _SECONDS_A_LINE or done == total:
            last = now
            console.print(f"{done} of {total} cases, the last of {record.file}", soft_wrap=True)

    return report
