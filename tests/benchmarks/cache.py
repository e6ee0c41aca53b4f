"""The cache of n-grams beside a model: `python -m tests.benchmarks.cache --data FOLDER --fit A B --measure C D`.

The folder holds packages that the model has not read. The weights are fitted on some packages and measured on others,
with and without the cache, on the same places in one run: the rest of a line and one line, as in `quality.py`.
`--write` puts the weights beside the embedded model.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console
from rich.progress import track
from tests.benchmarks.quality import KINDS, Case, case_of, prompt
from tests.benchmarks.tables import Table

from dovetail.decoding.ngram_cache import LENGTHS, MODEL, CacheWeights, NgramCache, left_tokens
from dovetail.model.hosting import CACHE, EMBEDDED, load_plain_model

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dovetail.decoding.ngram_cache import Followers
    from dovetail.decoding.proposer import Proposer

_SHARES = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
"""The weights that are tried."""

_PRIOR = 4.0
"""Further places in each class where the match was wrong, so that a class that is hardly seen gets no weight."""

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
    score: float
    """Its natural log-probability by the model."""
    likely: Mapping[int, float]
    """The likeliest tokens and those of the match, with their probabilities by the model."""
    followers: Followers | None

    def mixed(self, weights: CacheWeights | None) -> tuple[int, float]:
        """Return the likeliest token, and the probability of the one that follows."""
        share = 0.0
        if weights is not None and self.followers is not None:
            share = weights.weight(self.followers, math.log(max(self.likely.values())))
        matched: Mapping[int, float] = {} if self.followers is None else self.followers.shares
        shares = {token: (1 - share) * own + share * matched.get(token, 0.0) for token, own in self.likely.items()}
        of_token = 0.0 if self.token is None else matched.get(self.token, 0.0)
        return max(shares, key=lambda token: shares[token]), (1 - share) * math.exp(self.score) + share * of_token


class Judged(NamedTuple):
    """A case as the model and the cache see it."""

    kind: str
    characters: int
    places: Sequence[Place]


def judge(model: Proposer, case: Case) -> Judged:
    """Return what model and cache say of each token of a case."""
    before, tokens = prompt(model, model.encode, case), model.encode(case.middle)
    cache, context = NgramCache(before), list(left_tokens(before, model.vocabulary.specials))
    generation = model.begin(before)
    generation.start(tokens)
    places = []
    for token in (*tokens, None):
        likely = dict(generation.ranked(8))
        followers = cache.followers(context)
        if followers is not None:
            matched = list(followers.shares)
            likely.update(zip(matched, generation.scores(matched), strict=True))
        score = 0.0 if token is None else generation.scores([token])[0]
        places.append(Place(token, score, {one: math.exp(value) for one, value in likely.items()}, followers))
        if token is not None:
            generation.feed(token)
            context.append(token)
    return Judged(case.kind, len(case.middle), places)


def fit(judged: Sequence[Judged]) -> CacheWeights:
    """Return the weights with which the cases are likeliest, class by class."""
    seen: dict[tuple[int, int, int], list[tuple[float, float]]] = defaultdict(list)
    for one in judged:
        for place in one.places:
            if place.followers is not None and place.token is not None:
                best = max(place.likely.values())
                key = (*place.followers.kind, sum(best >= least for least in MODEL))
                seen[key].append((math.exp(place.score), place.followers.shares.get(place.token, 0.0)))

    def best_share(key: tuple[int, int, int]) -> float:
        def likelihood(share: float) -> float:
            own = (math.log((1 - share) * mine + share * theirs + 1e-12) for mine, theirs in seen[key])
            return math.fsum(own) + _PRIOR * math.log1p(-share)

        return max(_SHARES, key=likelihood)

    return CacheWeights(
        [
            [[best_share((length, sure, model)) for model in range(len(MODEL) + 1)] for sure in range(3)]
            for length in range(len(LENGTHS) + 1)
        ]
    )


def measure(judged: Sequence[Judged], weights: CacheWeights | None, model: Proposer) -> dict[str, tuple[float, float]]:
    """Return for each kind the share of exact middles and the bits a character."""
    pieces, ends = model.vocabulary.pieces, model.vocabulary.ends
    found: dict[str, tuple[float, float]] = {}
    for kind in KINDS[:2]:
        exact, bits, characters, count = 0, 0.0, 0, 0
        for one in judged:
            if one.kind != kind:
                continue
            right = True
            for place in one.places:
                best, share = place.mixed(weights)
                if place.token is None:
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


def choose(documents: Mapping[str, Sequence[_Document]], count: int, seed: int) -> list[Case]:
    """Return so many cases of each kind; each package is as likely as any other."""
    found: list[Case] = []
    for kind in KINDS[:2]:
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
    model = load_plain_model(chosen.model)

    def all_judged(packages: Sequence[str]) -> list[Judged]:
        cases = choose(documents_of(chosen.data, packages), chosen.count, chosen.seed)
        return [judge(model, case) for case in track(cases, " ".join(packages), console=Console(stderr=True))]

    fitted, measured = all_judged(chosen.fit), all_judged(chosen.measure)
    weights = fit(fitted)
    rows = []
    for name, used in ((model.name, None), (f"{model.name} with the cache", weights)):
        found = measure(measured, used, model)
        rows.append(
            (
                name,
                *(f"{100 * found[kind][0]:.1f} %" for kind in KINDS[:2]),
                *(f"{found[kind][1]:.3f}" for kind in KINDS[:2]),
            )
        )
    columns = ("", *(f"{kind}, exact" for kind in KINDS[:2]), *(f"{kind}, bits a character" for kind in KINDS[:2]))
    note = (
        f"{chosen.count} places of each kind in {', '.join(chosen.measure)}; fitted on {chosen.count} of each kind in "
        f"{', '.join(chosen.fit)}."
    )
    sys.stdout.write(Table("A cache of n-grams", columns, rows, note).written())
    if chosen.write:
        (EMBEDDED / CACHE).write_text(json.dumps(weights.shares) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
