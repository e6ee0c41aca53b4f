"""The fetching of a model, shown as a bar for people or as lines of JSON for editors."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from dovetail.model import downloaded

if TYPE_CHECKING:
    from rich.progress import TaskID

    from dovetail.model.catalogue import OfferedModel
    from dovetail.model.hub import HubFile

_EVERY = 0.1
"""Seconds between two lines."""


def fetch_with_bar(model: OfferedModel) -> None:
    """Fetch a model and draw a bar as soon as its size is known; raises ModelError.

    Where it is interrupted, that is said.
    """
    console = Console(stderr=True, highlight=False, markup=False)
    if downloaded.path_of(model.name).is_file():
        console.print(f"{model.name} is on this machine already.")
        return
    console.print(f"Asking the Hugging Face hub for {model.file}.", soft_wrap=True)
    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    progress = Progress(TextColumn(model.name), *columns, console=console)
    bar: TaskID | None = None

    def described(file: HubFile) -> None:
        nonlocal bar
        console.print(
            f"{file.name}, {file.size / 1e9:.2f} GB, from {file.repository}. Licence: {model.licence}.",
            soft_wrap=True,
        )
        bar = progress.add_task("", total=file.size, completed=downloaded.unfinished_bytes(model.name))
        progress.start()

    def received(count: int, size: int) -> None:
        assert bar is not None, "the hub describes a file before it sends it"
        progress.update(bar, completed=count, total=size)

    try:
        path = downloaded.get(model.name, received, described)
    except KeyboardInterrupt:
        if bar is not None:
            progress.stop()  # before the sentence, and below for everything else
        console.print(_stopped(model.name), soft_wrap=True)
        raise
    finally:
        if bar is not None:
            progress.stop()
    console.print(f"{path} is whole. Use it: --model {model.name}, or the setting `model`.", soft_wrap=True)


def fetch_with_lines(model: OfferedModel) -> None:
    """Fetch a model and print a JSON object for each step: `size`, `received`, and at the end `path`.

    Raises ModelError. An editor that goes away has stopped the download.
    """
    last = float("-inf")

    def received(count: int, size: int) -> None:
        nonlocal last
        if time.monotonic() - last >= _EVERY or count == size:
            last = time.monotonic()
            _print({"received": count, "size": size})

    path = downloaded.get(model.name, received, lambda file: _print({"received": 0, "size": file.size}))
    _print({"path": str(path)})


def _print(step: dict[str, Any]) -> None:
    try:
        sys.stdout.write(json.dumps(step) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise KeyboardInterrupt from None


def _stopped(name: str) -> str:
    count = downloaded.unfinished_bytes(name)
    if not count:
        return "Stopped. Nothing has arrived yet."
    return f"Stopped. The {count / 1e6:,.0f} MB that have arrived are kept: the same command goes on from there."
