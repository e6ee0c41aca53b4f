"""The quality of models on held-out texts: `python -m tests.benchmarks.quality --run FOLDER --model A --model B`.

Every model gets the same places in the same files, of packages that were held out of training, and as much around
the place as its window takes:

- *rest of a line*: from some character of a line to its end, with what follows in view;
- *one line*: all of a line, after its indentation;
- *plain text*: some hundred characters after a left context alone.

A middle is *exact* if each of its tokens is the likeliest after those before it, and then an end or a new line is.
Losses are bits a character of the true text, since tokenizers differ. N-grams with copying, learnt from the run's
tokens, are measured beside the models.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import torch
from rich.console import Console
from rich.progress import track
from tests.benchmarks.ngrams import NgramModel, Ngrams
from tests.benchmarks.tables import Table
from tests.hosted import hosted_model

from dovetail.decoding.formats import Side, format_for
from dovetail.decoding.repository import render
from dovetail.model.dataset import load_dataset
from dovetail.model.tokenizer import load_tokenizer
from dovetail.vocabulary.vocabulary import read_vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dovetail.decoding.formats import Parts
    from dovetail.model.dataset import Dataset
    from dovetail.model.sources import SourceFile
    from dovetail.vocabulary.vocabulary import Vocabulary

KINDS = ("rest of a line", "one line", "plain text")
_WINDOW = 1000
"""Tokens before what is to be written, at most."""
_RIGHT_SHARE = 3
_PLAIN = 250
"""Characters of plain text."""
_DENSEST = 8
"""Characters a token, at most, on average."""
_LEAST, _MOST = 2, 120
"""Characters of a middle: what is shorter is no test, what is longer nobody expects."""
_MOST_TOKENS = 160
"""Of what is to be written; room for it is kept free."""


class Text(Protocol):
    """A question about a text that a model writes."""

    def ranked(self, count: int) -> Sequence[tuple[int, float]]:
        """Return the likeliest next tokens."""

    def scores(self, tokens: Sequence[int]) -> Sequence[float]:
        """Return the natural log-probabilities of some next tokens."""

    def feed(self, token: int) -> None:
        """Append a token."""

    def start(self, draft: Sequence[int] = ()) -> None:
        """Read with a guess of the tokens to come."""


class NamedText(Protocol):
    """A file to choose places in."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def text(self) -> str:
        """All of it."""


class Model(Protocol):
    """A question to a model."""

    name: str
    vocabulary: Vocabulary
    window: int

    def begin(self, prompt: Sequence[int]) -> Text:
        """Return the text that continues a prompt."""


@dataclass(frozen=True, slots=True)
class Case:
    """A place in a file."""

    kind: str
    name: str
    left: str
    middle: str
    right: str


def choose(documents: Sequence[SourceFile], count: int, seed: int) -> list[Case]:
    """Return so many cases of each kind, the same ones for the same documents and seed; files by their length."""
    weights = [len(document.text) for document in documents]
    found: list[Case] = []
    for kind in KINDS:
        choice = random.Random(f"{seed} {kind}")
        cases: dict[tuple[str, str], Case] = {}  # place -> case
        while len(cases) < count:
            (document,) = choice.choices(documents, weights)
            case = case_of(kind, document, choice)
            if case is not None:
                cases[document.name, case.left] = case
        found += cases.values()
    return found


def case_of(kind: str, document: NamedText, choice: random.Random) -> Case | None:
    """Return a case at a random place, or None if that is no good one."""
    text = document.text
    if kind == "plain text":
        place = choice.randrange(len(text))
        middle = text[place : place + _PLAIN]
        return Case(kind, document.name, text[:place], middle, "") if len(middle) == _PLAIN else None
    lines = text.split("\n")
    number = choice.randrange(len(lines))
    line = lines[number]
    place = len(line) - len(line.lstrip())
    if kind == "rest of a line":
        place = choice.randint(place, len(line))
    middle = line[place:]
    if not _LEAST <= len(middle.strip()) <= _MOST or middle != middle.rstrip() or number == len(lines) - 1:
        return None
    left, right = "\n".join([*lines[:number], line[:place]]), "\n".join(["", *lines[number + 1 :]])
    return Case(kind, document.name, left, middle, right)


