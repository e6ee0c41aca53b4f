"""The search for windows, compared with sums that are worked out window by window."""

from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.project.blocks import cut
from dovetail.project.search import Query, Source, nearby, query_at, search

WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "theta", "kappa"]
FILES = st.lists(
    st.lists(st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join), min_size=1, max_size=40).map("\n".join),
    min_size=1,
    max_size=4,
)


def windows(text: str) -> list[str]:
    """Return the texts of all windows of a text."""
    blocks = [block.text for block in cut(text)]
    return ["".join(blocks[first : first + 2]) for first in range(len(blocks))]


@given(FILES, st.frozensets(st.sampled_from(WORDS), min_size=1))
@settings(max_examples=200)
def test_the_best_window_of_each_file(texts: list[str], wanted: frozenset[str]) -> None:
    """A file's window is one with the highest sum of inverse frequencies, and the files come in the order of these."""
    sources = [Source(f"{number}.py", cut(text)) for number, text in enumerate(texts)]
    blocks = [block for source in sources for block in source.blocks]
    worth = {}
    for word in wanted:
        times = sum(word in block.words for block in blocks)
        if 0 < times <= max(4, len(blocks) / 10):
            worth[word] = math.log(1 + (len(blocks) - times + 0.5) / (times + 0.5))
    found = search(Query(wanted, frozenset()), sources, len(texts))
    expected = {}
    for source, text in zip(sources, texts, strict=True):
        scores = [sum(value for word, value in worth.items() if word in window.split()) for window in windows(text)]
        if max(scores, default=0) > 0:
            expected[source.path] = max(scores)
    assert {part.path: round(part.score, 9) for part in found} == {
        path: round(score, 9) for path, score in expected.items()
    }
    assert [part.score for part in found] == sorted((part.score for part in found), reverse=True)
    for part in found:
        assert part.text in windows(texts[int(part.path[0])])


def test_what_is_seen_anyway_is_left_out() -> None:
    """A window that has half of its words from around the cursor is not shown; another one of the same file is."""
    same = "total_price = sum_of(prices)\nprint(total_price)\n"
    other = "def sum_of(values, start, rounding, currency):\n    return rounding(currency, values, start)\n"
    query = query_at(same, "")
    assert search(query, [Source("a.py", cut(same))], 4) == []
    (found,) = search(query, [Source("a.py", cut(other))], 4)
    assert found.text == other


def test_the_query_is_ten_lines() -> None:
    """The words before the cursor are those of its line and the nine above it, and those after it are only near."""
    left = "\n".join(f"line{number}" for number in range(20))
    query = query_at(left, " behind\nbelow")
    assert query.wanted == {f"line{number}" for number in range(10, 20)}
    assert query.near == query.wanted | {"behind", "below"}


def test_no_key_is_found() -> None:
    """A window with a private key in it is never found, though it is most like what is asked for."""
    key = "private_thing = '''-----BEGIN RSA PRIVATE KEY-----\nabc'''\nwanted_name = other_name(more, than, that)\n"
    assert search(query_at("private_thing = wanted_name", ""), [Source("a.py", cut(key))], 4) == []


@given(FILES, st.frozensets(st.sampled_from(WORDS), min_size=1), st.integers(1, 6))
def test_parts_nearby(texts: list[str], wanted: frozenset[str], count: int) -> None:
    """The parts are of windows with the best sums, the best first, and no block of a file comes twice."""
    sources = [Source(f"{number}.py", cut(text)) for number, text in enumerate(texts)]
    query = Query(wanted, wanted)
    found = nearby(query, sources, count)
    assert len(found) <= count
    assert [part.score for part in found] == sorted((part.score for part in found), reverse=True)
    for source, text in zip(sources, texts, strict=True):
        mine = [part.text for part in found if part.path == source.path]
        assert all(part in text for part in mine)
        assert sum(map(len, mine)) <= len(text)
    best = search(Query(wanted, frozenset()), sources, 1)
    assert [part.score for part in found[:1]] == [part.score for part in best]


def test_no_secret_is_nearby() -> None:
    """A window with a key in it is passed over."""
    text = "alpha = 1\nbeta = 2\nkey = 'AKIAABCDEFGHIJKLMNOP'\n"
    assert nearby(query_at("alpha", ""), [Source("a.py", cut(text))], 4) == []
    assert nearby(query_at("alpha", ""), [Source("a.py", cut(text.replace("AKIA", "aaaa")))], 4)
