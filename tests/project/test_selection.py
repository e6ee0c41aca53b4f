"""The parts that are shown stay the same while one types."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dovetail.project.search import Found
from dovetail.project.selection import MOST_PARTS, choose

PARTS = st.lists(st.sampled_from("abcdefg"), unique=True, max_size=6).map(
    lambda names: [Found(name, f"text of {name}", float(len(names) - place)) for place, name in enumerate(names)]
)


@given(PARTS, PARTS)
def test_the_best_are_shown(found: list[Found], before: list[Found]) -> None:
    """The two best are always among at most four parts of as many files, and nothing changes if they were before."""
    shown = tuple(before[:MOST_PARTS])
    chosen = choose(found, shown)
    assert len(chosen) <= MOST_PARTS
    assert len({part.path for part in chosen}) == len(chosen)
    names = [part.path for part in chosen]
    assert {part.path for part in found[:2]} <= set(names)
    if {part.path for part in found[:2]} <= {part.path for part in shown}:
        assert chosen == shown


@given(PARTS)
def test_the_best_is_last(found: list[Found]) -> None:
    """Parts that are shown for the first time come in their order, the best last."""
    assert list(choose(found, ())) == found[:MOST_PARTS][::-1]


def test_another_window_of_a_file() -> None:
    """If another window of a file is among the best, it takes the place of the one that was shown."""
    shown = choose([Found("a", "top", 1.0), Found("b", "b", 0.5)], ())
    later = choose([Found("a", "bottom", 2.0), Found("b", "b", 0.5)], shown)
    assert [(part.path, part.text) for part in later] == [("b", "b"), ("a", "bottom")]
