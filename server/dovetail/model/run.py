"""A training run's folder: what was read to learn from, as text and as tokens.

Sources are read once. A run that goes on needs none of them, so it may go on elsewhere.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from safetensors.torch import load_file, save

from dovetail.model.dataset import encode, load_dataset, save_dataset
from dovetail.model.error import ModelError
from dovetail.model.origin import read_origin
from dovetail.model.sources import Corpus, read_corpus
from dovetail.model.storage import write_bytes, write_text
from dovetail.model.tokenizer import load_tokenizer, train_tokenizer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tokenizers import Tokenizer
    from torch import Tensor

    from dovetail.model.dataset import Dataset
    from dovetail.model.origin import Origin
    from dovetail.model.recipe import Recipe

_NAME = "run.json"
_WEIGHTS = "beginning.safetensors"
_TOKENIZER_CHARACTERS = 32_000_000
"""So much of the sources is enough to learn pairs from."""


@dataclass(frozen=True, slots=True)
class Run:
    """A folder that is ready to train in."""

    folder: Path
    recipe: Recipe
    corpus: Corpus
    version: str
    """The version of the Python whose packages were read."""
    standard: bool
    """True if the sources are the default ones."""
    origin: str | None
    """The model that training continues from, as it was named; None for training from nothing."""
    tokenizer: Tokenizer
    training: Dataset
    held_out: Dataset
    kept_out: tuple[str, ...] = ()
    """The packages that were named to be held out."""

    @property
    def identity(self) -> dict[str, Any]:
        """The digest that a checkpoint of this run has."""
        return {"recipe": asdict(self.recipe), "corpus": self.corpus.digest}

    def beginning(self) -> dict[str, Tensor]:
        """Return the weights to begin with, name → tensor; none where training begins from nothing."""
        return {} if self.origin is None else load_file(self.folder / _WEIGHTS)


def prepare(
    folder: Path,
    recipe: Recipe,
    sources: Sequence[Path] | None = None,
    origin: Path | None = None,
    kept_out: Sequence[str] = (),
) -> Run:
    """Return the run of a folder, and read its sources if it is a new one.

    `sources`: None means the default ones, as `read_corpus` says.
    `origin`: the folder of a model to go on from, whose sizes and tokenizer count instead of the recipe's.
    `kept_out`: as `read_corpus` has it.
    Raises `ModelError` if the folder holds a run of another recipe or other sources, and where sources or folder
    are no good.
    """
    named = None if sources is None else sorted(str(source.resolve()) for source in sources)
    start = None if origin is None else read_origin(origin, recipe)
    recipe = recipe if start is None else start.recipe
    known = _description(folder)
    if known is None:
        corpus = read_corpus(
            sources, recipe.most_characters, balance=recipe.balance, shares=dict(recipe.shares), kept_out=kept_out
        )
        if start is None:
            tokenizer = train_tokenizer(_texts(corpus), recipe.vocabulary_size)
        else:
            tokenizer = start.tokenizer
            write_bytes(folder / _WEIGHTS, save(start.weights))
        write_text(folder / "tokenizer.json", tokenizer.to_str())
        save_dataset(encode(corpus.training, tokenizer), folder / "training")
        save_dataset(encode(corpus.held_out, tokenizer), folder / "held-out")
        known = {
            "recipe": asdict(recipe),
            "sources": named,
            "kept_out": sorted(kept_out),
            "origin": None if origin is None else str(origin),
            "beginning": None if start is None else _digest(start),
            "python": ".".join(map(str, sys.version_info[:3])),
            "digest": corpus.digest,
            "licences": corpus.licences,
            "left_out": corpus.left_out,
            "held_out": corpus.held_out_packages,
        }
        # Written last: a run that is stopped before it begins anew.
        write_text(folder / _NAME, json.dumps(known, indent=1) + "\n")
        known = json.loads(json.dumps(known))
    wanted = json.loads(json.dumps(asdict(recipe)))
    if (known["recipe"], known["sources"], known.get("kept_out", [])) != (wanted, named, sorted(kept_out)):
        raise ModelError(f"{folder} holds a run of other sources or sizes: remove it, or name another.")
    if known.get("beginning") != (None if start is None else _digest(start)):
        raise ModelError(f"{folder} holds a run that began with another model: remove it, or name another.")
    return _load(folder, recipe, known)


def open_run(folder: Path, recipe: Recipe) -> Run:
    """Return a run that was prepared, wherever its sources were; raises `ModelError` if there is none."""
    known = _description(folder)
    if known is None:
        raise ModelError(f"{folder} holds no run: prepare one first.")
    return _load(folder, recipe, known)


def _description(folder: Path) -> dict[str, Any] | None:
    path = folder / _NAME
    if not path.exists():
        return None
    try:
        known: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ModelError(f"{path} is damaged ({error}): remove the folder, or name another.") from error
    return known


def _digest(start: Origin) -> str:
    """Return what is another number for other weights."""
    return hashlib.sha256(save(start.weights)).hexdigest()


def _load(folder: Path, recipe: Recipe, known: dict[str, Any]) -> Run:
    try:
        tokenizer = load_tokenizer(folder / "tokenizer.json")
        training, held_out = (load_dataset(folder / name, tokenizer) for name in ("training", "held-out"))
    except (OSError, ValueError) as error:
        raise ModelError(f"The run in {folder} is damaged ({error}): remove it, or name another.") from error
    corpus = Corpus(
        tuple(training.documents),
        tuple(held_out.documents),
        known["licences"],
        tuple(known["left_out"]),
        known["digest"],
    )
    standard = known["sources"] is None
    kept_out = tuple(known.get("kept_out", ()))
    return Run(
        folder, recipe, corpus, known["python"], standard, known["origin"], tokenizer, training, held_out, kept_out
    )


def _texts(corpus: Corpus) -> Iterator[str]:
    """Yield texts to learn the tokenizer from; documents stand in an order that says nothing about them."""
    characters = 0
    for document in corpus.training:
        if characters > _TOKENIZER_CHARACTERS:
            return
        characters += len(document.text)
        yield document.text
