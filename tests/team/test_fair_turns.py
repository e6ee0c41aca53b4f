"""Fair turns: one at a time, keys in turn, and nobody who has gone holds up others."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.completer.cancel_token import CancelToken
from dovetail.team.fair_turns import FairTurns, NotWantedError

if TYPE_CHECKING:
    from collections.abc import Sequence


async def order(keys: Sequence[str], gone: Sequence[int] = ()) -> list[tuple[str, int]]:
    """Return the requests in the order of their turns: each key with its number; those in `gone` go while they wait."""
    turns, done = FairTurns(), list[tuple[str, int]]()
    first, release = CancelToken(), asyncio.Event()
    tokens = [CancelToken() for _ in keys]

    async def work(key: str, number: int) -> None:
        async with turns.turn(key, tokens[number]):
            assert not running
            running.append(number)
            await asyncio.sleep(0)
            done.append((key, number))
            running.clear()

    running: list[int] = []
    async with turns.turn("first", first):
        tasks = [asyncio.ensure_future(work(key, number)) for number, key in enumerate(keys)]
        while turns.waiting <= len(keys):
            await asyncio.sleep(0)
        for number in gone:
            tokens[number].cancel()
        release.set()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [number for number, result in enumerate(results) if isinstance(result, NotWantedError)] == sorted(set(gone))
    assert turns.waiting == 0
    return done


def test_keys_take_turns() -> None:
    """A key that floods waits behind itself: another's request comes after one of its own, not after all."""
    found = asyncio.run(order(["flood", "flood", "flood", "other", "flood", "third"]))

    assert found == [("flood", 0), ("other", 3), ("third", 5), ("flood", 1), ("flood", 2), ("flood", 4)]


@given(st.lists(st.sampled_from("abc"), max_size=8), st.data())
def test_everybody_is_served_once(keys: list[str], data: st.DataObject) -> None:
    """Each request has its turn, those of a key in their order, whoever goes meanwhile."""
    gone = data.draw(st.lists(st.integers(0, len(keys) - 1), unique=True)) if keys else []
    found = asyncio.run(order(keys, gone))

    assert sorted(number for _, number in found) == [number for number in range(len(keys)) if number not in gone]
    for key in "abc":
        own = [number for each, number in found if each == key]
        assert own == sorted(own)


def test_a_request_that_is_not_wanted() -> None:
    """A request that was cancelled before it came has no turn."""

    async def ask() -> None:
        gone = CancelToken()
        gone.cancel()
        turns = FairTurns()
        with pytest.raises(NotWantedError):
            async with turns.turn("a", gone):
                raise AssertionError
        async with turns.turn("a", CancelToken()):
            pass

    asyncio.run(ask())


def test_a_task_that_is_cancelled_hands_on() -> None:
    """A turn that comes to a task in the moment in which that ends goes to the next."""

    async def ask() -> None:
        turns = FairTurns()

        async def hold() -> None:
            async with turns.turn("a", CancelToken()):
                await asyncio.sleep(0)

        async with turns.turn("a", CancelToken()):
            ended = asyncio.ensure_future(hold())
            while turns.waiting < 2:
                await asyncio.sleep(0)
        ended.cancel()  # its turn was given a moment ago
        with pytest.raises(asyncio.CancelledError):
            await ended
        await asyncio.wait_for(hold(), 60)

    asyncio.run(ask())
