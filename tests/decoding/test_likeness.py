"""Names are like a place by the share of their words that stand on its line, in the headers around it, and above it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from dovetail.decoding.left_text import LeftText
from dovetail.decoding.likeness import likeness

LINES = (
    b"class Basket:\n",
    b"    def other_things(self):\n        far = 1\n\n",
    b"    def makeRequests(\n        self, kind\n    ):\n",
    b"        far = 1\n        far = 2\n        near = self.total\n        # none\n",
    b"        header = cart",
)


def words(*lines: bytes) -> LeftText:
    return LeftText(lines, range(len(lines)))


@pytest.mark.parametrize(
    "names",
    [
        (b"get_headers", b"getHeader", b"requests", b"header_total", b"total", b"self_x_one", b"other"),
        (b"HEADER", b"make_header", b"make_one", b"near_total_now", b"other"),
    ],
)
def test_nearer_words_and_more_of_them_are_likelier(names: tuple[bytes, ...]) -> None:
    """A line goes before the headers around it, these before three lines above; all words go before some, and none."""
    zones = words(*LINES).words(b"get_header = ")
    scores = [likeness(name, zones) for name in names]
    assert all(one >= other for one, other in pairwise(scores))
    assert scores[0] > scores[3] > scores[-1]
    assert scores[-1] < 1


def test_headers_are_those_of_the_blocks_around() -> None:
    """Blocks that ended above, and what stands in brackets of a header, are no headers."""
    zones = words(*LINES).words(b"")
    assert zones.line == frozenset()
    assert zones.headers == {b"clas", b"basket", b"def", b"make", b"request"}
    assert zones.above - zones.headers == {b"far", b"near", b"self", b"total", b"none"}


def test_a_place_without_words_says_nothing() -> None:
    """At the beginning of a text, and for names of short words, all names are alike."""
    assert likeness(b"total", words(b"    ").words(b"")) == 1
    assert likeness(b"x_1", words(*LINES).words(b"total = ")) == 1


def test_names_of_a_text_stand_behind_no_dot() -> None:
    """They may be the arguments of a call."""
    assert {b"header", b"cart", b"self", b"kind"} <= words(*LINES).names
    assert b"total" not in words(*LINES).names
