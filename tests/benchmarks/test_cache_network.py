"""The fit of a cache's network: it learns whom to believe, and when."""

from __future__ import annotations

import math
from random import Random

import numpy as np
from tests.benchmarks.cache_network import Judged, Place, fit
from tests.benchmarks.quality import KINDS

from dovetail.decoding.ngram_evidence import COUNT, GENERAL, LEVELS, OF_LEVEL, Evidence

WORD, OTHER, LINE = 7, 8, 9


def places(count: int, seed: int) -> list[Place]:
    """Return places where the last level is right whenever its match is long, and the model otherwise."""
    random = Random(seed)
    found = []
    for _ in range(count):
        is_long = random.random() < 0.5
        facts = np.zeros((2, COUNT))
        facts[1, GENERAL + OF_LEVEL * (len(LEVELS) - 1) + 1] = float(is_long)
        evidence = Evidence([WORD, OTHER], np.log([0.6, 0.1]), facts)
        token = OTHER if is_long else WORD
        own = math.log(0.1 if is_long else 0.6)
        found.append(Place(token, own, (WORD, math.log(0.6)), {len(LEVELS): evidence}))
    return found


def test_the_network_learns_whom_to_believe() -> None:
    """On other places what follows is likely, though the model alone is often wrong."""
    weights = fit([Judged(KINDS[0], 1, places(3000, 1))], frozenset(), 0)
    for place in places(50, 2):
        best, score = place.mixed(weights, len(LEVELS))
        assert best == place.token
        assert math.exp(score) > 0.5
        assert place.mixed(None, len(LEVELS)) == (WORD, place.own)


def test_the_end_of_a_line_is_learnt() -> None:
    """A new line among the candidates is right where a middle ends."""
    facts = np.zeros((2, COUNT))
    evidence = Evidence([WORD, LINE], np.log([0.6, 0.2]), facts)
    ended = Place(None, math.log(0.01), (WORD, math.log(0.6)), {len(LEVELS): evidence})
    facts[1, GENERAL] = 1.0
    weights = fit([Judged(KINDS[1], 1, [ended] * 3000)], frozenset([LINE]), 0)
    assert ended.mixed(weights, len(LEVELS))[0] == LINE
