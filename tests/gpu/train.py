"""Training on another machine, in pieces: where files have to be small and commands short.

    python -m tests.gpu.train pack PIECES               # where the sources are
    python -m tests.gpu.train run PIECES --output OUT   # there, again and again until it says that it is finished
    python -m tests.gpu.train join OUT MODEL            # here

A piece has at most 15 MiB. Only texts travel; that machine makes tokens of them on all its cores. `run` keeps the run
in a folder of that machine and goes on with it, so the calls have to meet the same machine; the model as it stands
comes back from each of them. One call may also go on in the background while others ask how far it is: the file
`minutes` in that folder, written meanwhile, moves its end. Beside what trains, that machine needs lark and
platformdirs.
"""

from __future__ import annotations

import argparse
import io
import json
import lzma
import multiprocessing
import shutil
import sys
import tarfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from rich.console import Console

from dovetail.model.card import model_card
from dovetail.model.dataset import Dataset, batches, encoded, save_dataset, together
from dovetail.model.error import ModelError
from dovetail.model.losses import losses_of, picture
from dovetail.model.publication import publish
from dovetail.model.recipe import PRESETS
from dovetail.model.run import open_run, prepare
from dovetail.model.sources import SourceFile
from dovetail.model.storage import write_bytes, write_text
from dovetail.model.tokenizer import load_tokenizer
from dovetail.model.training import Budget, last_saved, train

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.model.training import Report

_PIECE = 15 * 2**20
"""Bytes."""
_MODEL = "model.tar"
_RUN = "run.xz"
_MINUTES = "minutes"
_HELD_OUT = 3_000_000
"""Characters of held-out texts that travel: enough to measure a loss."""
_DICTIONARY = 512 * 2**20
"""Bytes back to which a text may be like another."""
_LEFT = 60.0
"""Seconds of a call that are kept free to write the model, or half of a shorter call."""
_SECONDS_A_LINE = 10.0
_CHECKPOINT = 180.0
"""Seconds between two of them: a large one takes some to write."""


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


def packed(folder: Path) -> bytes:
    """Return a folder as an archive."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        archive.add(folder, ".")
    return data.getvalue()


def unpack(data: bytes, folder: Path) -> None:
    """Write an archive's files below a folder, in place of what was there."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        archive.extractall(folder, filter="data")


def pack(pieces: Path, sources: Sequence[Path] | None, preset: str, work: Path, kept_out: Sequence[str]) -> None:
    """Read the sources and write the run as pieces, without what can be made of the texts."""
    run = prepare(work, PRESETS[preset], sources, kept_out=kept_out)
    whole = {name: (work / name).read_text("utf-8") for name in ("run.json", "tokenizer.json")}
    held_out, characters = [], 0
    for document in run.held_out.documents:
        if document.name.endswith(".py") and characters < _HELD_OUT:
            held_out.append(document)
            characters += len(document.text)
    sets = {"training": run.training.documents, "held-out": held_out}
    near = {
        "training": run.training.neighbours,
        "held-out": np.full((len(held_out), run.training.neighbours.shape[1]), -1),
    }
    index = {
        **whole,
        **{name: [[one.name, one.package, one.weight, len(one.text)] for one in some] for name, some in sets.items()},
        **{f"{name} near": near[name].tolist() for name in sets},
    }
    # What is alike stands together, where a packer finds it.
    texts = ["".join(some[place].text for place in _order(some)) for some in sets.values()]
    data = "\n".join([json.dumps(index), *texts])
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": _DICTIONARY}]
    split(lzma.compress(data.encode("utf-8"), filters=filters), pieces, _RUN)


def _order(documents: Sequence[SourceFile]) -> list[int]:
    """Return the places of documents, those of a language and a package side by side."""

    def key(place: int) -> tuple[str, str, str]:
        one = documents[place]
        return one.name.rpartition(".")[2], one.package, one.name

    return sorted(range(len(documents)), key=key)


def restore(data: bytes, work: Path) -> None:
    """Write the run of packed data, with tokens for its texts."""
    first, rest = lzma.decompress(data).decode("utf-8").split("\n", 1)
    index = json.loads(first)
    write_text(work / "tokenizer.json", index["tokenizer.json"])
    tokenizer = load_tokenizer(work / "tokenizer.json")
    start = 0
    for name in ("training", "held-out"):
        rows = index[name]
        documents = [SourceFile(path, package, "", weight) for path, package, weight, _ in rows]
        for place in _order(documents):
            end = start + rows[place][3]
            path, package, weight, _ = rows[place]
            documents[place] = SourceFile(path, package, rest[start:end], weight)
            start = end
        start += 1
        with multiprocessing.get_context("fork").Pool() as pool:
            parts = list(pool.imap(partial(encoded, tokenizer), batches(documents), chunksize=4))
        tokens, starts = together([part[0] for part in parts], [part[1] for part in parts])
        near = np.array(index[f"{name} near"], np.int32).reshape(len(rows), -1)
        save_dataset(
            Dataset(documents, tokenizer, tokens, starts, [length for *_, some in parts for length in some], near),
            work / name,
        )
    write_text(work / "run.json", index["run.json"])


