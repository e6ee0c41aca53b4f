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
    from dovetail.model.catalogue import OfferedModel
    from dovetail.model.hub import HubFile

_EVERY = 0.1
"""Seconds between two lines."""


def fetch_with_bar(model: OfferedModel) -> None:
    """Fetch a model and draw a bar meanwhile; raises ModelError. Where it is interrupted, that is said."""
    console = Console(stderr=True, highlight=False, markup=False)
    if downloaded.path_of(model.name).is_file():
        console.print(f"{model.name} is on this machine already.")
        return
    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(TextColumn(model.name), *columns, console=console) as progress:
        bar = progress.add_task("", total=None)

        def described(file: HubFile) -> None:
            progress.console.print(
                f"{file.name}, {file.size / 1e9:.2f} GB, from {file.repository}. Licence: {model.licence}.",
                soft_wrap=True,
            )

        try:
            path = downloaded.get(
                model.name, lambda count, size: progress.update(bar, completed=count, total=size), described
            )
        except KeyboardInterrupt:
            progress.stop()
            console.print(_stopped(model.name), soft_wrap=True)
            raise
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
    kept = downloaded.unfinished_bytes(name) / 1e6
    return f"Stopped. The {kept:,.0f} MB that have arrived are kept: the same command goes on from there."
