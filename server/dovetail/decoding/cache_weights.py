"""The weights of the n-grams beside a model: a small network that says how much likelier each candidate becomes.

Each candidate's probability by the model is multiplied with a power of e, and all are divided by their sum, that of
the tokens that are no candidates included: a log-linear model whose base is the language model (as in Rosenfeld, *A
maximum entropy approach to adaptive statistical language modelling*, 1996). The network is fitted on packages that the
model has not read (`python -m tests.benchmarks.cache`).
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dovetail.decoding.ngram_evidence import COUNT, LEVELS

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from dovetail.decoding.ngram_evidence import Evidence

STRONGEST = 15.0
"""The greatest change of a logarithm, so that every token that the model knows stays possible."""

LEAST_REST = 1e-7
"""The least probability of all tokens that are no candidates."""

_LARGEST = 1000.0
"""The absolute value of a weight, at most."""


class CacheWeights(NamedTuple):
    """A network with a single layer between the facts about a candidate and its change."""

    inner: NDArray[np.float64]
    """(`COUNT`, units)."""
    inner_constant: NDArray[np.float64]
    """(units)."""
    outer: NDArray[np.float64]
    """(units)."""
    direct: NDArray[np.float64]
    """(`COUNT`), from the facts to the change."""
    constant: NDArray[np.float64]
    """(1)."""

    def mix(self, evidence: Evidence, ending: float = 0.0) -> tuple[float, dict[int, float]]:
        """Return what the logarithm of every other token's probability changes by, and the candidates' new ones.

        Both are natural logarithms. `ending`: the probability that the text ends, of which n-grams say nothing: it
        stays, and the new probabilities of all other tokens sum to what it leaves.
        """
        own, facts = evidence.own, evidence.facts
        units = np.maximum(facts @ self.inner + self.inner_constant, 0)
        change = facts @ self.direct + units @ self.outer + self.constant
        scores = own + change.clip(-STRONGEST, STRONGEST)
        rest = max(LEAST_REST, 1 - ending - float(np.exp(own).sum()))
        left = math.log(max(LEAST_REST, 1 - ending) / (rest + float(np.exp(scores).sum())))
        return left, dict(zip(evidence.tokens, (scores + left).tolist(), strict=True))


def written(weights: CacheWeights) -> dict[str, Any]:
    """Return weights in a form that JSON can hold."""
    return {"levels": list(LEVELS), **{name: value.tolist() for name, value in weights._asdict().items()}}


def read_weights(path: Path) -> CacheWeights:
    """Read weights; raises OSError or ValueError."""
    data = json.loads(path.read_text("utf-8"))
    try:
        if data["levels"] != list(LEVELS):
            raise ValueError("other levels")
        weights = CacheWeights(*(np.array(data[name], np.float64) for name in CacheWeights._fields))
        units = len(weights.outer)
        shapes = ((COUNT, units), (units,), (units,), (COUNT,), (1,))
        fits = all(one.shape == shape for one, shape in zip(weights, shapes, strict=True))
        fits = fits and all(bool((np.abs(one) < _LARGEST).all()) for one in weights)
    except (KeyError, TypeError, ValueError):
        fits = False
    if not fits:
        raise ValueError(f"{path} holds no weights of a cache of n-grams")
    return weights
