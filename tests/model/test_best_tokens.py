"""The likeliest tokens are those of the whole ranking, however it was found."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dovetail.model.runtimes.sequence_generation import best_tokens


@given(
    numbers=st.lists(st.sampled_from([-np.inf, -2.0, -1.5, 0.0, 1.0, 7.0]), min_size=1, max_size=300),
    count=st.integers(1, 40),
)
def test_the_best_are_the_beginning_of_the_whole_ranking(numbers: list[float], count: int) -> None:
    """Equal numbers stand in the order of their tokens, also at the end of what was asked for."""
    row = np.array(numbers, np.float32)
    ranking = sorted(range(len(row)), key=lambda token: (-row[token], token))

    assert best_tokens(row, count).tolist() == ranking[:count]
