"""The `gpu` preset on another machine, in pieces: where files have to be small and commands short.

    python -m tests.gpu.train pack PIECES               # where the sources are
    python -m tests.gpu.train run PIECES --output OUT   # there, again and again until it says that it is finished
    python -m tests.gpu.train join OUT MODEL            # here

A piece has at most 15 MiB. `run` keeps the run in a folder of that machine and goes on with it, so the calls have to
meet the same machine; the model as it stands comes back from each of them. Beside what trains, that machine needs lark
and platformdirs.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
import tarfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from rich.console import Console

from dovetail.model.card import model_card
from dovetail.model.error import ModelError
from dovetail.model.losses import losses_of, picture
from dovetail.model.publication import publish
from dovetail.model.recipe import PRESETS
from dovetail.model.run import open_run, prepare
from dovetail.model.storage import write_bytes
from dovetail.model.training import Budget, last_saved, train

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.model.training import Report

_PIECE = 15 * 2**20
"""Bytes."""
_MODEL = "model.tar"
_RUN = "run.tar.xz"
_LEFT = 60.0
"""Seconds of a call that are kept free to write the model, or half of a shorter call."""
_SECONDS_A_LINE = 20.0


def split(data: bytes, folder: Path, name: str, size: int = _PIECE) -> None:
    """Write data as numbered pieces, `name.00` and so on, in place of those that were there."""
    for old in folder.glob(f"{name}.*"):
        old.unlink()
    for number, start in enumerate(range(0, len(data), size)):
        write_bytes(folder / f"{name}.{number:02}", data[start : start + size])


def joined(folder: Path, name: str) -> bytes:
    """Return the data of pieces; raises `ModelError` if there are none."""
    pieces = sorted(folder.glob(f"{name}.[0-9][0-9]"))
    if not pieces:
        raise ModelError(f"{folder} holds no {name}.00: name the folder with the pieces.")
    return b"".join(piece.read_bytes() for piece in pieces)


def packed(folder: Path, mode: str) -> bytes:
    """Return a folder as an archive."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=mode) as archive:  # type: ignore[call-overload]
        archive.add(folder, ".")
    return data.getvalue()


def unpack(data: bytes, folder: Path) -> None:
    """Write an archive's files below a folder, in place of what was there."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        archive.extractall(folder, filter="data")


def pack(pieces: Path, sources: Sequence[Path] | None, preset: str, work: Path) -> None:
    """Read the sources and write the run as pieces."""
    prepare(work, PRESETS[preset], sources)
    split(packed(work, "w:xz"), pieces, _RUN)


def call(pieces: Path, output: Path, work: Path, budget: Budget, seconds: float, preset: str) -> bool:
    """Train for one call, write the model as it stands, and return whether the training is finished."""
    begun = time.monotonic()
    recipe = PRESETS[preset]
    if not (work / "run.json").exists():
        unpack(joined(pieces, _RUN), work)
    kept = open_run(work, recipe)
    console = Console(stderr=True)
    last = -_SECONDS_A_LINE

    def report(current: Report) -> None:
        nonlocal last
        if time.monotonic() - last >= _SECONDS_A_LINE:
            last = time.monotonic()
            console.print(
                f"step {current.step}  loss {current.loss:.3f}  {current.tokens_a_second:,.0f} tokens/s  "
                f"{current.progress:.0%}",
                highlight=False,
            )

    training = max(seconds - _LEFT, seconds / 2)
    outcome = train(kept, budget, report=report, stop=lambda: time.monotonic() - begun > training)
    shown = outcome or last_saved(kept)
    folder = work.with_name(work.name + "-model")
    card = model_card(kept, shown, preset=preset, budget=budget)
    publish(shown.model, shown.tokenizer, folder, card, picture(losses_of(work), shown.held_out_loss))
    split(packed(folder, "w"), output, _MODEL)
    return outcome is not None


def main(arguments: Sequence[str] | None = None) -> int:
    """Do one of the three."""
    parser = argparse.ArgumentParser(prog="python -m tests.gpu.train", description=__doc__)
    parser.add_argument("what", choices=["pack", "run", "join"])
    parser.add_argument("pieces", type=Path, metavar="PIECES")
    parser.add_argument("model", type=Path, nargs="?", metavar="MODEL", help="where `join` writes the model")
    parser.add_argument("--output", type=Path, help="where `run` writes the model's pieces (default: PIECES)")
    parser.add_argument("--sources", type=Path, nargs="+", help="other sources than the default ones")
    parser.add_argument("--work", type=Path, default=Path("/tmp/dovetail-run"), help="where the run is kept")
    parser.add_argument("--preset", choices=sorted(PRESETS), default="gpu")
    parser.add_argument("--minutes", type=float, default=25.0, help="of all calls together")
    parser.add_argument("--steps", type=int, help="of all calls together, instead of the minutes")
    parser.add_argument("--seconds", type=float, default=570.0, help="of one call, the writing of the model included")
    parser.add_argument("--cpu", action="store_true", help="train without a CUDA device too")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.what == "pack":
            pack(chosen.pieces, chosen.sources, chosen.preset, chosen.work)
        elif chosen.what == "join":
            unpack(joined(chosen.pieces, _MODEL), chosen.model)
        elif not chosen.cpu and not torch.cuda.is_available():
            raise ModelError("There is no CUDA device here: run it where there is one, or with --cpu.")
        else:
            output = chosen.output or chosen.pieces
            budget = Budget(chosen.minutes, chosen.steps)
            done = call(chosen.pieces, output, chosen.work, budget, chosen.seconds, chosen.preset)
            sys.stdout.write("finished\n" if done else "not finished: call again\n")
    except ModelError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
