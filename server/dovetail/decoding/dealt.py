"""Probabilities of a model that were dealt out anew, where other files say what may follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

LEAST = 1e-6
"""A model that gives all that is known together less than this part of the rest knows something else."""


class Dealt(NamedTuple):
    """Probabilities of a place that were dealt out anew."""

    risen: Mapping[int, float]
    """The members' tokens, with their natural log-probabilities after it."""
    paying: AbstractSet[int] | None
    """The tokens beside them that pay for it; None means all others."""
    fall: float
    """The natural logarithm of what is left of the probability of such a token."""

    def score(self, token: int, own: float) -> float:
        """Return the natural log-probability of a token after it; `own` is that before."""
        if token in self.risen:
            return self.risen[token]
        return own + self.fall if self.paying is None or token in self.paying else own
