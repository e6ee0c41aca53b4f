"""Calls of known functions, their number of arguments and variables called as their parameters are likelier."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.decoding.call_arguments import (
    CALLED,
    COUNT_KEPT,
    NAMED_ALIKE,
    NONE_MISSING,
    NONE_WANTED,
    PROPERTY_CALLED,
    CallArguments,
)
from dovetail.decoding.left_text import LeftText
from dovetail.decoding.member_names import MemberNames
from dovetail.decoding.repository import Members
from dovetail.vocabulary.prefix_index import PrefixIndex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PIECES = (
    b"(",
    b"()",
    b"())",
    b")",
    b"),",
    b",",
    b"it",
    b"item",
    b"em",
    b" count",
    b" ",
    b"x",
    b"cart.add",
    b"ed",
    b"1",
)
IDS = {piece: token for token, piece in enumerate(PIECES)}
CART = Members(
    "cart",
    ("add", "total", "all", "added", "any", "Item"),
    signatures=("(item, count)", "-", "()", "", "(item=, *)", "new()"),
)
FUNCTIONS = Members("", ("make",), is_whole=False, signatures=("(item)",))
INDEX = PrefixIndex(PIECES)
OWN = st.lists(st.floats(0.01, 1), min_size=len(PIECES), max_size=len(PIECES))


def odds(parts: Sequence[float], some: set[bytes], among: set[bytes] | None = None) -> float:
    mine = math.fsum(parts[IDS[piece]] for piece in some)
    return mine / (math.fsum(parts if among is None else (parts[IDS[piece]] for piece in among)) - mine)


def behind(name: bytes, own: Sequence[float]) -> list[float] | None:
    """Return what follows a name; `own` are the probabilities of the model, all of which follow the whole name."""
    likely = {token: math.log(part) for token, part in enumerate(own)}
    found = CallArguments(PIECES, INDEX, [CART]).behind(b"cart", name, likely, 1.0)
    return found and [part * found.factors.get(token, found.others) for token, part in enumerate(own)]


def inside(text: bytes, own: Sequence[float], left: Sequence[bytes] = ()) -> list[float] | None:
    """Return what follows a text that ends in the arguments of a call; `left` stands somewhere before it."""
    logs = [math.log(part) for part in own]
    before = LeftText(PIECES, [IDS[piece] for piece in left])
    found = CallArguments(PIECES, INDEX, [CART, FUNCTIONS]).deal(
        text, before, lambda tokens: [logs[token] for token in tokens], lambda: list(enumerate(logs))
    )
    return None if found is None else [math.exp(found.score(token, score)) for token, score in enumerate(logs)]


def probabilities(weights: Sequence[float]) -> list[float]:
    whole = math.fsum(weights)
    return [weight / whole for weight in weights]


CALLS = {b"(", b"()", b"())"}
EMPTY = {b"()", b"())"}


@given(OWN)
@pytest.mark.parametrize(
    ("name", "called", "none"),
    [
        (b"add", CALLED, NONE_MISSING),
        (b"total", PROPERTY_CALLED, 1),
        (b"all", CALLED, NONE_WANTED),
        (b"any", CALLED, 1),
        (b"Item", 1, NONE_WANTED),
    ],
)
def test_functions_are_called_and_properties_are_not(name: bytes, called: float, none: float, own: list[float]) -> None:
    """The odds of a call, and in it of one without arguments, are multiplied by what is known; the sum stays 1."""
    own = probabilities(own)
    found = behind(name, own)
    assert found is not None
    assert math.fsum(found) == pytest.approx(1)
    assert odds(found, CALLS) == pytest.approx(called * odds(own, CALLS))
    assert odds(found, EMPTY, CALLS) == pytest.approx(none * odds(own, EMPTY, CALLS))


@pytest.mark.parametrize("name", [b"added", b"other"])
def test_of_other_names_nothing_is_known(name: bytes) -> None:
    """A field, which may hold a function, and a name that is none of the members are left to the model."""
    assert behind(name, probabilities([1.0] * len(PIECES))) is None


@given(OWN)
@pytest.mark.parametrize(
    ("text", "risen"),
    [
        (b"cart.add(", {b"it", b"item"}),
        (b"x = f(cart?.add(it", {b"em"}),
        (b"cart.add(f(x, 1),", {b" ", b" count"}),
        (b"cart.add('(,', ", None),
        (b"cart.any(", {b"it", b"item"}),
        (b"make(", {b"it", b"item"}),
        (b"cart.make(", None),
        (b"self.cart.add(", None),
        (b"cart.add(x=1, ", None),
        (b"cart.add(*x, ", None),
        (b"cart.add([x, ", None),
        (b"cart.add('", None),
        (b"cart.total(", None),
    ],
)
def test_a_variable_is_called_as_the_parameter(text: bytes, risen: set[bytes] | None, own: list[float]) -> None:
    """A name that stands around the cursor is likelier at the place of its parameter, if that is known."""
    own = probabilities(own)
    found = inside(text, own, [b"item", b"(", b" count"])
    if risen is None:
        assert found is None
        return
    assert found is not None
    assert math.fsum(found) == pytest.approx(1)
    assert odds(found, risen) == pytest.approx(NAMED_ALIKE * odds(own, risen))
    assert text.endswith(b"it") or inside(text, own) is None


@given(OWN)
@pytest.mark.parametrize(
    ("text", "risen", "paying"),
    [
        (b"cart.add(x", {b","}, {b")", b"),"}),
        (b"cart.add(item", {b","}, {b")", b"),"}),
        (b"cart.add(x, f(1, 2)", {b")", b"),"}, {b","}),
        (b"cart.add(x, 1, 2", {b")", b"),"}, {b","}),
        (b"make('a, b'", {b")", b"),"}, {b","}),
        (b"cart.any(x, 1", None, None),
        (b"cart.add(x +", None, None),
    ],
)
def test_a_call_gives_as_many_arguments_as_there_are_parameters(
    text: bytes, risen: set[bytes] | None, paying: set[bytes] | None, own: list[float]
) -> None:
    """Behind what may be an argument the odds of a comma and a closing bracket change, and nothing else does."""
    own = probabilities(own)
    found = inside(text, own)
    if risen is None or paying is None:
        assert found is None
        return
    assert found is not None
    assert odds(found, risen, risen | paying) == pytest.approx(COUNT_KEPT * odds(own, risen, risen | paying))
    for piece in set(PIECES) - risen - paying:
        assert found[IDS[piece]] == pytest.approx(own[IDS[piece]])
    assert math.fsum(found) == pytest.approx(1)


def test_members_and_calls_work_together() -> None:
    """Longer members, and calls, are both dealt out where a member may end."""
    logs: Mapping[int, float] = {token: math.log(1 / len(PIECES)) for token in range(len(PIECES))}
    names = MemberNames(PIECES, INDEX).taking([CART])
    found = names.deal(
        [IDS[b"cart.add"]],
        LeftText(PIECES, ()),
        lambda tokens: [logs[token] for token in tokens],
        lambda count: list(logs.items())[:count],
    )
    assert found is not None
    after = [math.exp(found.score(token, score)) for token, score in logs.items()]
    assert math.fsum(after) == pytest.approx(1)
    assert odds(after, CALLS, set(PIECES) - {b"ed"}) == pytest.approx(CALLED * 3 / 11)
    assert after[IDS[b"ed"]] == pytest.approx(1 / len(PIECES))
