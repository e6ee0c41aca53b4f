"""The weights of the n-grams beside a model: gates that depend on the length of a match and on how sure all are.

The levels are nested as in Hellendoorn and Devanbu (2017): what the file says goes before what open documents say, that
before the rest of the workspace, and the model has what remains. A gate is a logistic function; its coefficients are
fitted on packages that the model has not read (`python -m tests.benchmarks.cache`).
"""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from dovetail.decoding.ngram_cache import Followers

LEVELS = ("file", "uses", "open", "workspace")
"""The levels, those first that go before the others: lines that use the same names say most after the file itself."""

LENGTHS = (2, 3, 4, 5, 6, 8, 12)
"""The least tokens of a match in each class of lengths but the first."""

MODEL = (0.25, 0.5, 0.8)
"""The least probabilities of the model's likeliest token in each class of its sureness but the first."""

_SURE = 1 + len(LENGTHS)
"""The first column of the sureness of a match."""

COUNT = _SURE + 4 + len(MODEL) + 1
"""The columns of a gate."""

_LARGEST = 50.0
"""The absolute value of a coefficient, at most, so that every power of e is a number."""

_MOST = 0.999
"""The greatest weight: every token that the model knows stays possible."""


def columns(followers: Followers, likeliest: int, best: float) -> list[tuple[int, float]]:
    """Return the facts of a match: the columns of a gate in which they are not 0, and their values.

    `likeliest` and `best` are the model's likeliest token and its natural log-probability.
    """
    token, share = max(followers.shares.items(), key=lambda pair: (pair[1], -pair[0]))
    places = math.log(followers.places)
    length, model = bisect_right(LENGTHS, followers.length), bisect_right(MODEL, math.exp(best))
    found = [(0, 1.0), (_SURE, share), (_SURE + 1, places), (_SURE + 2, share * places)]
    if length:
        found.append((length, 1.0))
    if followers.places == 1:
        found.append((_SURE + 3, 1.0))
    if model:
        found.append((_SURE + 3 + model, 1.0))
    if token == likeliest:
        found.append((COUNT - 1, 1.0))
    return found


class Gate(NamedTuple):
    """The gate of one level."""

    coefficients: Sequence[float]
    """One for each column: the constant, the classes of the length, the share of the likeliest follower, the logarithm
    of the number of places, their product, whether it is a single place, the classes of the model's sureness, and
    whether both say the same token."""

    def weight(self, followers: Followers, likeliest: int, best: float) -> float:
        """Return the share of a match in the mixture; see `columns`."""
        found = columns(followers, likeliest, best)
        value = sum(self.coefficients[column] * value for column, value in found)
        return min(_MOST, 1 / (1 + math.exp(-value)))


class CacheWeights(NamedTuple):
    """The gates by their levels."""

    gates: Mapping[str, Gate]

    def mix(self, matches: Mapping[str, Followers], likeliest: int, best: float) -> tuple[float, dict[int, float]]:
        """Return the share of the model, and those of the tokens that followed the matches of some levels."""
        left, tokens = 1.0, dict[int, float]()
        for level in LEVELS:
            followers = matches.get(level)
            if followers is None:
                continue
            share = self.gates[level].weight(followers, likeliest, best)
            for token, part in followers.shares.items():
                tokens[token] = tokens.get(token, 0.0) + left * share * part
            left *= 1 - share
        return left, tokens


def read_weights(path: Path) -> CacheWeights:
    """Read weights; raises OSError or ValueError."""
    written = json.loads(path.read_text("utf-8"))
    fits = (
        isinstance(written, dict)
        and sorted(written) == sorted(LEVELS)
        and all(isinstance(row, list) and len(row) == COUNT for row in written.values())
        and all(isinstance(value, float) and abs(value) < _LARGEST for row in written.values() for value in row)
    )
    if not fits:
        raise ValueError(f"{path} holds no weights of a cache of n-grams")
    return CacheWeights({level: Gate(tuple(written[level])) for level in LEVELS})