def prompt(model: Model, encode: Callable[[str], list[int]], case: Case, front: Sequence[int] = ()) -> list[int]:
    """Return what a model reads before a middle: both sides where it knows how to, else the left one.

    `front`: the tokens of other files, which stand before that.
    """
    special = model.vocabulary.specials
    parts: Parts = (Side.LEFT,) if case.kind == "plain text" else format_for(special).parts()
    space = min(_WINDOW, model.window - _MOST_TOKENS - len(parts) - len(front))
    left, right = encode(case.left[-space * _DENSEST :]), encode(case.right[: space * _DENSEST])
    right = right[: max(space // _RIGHT_SHARE, space - len(left))] if Side.RIGHT in parts else []
    sides = {Side.LEFT: left[max(0, len(left) + len(right) - space) :], Side.RIGHT: right}
    tokens = list(front)
    for part in parts:
        tokens += sides[part] if isinstance(part, Side) else render((part,), {}, special, encode)
    return tokens or [min(model.vocabulary.ends)]


def judge(model: Model, encode: Callable[[str], list[int]], case: Case) -> tuple[bool, float]:
    """Return whether the model writes a case's middle exactly, and the bits that the middle costs it."""
    before, tokens = prompt(model, encode, case), encode(case.middle)
    text = model.begin(before)
    text.start(tokens)
    exact, bits = True, 0.0
    pieces, ends = model.vocabulary.pieces, model.vocabulary.ends
    for token in tokens:
        exact = exact and text.ranked(1)[0][0] == token
        bits -= text.scores([token])[0] / math.log(2)
        text.feed(token)
    if exact:
        best = text.ranked(1)[0][0]
        exact = best in ends or (pieces[best] or b"").lstrip(b" \t\r").startswith(b"\n")
    return exact, bits


def measure(model: Model, encode: Callable[[str], list[int]], cases: Sequence[Case]) -> dict[str, tuple[float, float]]:
    """Return for each kind the share of exact middles and the bits a character."""
    found: dict[str, list[tuple[bool, float, int]]] = {kind: [] for kind in KINDS}  # kind -> exact, bits, characters
    for case in track(cases, model.name, console=Console(stderr=True)):
        exact, bits = judge(model, encode, case)
        found[case.kind].append((exact, bits, len(case.middle)))
    return {
        kind: (
            sum(exact for exact, _, _ in judged) / len(judged),
            sum(bits for _, bits, _ in judged) / sum(characters for _, _, characters in judged),
        )
        for kind, judged in found.items()
    }


def table(found: dict[str, dict[str, tuple[float, float]]], cases: int) -> Table:
    """Return what was measured, a row for each model."""
    columns = ("model", *(f"{kind}, exact" for kind in KINDS[:2]), *(f"{kind}, bits a character" for kind in KINDS))
    rows = [
        (
            name,
            *(f"{100 * kinds[kind][0]:.1f} %" for kind in KINDS[:2]),
            *(f"{kinds[kind][1]:.3f}" for kind in KINDS),
        )
        for name, kinds in found.items()
    ]
    return Table("Held-out packages", columns, rows, f"{cases} places of each kind, in files that no model has seen.")


def ngrams_of(dataset: Dataset, folder: Path) -> NgramModel:
    """Return n-grams learnt from a run's documents."""
    description = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    size = len(description["model"]["vocab"])
    tokens: list[int] = []
    for number in range(len(dataset.documents)):
        tokens += [0, *dataset.right(number, 0, sys.maxsize)]
    return NgramModel("n-grams with copying", Ngrams(tokens, size), read_vocabulary(description, size, [0]), 1_000_000)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print a table in Markdown."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.quality", description=__doc__)
    parser.add_argument("--run", type=Path, required=True, help="the folder of a training run")
    parser.add_argument("--model", action="append", default=[], help="a folder with a model; may be given again")
    parser.add_argument("--count", type=int, default=500, help="places of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--leave-out", nargs="*", default=[], help="held-out packages that some model has seen")
    parser.add_argument("--type", choices=["float32", "bfloat16"], help="numbers (default: as the model is hosted)")
    parser.add_argument("--no-ngrams", action="store_true", help="measure the models alone")
    chosen = parser.parse_args(arguments)
    tokenizer = load_tokenizer(chosen.run / "tokenizer.json")
    held_out = load_dataset(chosen.run / "held-out", tokenizer)
    documents = [document for document in held_out.documents if document.package not in chosen.leave_out]
    cases = choose(documents, chosen.count, chosen.seed)
    found: dict[str, dict[str, tuple[float, float]]] = {}
    if not chosen.no_ngrams:
        training = load_dataset(chosen.run / "training", tokenizer)
        ngrams = ngrams_of(training, chosen.run)
        found[ngrams.name] = measure(ngrams, training.encode, cases)
    for name in chosen.model:
        model = hosted_model(name)
        if chosen.type is not None:
            model._model.to(getattr(torch, chosen.type))
        found[name] = measure(model, model.encode, cases)
    sys.stdout.write(table(found, chosen.count).written())
    return 0


if __name__ == "__main__":
    sys.exit(main())
