"""Members that are known rise behind their dot, and the rest stays a probability."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.decoding.left_text import LeftText
from dovetail.decoding.likeness import LineWords, likeness
from dovetail.decoding.member_names import USED_WEIGHT, WEIGHT, KnownMembers, MemberNames
from dovetail.decoding.repository import Members
from dovetail.vocabulary.prefix_index import PrefixIndex

if TYPE_CHECKING:
    from collections.abc import Sequence

PIECES = (b"cart", b".", b".to", b"to", b"tal", b"t", b"add", b"x", b"(", b".x", b"ca", b"rt", None, b"..", b"?")
IDS = {piece: token for token, piece in enumerate(PIECES)}
CART = Members("cart", ("total", "add", "addition"))


def probabilities(weights: Sequence[float]) -> list[float]:
    whole = math.fsum(weights)
    return [weight / whole for weight in weights]


def dealt(text: Sequence[bytes], own: Sequence[float], members: Sequence[Members] = (CART,)) -> list[float] | None:
    """Return the probabilities after a text, from those of the model; None where nothing is dealt out."""
    names = MemberNames(PIECES, PrefixIndex(PIECES)).taking(members)
    logs = [math.log(part) for part in own]
    ranking = sorted(enumerate(logs), key=lambda pair: -pair[1])
    found = names.deal(
        [IDS[piece] for piece in text],
        LeftText(PIECES, [IDS[piece] for piece in text]),
        lambda tokens: [logs[token] for token in tokens],
        lambda count: ranking[:count],
    )
    return None if found is None else [math.exp(found.score(token, score)) for token, score in enumerate(logs)]


@given(st.lists(st.floats(0.01, 1), min_size=len(PIECES), max_size=len(PIECES)))
@pytest.mark.parametrize(
    ("text", "risen", "paying"),
    [
        ([b"cart", b"."], {b"to", b"t", b"add"}, None),
        ([b"ca", b"rt", b"?", b"."], {b"to", b"t", b"add"}, None),
        ([b"x", b"cart", b".to"], None, None),
        ([b"(", b"cart", b".to"], {b"tal", b"t"}, None),
        ([b"(", b"cart"], {b".", b".to"}, {b".x"}),
    ],
)
def test_members_rise(text: list[bytes], risen: set[bytes] | None, paying: set[bytes] | None, own: list[float]) -> None:
    """Members' tokens share nine tenths of what is dealt out, in the model's proportions; the sum is 1 as before."""
    own = probabilities(own)
    found = dealt(text, own)
    if risen is None:
        assert found is None
        return
    assert found is not None
    assert math.fsum(found) == pytest.approx(1)
    members = {IDS[piece] for piece in risen}
    others = set(range(len(PIECES))) - members if paying is None else {IDS[piece] for piece in paying}
    together = math.fsum(own[token] for token in members)
    whole = together + math.fsum(own[token] for token in others)
    for token, part in enumerate(own):
        if token in members:
            assert found[token] == pytest.approx(part * (1 - WEIGHT + WEIGHT * whole / together))
        elif token in others:
            assert found[token] == pytest.approx(part * (1 - WEIGHT))
        else:
            assert found[token] == pytest.approx(part)


@pytest.mark.parametrize(
    "text",
    [[b"x"], [b"x", b"."], [b"cart", b"("], [b"cart", b".", b"x"], [b"cart", b".", b"add"], [b"x", b".", b"cart"], []],
)
def test_elsewhere_the_model_decides(text: list[bytes]) -> None:
    """Behind other names, in no member, and where one may end, nothing is dealt out."""
    assert dealt(text, probabilities([1.0] * len(PIECES))) is None


def test_a_model_that_is_sure_of_something_else_is_left_alone() -> None:
    """If all members together are next to impossible, the list is not about this place."""
    own = [1e-9 if piece in {b"to", b"t", b"add"} else 1.0 for piece in PIECES]
    assert dealt([b"cart", b"."], probabilities(own)) is None


def test_members_that_are_used_often_rise_more() -> None:
    """Of members that the model holds for equally likely the one rises most that other files use most."""
    own = probabilities([1.0] * len(PIECES))
    found = dealt([b"cart", b"."], own, [Members("cart", CART.names, (1, 8, 0))])
    assert found is not None
    assert math.fsum(found) == pytest.approx(1)
    assert found[IDS[b"add"]] / found[IDS[b"to"]] > 1.5
    assert found[IDS[b"to"]] > found[IDS[b"x"]]
    rarely = dealt([b"cart", b"."], own, [Members("cart", CART.names, (8, 1, 0))])
    assert rarely is not None
    assert rarely[IDS[b"to"]] > found[IDS[b"to"]]


def test_members_that_are_known_from_uses_alone_take_less() -> None:
    """There are more members than those that are used, so more is left to the model."""
    own = probabilities([1.0] * len(PIECES))
    taken = []
    for is_whole in (True, False):
        found = dealt([b"cart", b"."], own, [Members("cart", CART.names, is_whole=is_whole)])
        assert found is not None
        assert math.fsum(found) == pytest.approx(1)
        taken.append(found[IDS[b"x"]] / own[IDS[b"x"]])
    assert taken == pytest.approx([1 - WEIGHT, 1 - USED_WEIGHT])


@pytest.mark.parametrize(("times", "is_longer"), [((0, 1, 9), True), ((0, 9, 1), False)])
def test_uses_say_whether_a_name_ends(times: tuple[int, ...], is_longer: bool) -> None:
    """Behind a whole name its going on rises if longer members are used more, and falls if it is used more itself."""
    own = probabilities([1.0] * len(PIECES))
    members = [Members("cart", ("total", "add", "addx"), times)]
    found = dealt([b"cart", b".", b"add"], own, members)
    assert found is not None
    assert math.fsum(found) == pytest.approx(1)
    assert (found[IDS[b"x"]] > own[IDS[b"x"]]) is is_longer
    assert (found[IDS[b"("]] < own[IDS[b"("]]) is is_longer


@given(st.lists(st.floats(0.01, 1), min_size=len(PIECES), max_size=len(PIECES)))
def test_members_like_their_line_rise(own: list[float]) -> None:
    """A member that has the words of what stands before it rises beside the others, and the sum is 1 as before."""
    own = probabilities(own)
    alike, plain = (dealt([*before, b"cart", b"."], own) for before in ([b"add", b"("], [b"x", b"("]))
    assert alike is not None
    assert plain is not None
    assert math.fsum(alike) == pytest.approx(1)
    ratio = alike[IDS[b"add"]] / alike[IDS[b"to"]]
    assert ratio > 1.5 * plain[IDS[b"add"]] / plain[IDS[b"to"]] or own[IDS[b"add"]] > 0.5


@given(
    st.dictionaries(st.sampled_from(["add", "addition", "total", "to_add", "x", "tadd_x"]), st.integers(0, 9)),
    st.sampled_from([b".", b".t", b""]),
    st.sets(st.sampled_from([b"add", b"total", b"tadd", b"addition", b"other"])),
)
def test_tokens_weigh_what_their_members_do(times: dict[str, int], begun: bytes, words: set[bytes]) -> None:
    """A token has the mean of the likeness of the members that it goes on with, the used ones counting more."""
    index = PrefixIndex(PIECES)
    known = KnownMembers(Members("cart", tuple(times), tuple(times.values())))
    zones = LineWords(frozenset(), frozenset(words), frozenset(words))
    wanted: dict[int, list[tuple[int, float]]] = {}
    for name, count in times.items():
        dotted = f".{name}".encode()
        if dotted.startswith(begun):
            for token, _ in index.within(dotted[len(begun) :]):
                wanted.setdefault(token, []).append((count, likeness(dotted, zones)))
    found = known.tokens(begun, zones, index)
    assert found.keys() == wanted.keys()
    plain = known.tokens(begun, LineWords(frozenset(), frozenset(), frozenset()), index)
    for token, members in wanted.items():
        mean = sum((count + 0.5) * like for count, like in members) / sum(count + 0.5 for count, _ in members)
        assert found[token] == pytest.approx(plain[token] * mean)
