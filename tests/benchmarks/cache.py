"""The cache of n-grams beside a model: `python -m tests.benchmarks.cache --data FOLDER --fit A B --measure C D`.

The folder holds packages that the model has not read. The weights are fitted on some packages and measured on others,
on the same places in one run: the rest of a line, one line, and plain text, as in `quality.py`. The rows add up: the
model alone, parts of other files in its prompt if it was trained to see them, n-grams of that prompt, and those of
other files. The weights are fitted on lines alone. A package is a workspace; of the files that a file imports or that
import it, half are open, chosen by chance. `--write` puts the weights beside the embedded model.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import torch
from rich.console import Console
from rich.progress import track
from tests.benchmarks.quality import KINDS, Case, case_of, prompt
from tests.benchmarks.tables import Table

from dovetail.decoding.cache_weights import COUNT, LEVELS, CacheWeights, Gate, columns
from dovetail.decoding.cached_proposer import index, texts_of
from dovetail.decoding.ngram_cache import NgramCache, left_tokens
from dovetail.decoding.prompt import form_of
from dovetail.decoding.repository import show
from dovetail.model.hosting import CACHE, EMBEDDED, load_plain_model
from dovetail.project.reader import WORKSPACE, OpenText, ProjectReader

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dovetail.decoding.ngram_cache import Followers
    from dovetail.decoding.proposer import Proposer
    from dovetail.decoding.repository import ProjectContext

_DECAY = 1e-3
"""The weight of the squares of the coefficients, the constants apart: classes that are hardly seen stay near 0."""

_FEW = 1e-9
"""The probability of a token of which neither the model nor a match knows anything."""

LANGUAGE = "python"

_OPEN, _MOST_OPEN = 0.5, 6
"""The share of the related files that are open, and their greatest number."""

_SMALLEST, _LARGEST = 800, 200_000
"""Characters of a file."""


@dataclass(frozen=True, slots=True)
class _Document:
    name: str
    text: str


class Place(NamedTuple):
    """One token of a middle, or the end of it."""

    token: int | None
    """The token that follows; None at the end."""
    own: float
    """Its probability by the model."""
    likely: Mapping[int, float]
    """The likeliest tokens and those of the matches, with their probabilities by the model."""
    matches: Mapping[str, Followers]
    """The match of each level that has one."""

    @property
    def likeliest(self) -> tuple[int, float]:
        """The model's likeliest token and its natural log-probability."""
        token = max(self.likely, key=lambda token: self.likely[token])
        return token, math.log(self.likely[token])

    def mixed(self, weights: CacheWeights | None, levels: Sequence[str]) -> tuple[int, float]:
        """Return the likeliest token, and the probability of the one that follows."""
        left, matched = 1.0, dict[int, float]()
        if weights is not None:
            chosen = {level: match for level, match in self.matches.items() if level in levels}
            left, matched = weights.mix(chosen, *self.likeliest)
        shares = {token: left * own + matched.get(token, 0.0) for token, own in self.likely.items()}
        of_token = 0.0 if self.token is None else matched.get(self.token, 0.0)
        return max(shares, key=lambda token: shares[token]), left * self.own + of_token


class Judged(NamedTuple):
    """A case as the model and the caches see it."""

    kind: str
    characters: int
    places: Sequence[Place]


class Workspaces:
    """The files around the cases, package by package."""

    def __init__(self, folder: Path, seed: int) -> None:
        """Take a folder of packages; `seed` decides which files are open."""
        self._folder = folder
        self._choice = random.Random(seed)
        self._readers: dict[str, ProjectReader] = {}

    def around(self, case: Case) -> ProjectContext | None:
        """Return what is known of the files around a case, of whose file no other part is read than its own."""
        reader = self._reader(case.name.partition("/")[0])
        path = self._folder / case.name
        document = OpenText(path.as_uri(), LANGUAGE, case.left + case.right)
        reader.update(document)
        others = [Path(other) for other in reader.related(document.uri)]
        opened = [other for other in others if self._choice.random() < _OPEN][:_MOST_OPEN]
        for other in opened:
            reader.update(OpenText(other.as_uri(), LANGUAGE, other.read_text(encoding="utf-8", errors="ignore")))
        found = reader.around(document.uri, case.left, case.right)
        for uri in (*(other.as_uri() for other in opened), document.uri):
            reader.close(uri, edited=False)
        return found

    def _reader(self, package: str) -> ProjectReader:
        if package not in self._readers:
            reader = self._readers[package] = ProjectReader()
            reader.begin([str(self._folder / package)], WORKSPACE)
            if not reader.scan():
                raise SystemExit(
                    f"{self._folder / package} has no file that may be read: copy it from under .gitignore."
                )
        return self._readers[package]