@dataclass(frozen=True, slots=True)
class MovableEnd(Budget):
    """Minutes that a file may change while the training goes on."""

    folder: Path = Path()

    def progress(self, step: int, seconds: float) -> float:
        """Return how much of the minutes in the file is spent, from 0 to 1."""
        path = self.folder / _MINUTES
        minutes = float(path.read_text("ascii")) if path.exists() else self.minutes
        return Budget(minutes, self.steps).progress(step, seconds)


def call(pieces: Path, output: Path, work: Path, budget: Budget, seconds: float, preset: str) -> bool:
    """Train for one call, write the model as it stands, and return whether the training is finished."""
    begun = time.monotonic()
    recipe = PRESETS[preset]
    console = Console(stderr=True)
    if not (work / "run.json").exists():
        restore(joined(pieces, _RUN), work)
    kept = open_run(work, recipe)
    console.print(f"{len(kept.training.documents)} texts after {time.monotonic() - begun:.0f} s", highlight=False)
    last = -_SECONDS_A_LINE

    def report(current: Report) -> None:
        nonlocal last
        if time.monotonic() - last >= _SECONDS_A_LINE:
            last = time.monotonic()
            console.print(
                f"step {current.step}  loss {current.loss:.3f}  {current.tokens_a_second:,.0f} tokens/s  "
                f"{current.progress:.0%}  {current.seconds_left:.0f} s left",
                highlight=False,
            )

    training = max(seconds - _LEFT, seconds / 2)
    outcome = train(
        kept,
        budget,
        checkpoint_seconds=_CHECKPOINT,
        report=report,
        stop=lambda: time.monotonic() - begun > training,
    )
    shown = outcome or last_saved(kept)
    folder = work.with_name(work.name + "-model")
    card = model_card(kept, shown, preset=preset, budget=budget)
    publish(shown.model, shown.tokenizer, folder, card, picture(losses_of(work), shown.held_out_loss))
    split(packed(folder), output, _MODEL)
    return outcome is not None


def main(arguments: Sequence[str] | None = None) -> int:
    """Do one of the three."""
    parser = argparse.ArgumentParser(prog="python -m tests.gpu.train", description=__doc__)
    parser.add_argument("what", choices=["pack", "run", "join"])
    parser.add_argument("pieces", type=Path, metavar="PIECES")
    parser.add_argument("model", type=Path, nargs="?", metavar="MODEL", help="where `join` writes the model")
    parser.add_argument("--output", type=Path, help="where `run` writes the model's pieces (default: PIECES)")
    parser.add_argument("--sources", type=Path, nargs="+", help="other sources than the default ones")
    parser.add_argument("--hold-out", nargs="+", default=(), metavar="PACKAGE", help="packages kept from training")
    parser.add_argument("--work", type=Path, default=Path("/tmp/dovetail-run"), help="where the run is kept")
    parser.add_argument("--preset", choices=sorted(PRESETS), default="gpu")
    parser.add_argument("--minutes", type=float, default=25.0, help="of all calls together")
    parser.add_argument("--steps", type=int, help="of all calls together, instead of the minutes")
    parser.add_argument("--seconds", type=float, default=570.0, help="of one call, the writing of the model included")
    parser.add_argument("--cpu", action="store_true", help="train without a CUDA device too")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.what == "pack":
            pack(chosen.pieces, chosen.sources, chosen.preset, chosen.work, chosen.hold_out)
        elif chosen.what == "join":
            unpack(joined(chosen.pieces, _MODEL), chosen.model)
        elif not chosen.cpu and not torch.cuda.is_available():
            raise ModelError("There is no CUDA device here: run it where there is one, or with --cpu.")
        else:
            output = chosen.output or chosen.pieces
            budget = MovableEnd(chosen.minutes, chosen.steps, chosen.work)
            done = call(chosen.pieces, output, chosen.work, budget, chosen.seconds, chosen.preset)
            sys.stdout.write("finished\n" if done else "not finished: call again\n")
    except ModelError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
