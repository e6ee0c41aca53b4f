"""The network of a cache of n-grams: the places that it is fitted on, and the fit (`cache.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from rich.console import Console
from rich.progress import track
from tests.benchmarks.quality import KINDS

from dovetail.decoding.cache_weights import LEAST_REST, STRONGEST, CacheWeights
from dovetail.decoding.ngram_evidence import COUNT, LEVELS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torch import Tensor

    from dovetail.decoding.ngram_evidence import Evidence

_UNITS, _ROUNDS, _BATCH, _RATE, _DECAY = 48, 16, 256, 4e-3, 1e-2
"""The units of the network, and how it is fitted: passes over all places, places of a step, and AdamW's numbers."""

_FALL = 0.8
"""The factor of the rate from one pass to the next."""


class Place(NamedTuple):
    """One token of a middle, or the end of it."""

    token: int | None
    """The token that follows; None at the end."""
    own: float
    """The natural logarithm of its probability by the model."""
    likeliest: tuple[int, float]
    """The model's likeliest token and its natural log-probability."""
    evidence: Mapping[int, Evidence | None]
    """The evidence of the n-grams, by the number of levels."""

    def mixed(self, weights: CacheWeights | None, levels: int) -> tuple[int, float]:
        """Return the likeliest token, and the natural log-probability of the one that follows."""
        evidence = None if weights is None else self.evidence[levels]
        if weights is None or evidence is None:
            return self.likeliest[0], self.own
        change, candidates = weights.mix(evidence)
        shares = {self.likeliest[0]: self.likeliest[1] + change, **candidates}
        own = self.own + change
        return max(shares, key=lambda token: shares[token]), own if self.token is None else candidates.get(
            self.token, own
        )


class Judged(NamedTuple):
    """A case as the model and the caches see it."""

    kind: str
    characters: int
    places: Sequence[Place]


class _Facts(NamedTuple):
    """Places with evidence as tensors; there are as many columns as the place with the most candidates has."""

    facts: Tensor
    """(places, candidates, `COUNT`)."""
    own: Tensor
    """The candidates' natural log-probabilities by the model, (places, candidates); -inf where there is none."""
    right: Tensor
    """True for candidates that are right, and in a last column for any other token, (places, candidates + 1)."""
    other: Tensor
    """The natural log-probability of what follows by the model, (places)."""

    def loss(self, network: Network) -> Tensor:
        """Return the mean of the negative natural log-probabilities, ()."""
        scores = self.own + network(self.facts).clamp(-STRONGEST, STRONGEST)
        rest = (1 - self.own.exp().sum(-1)).clamp(min=LEAST_REST).log()
        total = torch.logsumexp(torch.cat([scores, rest[:, None]], -1), -1)
        columns = torch.cat([scores, self.other[:, None]], -1).masked_fill(~self.right, -torch.inf)
        return (total - torch.logsumexp(columns, -1)).mean()

    def some(self, places: Tensor) -> _Facts:
        """Return these places alone."""
        return _Facts(*(one[places] for one in self))


class Network(torch.nn.Module):
    """The network of `CacheWeights`."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = torch.nn.Linear(COUNT, _UNITS)
        self.outer = torch.nn.Linear(_UNITS, 1, bias=False)
        self.direct = torch.nn.Linear(COUNT, 1)
        for part in (self.outer, self.direct):  # the model is believed to begin with
            torch.nn.init.zeros_(part.weight)
        torch.nn.init.zeros_(self.direct.bias)

    def forward(self, facts: Tensor) -> Tensor:
        """Return the change of each candidate, (places, candidates)."""
        changes: Tensor = self.direct(facts) + self.outer(torch.relu(self.inner(facts)))
        return changes[..., 0]

    def weights(self) -> CacheWeights:
        """Return the weights for the decoder."""
        parts = (self.inner.weight.T, self.inner.bias, self.outer.weight[0], self.direct.weight[0], self.direct.bias)
        return CacheWeights(*(part.detach().double().numpy().round(4) for part in parts))


def _tensors(judged: Sequence[Judged], newlines: frozenset[int]) -> _Facts:
    """Return the places of cases; at an end, candidates that begin a new line are right too."""
    found = [
        (place, evidence)
        for one in judged
        for place in one.places
        if (evidence := place.evidence[len(LEVELS)]) is not None and (place.token is not None or one.kind != KINDS[2])
    ]
    width = max(len(evidence.tokens) for _, evidence in found)
    facts = torch.zeros(len(found), width, COUNT)
    own = torch.full((len(found), width), -torch.inf)
    right = torch.zeros(len(found), width + 1, dtype=torch.bool)
    other = torch.zeros(len(found))
    for number, (place, evidence) in enumerate(found):
        facts[number, : len(evidence.tokens)] = torch.from_numpy(evidence.facts)
        own[number, : len(evidence.tokens)] = torch.from_numpy(evidence.own)
        other[number] = place.own
        ends = newlines if place.token is None else {place.token}
        columns = [column for column, token in enumerate(evidence.tokens) if token in ends]
        right[number, columns] = True
        right[number, width] = place.token is None or not columns
    return _Facts(facts, own, right, other)


def fit(judged: Sequence[Judged], newlines: frozenset[int], seed: int) -> CacheWeights:
    """Return the weights with which the cases are likeliest; `newlines`: the tokens that begin a new line."""
    torch.manual_seed(seed)
    facts, network = _tensors(judged, newlines), Network()
    optimizer = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_DECAY)
    for _ in track(range(_ROUNDS), "the network", console=Console(stderr=True)):
        for places in torch.randperm(len(facts.own)).split(_BATCH):
            optimizer.zero_grad()
            facts.some(places).loss(network).backward()
            optimizer.step()
        for group in optimizer.param_groups:
            group["lr"] *= _FALL
    return network.weights()