def front_of(model: Proposer, project: ProjectContext | None) -> Sequence[int]:
    """Return what a prompt of the product begins with: parts of other files and the own path, or nothing."""
    vocabulary = model.vocabulary
    return show(project, form_of(model), vocabulary.specials, model.encode, model.window).front


def judge(model: Proposer, case: Case, project: ProjectContext | None, front: Sequence[int] = ()) -> Judged:
    """Return what model and n-grams say of each token of a case, with a prompt that begins with `front`."""
    before, tokens = prompt(model, model.encode, case, front), model.encode(case.middle)
    context = list(left_tokens(before, model.vocabulary.specials))
    caches = dict(
        zip(LEVELS, (NgramCache(before), *(index(model.encode, each) for each in texts_of(project))), strict=False)
    )
    generation = model.begin(before)
    generation.start(tokens)
    places = []
    for token in (*tokens, None):
        likely = dict(generation.ranked(8))
        matches = {level: found for level, cache in caches.items() if (found := cache.followers(context)) is not None}
        wanted = sorted({one for match in matches.values() for one in match.shares} - likely.keys())
        likely.update(zip(wanted, generation.scores(wanted), strict=True))
        own = 0.0 if token is None else math.exp(generation.scores([token])[0])
        places.append(Place(token, own, {one: math.exp(value) for one, value in likely.items()}, matches))
        if token is not None:
            generation.feed(token)
            context.append(token)
    return Judged(case.kind, len(case.middle), places)


def fit(judged: Sequence[Judged]) -> CacheWeights:
    """Return the weights with which the cases are likeliest."""
    places = [place for one in judged for place in one.places if place.token is not None]
    facts = torch.zeros(len(LEVELS), len(places), COUNT, dtype=torch.float64)
    found, right = (torch.zeros(len(LEVELS), len(places), dtype=torch.float64) for _ in range(2))
    own = torch.tensor([place.own for place in places], dtype=torch.float64)
    for number, place in enumerate(places):
        assert place.token is not None, "ends are left out"
        for level, name in enumerate(LEVELS):
            if (match := place.matches.get(name)) is not None:
                for column, value in columns(match, *place.likeliest):
                    facts[level, number, column] = value
                found[level, number], right[level, number] = 1.0, match.shares.get(place.token, 0.0)
    gates = torch.zeros(len(LEVELS), COUNT, dtype=torch.float64)
    gates[:, 0] = -2.0  # the model is believed to begin with
    gates.requires_grad_(True)
    optimizer = torch.optim.LBFGS([gates], max_iter=300, line_search_fn="strong_wolfe")

    def step() -> torch.Tensor:
        optimizer.zero_grad()
        shares = torch.sigmoid((facts * gates[:, None]).sum(-1)) * found
        mixed = own
        for level in reversed(range(len(LEVELS))):
            mixed = (1 - shares[level]) * mixed + shares[level] * right[level]
        loss = -(mixed + _FEW).log().mean() + _DECAY * (gates[:, 1:] ** 2).sum()
        loss.backward()
        return loss

    optimizer.step(step)
    rows = gates.detach().tolist()
    return CacheWeights(
        {name: Gate([round(value, 4) for value in row]) for name, row in zip(LEVELS, rows, strict=True)}
    )


def measure(
    judged: Sequence[Judged], weights: CacheWeights | None, model: Proposer, levels: Sequence[str] = LEVELS
) -> dict[str, tuple[float, float]]:
    """Return for each kind the share of exact middles and the bits a character, with some levels of n-grams."""
    pieces, ends = model.vocabulary.pieces, model.vocabulary.ends
    found: dict[str, tuple[float, float]] = {}
    for kind in KINDS:
        exact, bits, characters, count = 0, 0.0, 0, 0
        for one in judged:
            if one.kind != kind:
                continue
            right = True
            for place in one.places:
                best, share = place.mixed(weights, levels)
                if place.token is None:  # plain text has no end to be written, and is too long to be exact
                    right = right and (best in ends or (pieces[best] or b"").lstrip(b" \t\r").startswith(b"\n"))
                else:
                    right = right and best == place.token
                    bits -= math.log2(share)
            exact, characters, count = exact + right, characters + one.characters, count + 1
        found[kind] = exact / count, bits / characters
    return found


