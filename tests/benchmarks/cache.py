"""The cache of n-grams beside a model: `python -m tests.benchmarks.cache --data FOLDER --fit A B --measure C D`.

The folder holds packages that the model has not read. The weights are fitted on some packages and measured on others,
on the same places in one run: the rest of a line, one line, and plain text, as in `quality.py`. The rows add up: the
model alone, parts of other files in its prompt if it was trained to see them, n-grams of the file, and those of other
files. A package is a workspace; of the files that a file imports or that import it, half are open, chosen by chance.
`--write` puts the weights beside the embedded model.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import track
from tests.benchmarks.cache_network import Judged, Place, fit
from tests.benchmarks.quality import KINDS, Case, case_of, prompt
from tests.benchmarks.tables import Table

from dovetail.decoding.cache_weights import CacheWeights, written
from dovetail.decoding.nearby_texts import NearbyTexts
from dovetail.decoding.ngram_evidence import LEVELS, OF_MODEL, gather
from dovetail.decoding.ngram_index import LONGEST
from dovetail.decoding.prompt import form_of
from dovetail.decoding.prompt_sides import left_tokens
from dovetail.decoding.repository import show
from dovetail.model.hosting import CACHE, EMBEDDED, load_plain_model
from dovetail.project.reader import WORKSPACE, OpenText, ProjectReader

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dovetail.decoding.proposer import Proposer
    from dovetail.decoding.repository import ProjectContext

_KEPT = 20_000_000
"""Tokens of the packages that are kept."""

SUBSETS = (LEVELS[:2], LEVELS[:3], LEVELS)
"""The levels that are looked at together, for what each adds."""

LANGUAGE = "python"

_OPEN, _MOST_OPEN = 0.5, 6
"""The share of the related files that are open, and their greatest number."""

_SMALLEST, _LARGEST = 800, 200_000
"""Characters of a file."""


@dataclass(frozen=True, slots=True)
class _Document:
    name: str
    text: str


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


def judge(
    model: Proposer, nearby: NearbyTexts, case: Case, project: ProjectContext | None, front: Sequence[int] = ()
) -> Judged | None:
    """Return what model and n-grams say of each token of a case, with a prompt that begins with `front`.

    None where the case has more tokens than the model's window.
    """
    before, tokens = prompt(model, model.encode, case, front), model.encode(case.middle)
    if len(before) + len(tokens) >= model.window:
        return None
    nearby.read(case.name, case.left, case.right, project)
    levels = nearby.around(case.name) or {}
    generation = model.begin(before)
    generation.start(tokens)
    context = list(left_tokens(before, model.vocabulary.specials))[-LONGEST:]
    given = len(context)
    places = []
    for token in (*tokens, None):
        ranked = generation.ranked(OF_MODEL)
        evidence = {
            len(some): gather(
                {level: levels.get(level, ()) for level in some},
                context,
                len(context) - given,
                ranked,
                generation.scores,
                model.vocabulary.ends,
            )
            for some in SUBSETS
        }
        own = generation.ending() if token is None else generation.scores([token])[0]
        places.append(Place(token, own, ranked[0], evidence))
        if token is not None:
            generation.feed(token)
            context.append(token)
    return Judged(case.kind, len(case.middle), places)


def measure(
    judged: Sequence[Judged], weights: CacheWeights | None, model: Proposer, levels: int = len(LEVELS)
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
                best, score = place.mixed(weights, levels)
                if place.token is None:  # plain text has no end to be written, and is too long to be exact
                    right = right and (best in ends or begins_line(pieces[best]))
                else:
                    right = right and best == place.token
                    bits -= score / math.log(2)
            exact, characters, count = exact + right, characters + one.characters, count + 1
        found[kind] = exact / count, bits / characters
    return found


def begins_line(piece: bytes | None) -> bool:
    """Return whether a token ends the line that it stands in before it writes anything."""
    return (piece or b"").lstrip(b" \t\r").startswith(b"\n")


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
    nearby = NearbyTexts(model.encode, _KEPT, patient=True)

    def cases_of(packages: Sequence[str], kinds: Sequence[str]) -> list[tuple[Case, ProjectContext | None]]:
        cases = choose(documents_of(chosen.data, packages), chosen.count, chosen.seed, kinds)
        return [(case, workspaces.around(case)) for case in track(cases, "files", console=Console(stderr=True))]

    def judged(cases: Sequence[tuple[Case, ProjectContext | None]], what: str, *, is_told: bool = True) -> list[Judged]:
        shown = track(cases, what, console=Console(stderr=True))
        found = [
            judge(model, nearby, case, around, front_of(model, around) if is_told else ()) for case, around in shown
        ]
        return [one for one in found if one is not None]

    newlines = frozenset(token for token, piece in enumerate(model.vocabulary.pieces) if begins_line(piece))
    weights = fit(judged(cases_of(chosen.fit, KINDS), "fitting"), newlines, chosen.seed)
    measured = cases_of(chosen.measure, KINDS)
    alone, told = judged(measured, "the model alone", is_told=False), judged(measured, "all")
    rows = []
    for name, places, used, levels in (
        (model.name, alone, None, 0),
        ("with parts of other files in its prompt", told, None, 0),
        ("with n-grams of the file", told, weights, 2),
        ("and of open documents", told, weights, 3),
        ("and of the workspace", told, weights, 4),
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
        f"{chosen.count} places of each kind in {', '.join(chosen.measure)}; fitted on {chosen.count} of each "
        f"kind in {', '.join(chosen.fit)}."
    )
    sys.stdout.write(Table("A cache of n-grams", columns, rows, note).written())
    if chosen.write:
        (EMBEDDED / CACHE).write_text(json.dumps(written(weights)) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
