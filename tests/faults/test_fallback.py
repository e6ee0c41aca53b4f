"""The ways on after trouble with a model: each leads to an end."""

from __future__ import annotations

from itertools import chain, combinations
from typing import get_args

import pytest

from dovetail.completer.fallback import FALLBACKS, Fallback, Trouble, fallback_after

TROUBLES = [trouble for trouble in get_args(Trouble) if trouble != "ended"]
ALLOWED = list(chain.from_iterable(combinations(FALLBACKS, count) for count in range(len(FALLBACKS) + 1)))


@pytest.mark.parametrize("trouble", TROUBLES)
@pytest.mark.parametrize("allowed", ALLOWED, ids=lambda allowed: "+".join(allowed) or "none")
@pytest.mark.parametrize("window", [None, 100, 8192])
@pytest.mark.parametrize("named", [False, True])
def test_trouble_that_does_not_end_is_given_up(
    trouble: Trouble, allowed: tuple[str, ...], window: int | None, named: bool
) -> None:
    """A model that always fails is given up after a few beginnings, none of them tried twice, whatever is allowed."""
    now: Fallback | None = Fallback()
    tried: list[Fallback] = []
    count = 0
    while now is not None:
        count += 1
        if not tried or now != tried[-1]:
            assert now not in tried
            tried.append(now)
        now = fallback_after(trouble, now, allowed, window=window, count=count, named=named)

    assert count <= 20
    assert any(fallback.device == "cpu" and not fallback.embedded for fallback in tried) == ("cpu" in allowed)
    assert any(fallback.embedded for fallback in tried) == ("embedded" in allowed and named)
    assert all(fallback.halvings == 0 for fallback in tried) or (trouble == "memory" and "window" in allowed)


def test_what_may_pass_is_tried_again_first() -> None:
    """A process that is gone is begun as it was, twice; one that is out of memory never is."""
    after = [
        [fallback_after(trouble, Fallback(), FALLBACKS, window=512, count=count, named=True) for count in (1, 2, 3)]
        for trouble in ("lost", "memory")
    ]

    assert after == [[Fallback(), Fallback(), Fallback(device="cpu")], [Fallback(halvings=1)] * 3]


def test_every_fallback_is_said() -> None:
    """Each thing that differs from what was asked for has a clause, and nothing else has."""
    assert Fallback().clause is None
    for fallback in (Fallback(1), Fallback(2), Fallback(device="cpu"), Fallback(device="cpu", embedded=True)):
        assert fallback.clause
