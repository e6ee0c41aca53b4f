"""Names are like a line by the share of their words that stand on it."""

from __future__ import annotations

import pytest

from dovetail.decoding.likeness import likeness, words_of_names


@pytest.mark.parametrize(
    "names",
    [
        (b"get_headers", b"getHeaders", b"get_total", b"total_of_all_requests_now", b"total"),
        (b"HTTPRequest", b"http_request", b"HTTPError", b"make_one_more_request", b"Response"),
    ],
)
def test_more_words_of_the_line_are_likelier(names: tuple[bytes, ...]) -> None:
    """All words, in whatever case and number, go before half of them, these before fewer, and none before those."""
    line = words_of_names(b"getHeader, http_requests")
    scores = [likeness(name, line) for name in names]
    first, same, half, few, none = scores
    assert first == same > half > few > 1 > none


def test_a_line_without_words_says_nothing() -> None:
    """At a line's beginning, and for names of signs and short words, all names are alike."""
    assert likeness(b"total", words_of_names(b"    ")) == 1
    assert likeness(b"x_1", words_of_names(b"total")) == 1