def documents_of(folder: Path, packages: Sequence[str]) -> dict[str, list[_Document]]:
    """Return the files of some packages, package by package."""
    found: dict[str, list[_Document]] = {}
    for package in packages:
        for path in sorted((folder / package).rglob("*.py")):
            text = path.read_text(encoding="utf-8", errors="ignore")
            if _SMALLEST <= len(text) <= _LARGEST:
                found.setdefault(package, []).append(_Document(path.relative_to(folder).as_posix(), text))
    return found


def choose(
    documents: Mapping[str, Sequence[_Document]], count: int, seed: int, kinds: Sequence[str] = KINDS
) -> list[Case]:
    """Return so many cases of each kind; each package is as likely as any other."""
    found: list[Case] = []
    for kind in kinds:
        choice = random.Random(f"{seed} {kind}")
        kept: dict[tuple[str, str], Case] = {}
        while len(kept) < count:
            case = case_of(kind, choice.choice(documents[choice.choice(sorted(documents))]), choice)
            if case is not None:
                kept[case.name, case.left] = case
        found += kept.values()
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, measure and print a table in Markdown."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.cache", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a folder with packages that the model has not read")
    parser.add_argument("--fit", nargs="+", required=True, help="the packages that the weights are fitted on")
    parser.add_argument("--measure", nargs="+", required=True, help="the packages that are measured")
    parser.add_argument("--model", help="a model's folder (default: the embedded one)")
    parser.add_argument("--count", type=int, default=300, help="places of each kind, on each side")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="put the weights beside the embedded model")
    chosen = parser.parse_args(arguments)
    if both := set(chosen.fit) & set(chosen.measure):
        parser.error(f"{', '.join(sorted(both))}: a package is fitted on or measured, not both")
    model, workspaces = load_plain_model(chosen.model), Workspaces(chosen.data.resolve(), chosen.seed)

    def cases_of(packages: Sequence[str], kinds: Sequence[str]) -> list[tuple[Case, ProjectContext | None]]:
        cases = choose(documents_of(chosen.data, packages), chosen.count, chosen.seed, kinds)
        return [(case, workspaces.around(case)) for case in track(cases, "files", console=Console(stderr=True))]

    def judged(cases: Sequence[tuple[Case, ProjectContext | None]], what: str, *, is_told: bool = True) -> list[Judged]:
        shown = track(cases, what, console=Console(stderr=True))
        return [judge(model, case, around, front_of(model, around) if is_told else ()) for case, around in shown]

    weights = fit(judged(cases_of(chosen.fit, KINDS[:2]), "fitting"))
    measured = cases_of(chosen.measure, KINDS)
    alone, told = judged(measured, "the model alone", is_told=False), judged(measured, "all")
    rows = []
    for name, places, used, levels in (
        (model.name, alone, None, ()),
        ("with parts of other files in its prompt", told, None, ()),
        ("with n-grams of the prompt", told, weights, LEVELS[:1]),
        ("and of lines that use the same names", told, weights, LEVELS[:2]),
        ("and of open documents", told, weights, LEVELS[:3]),
        ("and of the workspace", told, weights, LEVELS),
    ):
        found = measure(places, used, model, levels)
        rows.append(
            (
                name,
                *(f"{100 * found[kind][0]:.1f} %" for kind in KINDS[:2]),
                *(f"{found[kind][1]:.3f}" for kind in KINDS),
            )
        )
    columns = ("", *(f"{kind}, exact" for kind in KINDS[:2]), *(f"{kind}, bits a character" for kind in KINDS))
    note = (
        f"{chosen.count} places of each kind in {', '.join(chosen.measure)}; fitted on {chosen.count} lines of each "
        f"kind in {', '.join(chosen.fit)}."
    )
    sys.stdout.write(Table("A cache of n-grams", columns, rows, note).written())
    if chosen.write:
        written = json.dumps({level: gate.coefficients for level, gate in weights.gates.items()}, indent=1)
        (EMBEDDED / CACHE).write_text(written + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
