"""The simulation against what queueing theory and arithmetic know."""

from __future__ import annotations

import math
import random
import statistics

import pytest
import simpy
from tests.load.simulation import (
    DROPPED,
    REFUSED,
    RUN,
    EngineSpeed,
    LightHost,
    SimulatedEngine,
    SimulatedHost,
    Work,
    simulate,
)

SPEED = EngineSpeed(step=0.01, row=0.001, read=0.0001, chunk=100)


def erlang_c(servers: int, load: float) -> float:
    """Return the chance to wait in a queue of the kind M/M/c, by Erlang's formula; `load` is arrivals times service."""
    full = load**servers / math.factorial(servers) * servers / (servers - load)
    return full / (sum(load**each / math.factorial(each) for each in range(servers)) + full)


@pytest.mark.parametrize(("processors", "load"), [(1, 0.6), (2, 1.5), (4, 3.2)])
def test_waiting_times_are_those_of_erlang(processors: int, load: float) -> None:
    """With random arrivals and work, and engines that take no time, requests wait as long as theory says."""
    chance = random.Random(5)
    works = [Work(chance.expovariate(1.0), 0.0, 0, 1) for _ in range(10_000)]
    free = EngineSpeed(0.0, 0.0, 0.0)
    # So many editors that hardly any asks again before it has its answer.
    ends = simulate(
        lambda clock: SimulatedHost(clock, processors, 1, free, 10**9),
        works, editors=5_000, rate=load / 5_000, seconds=20_000 / load, chance=chance,
    )  # fmt: skip

    known = 1 + erlang_c(processors, load) / (processors - load)
    answered = [end for end in ends if isinstance(end, float)]
    assert len(answered) > 0.99 * len(ends) > 0.95 * 20_000
    assert statistics.fmean(answered) == pytest.approx(known, rel=0.1)


def test_an_engine_batches() -> None:
    """Texts share steps, a prompt is read in chunks, and what is dropped costs nothing any more."""
    clock = simpy.Environment()
    engine = SimulatedEngine(clock, SPEED)
    ends: dict[str, float] = {}

    def wait(name: str, event: simpy.Event) -> None:
        def end(_: simpy.Event) -> None:
            ends[name] = clock.now

        event.callbacks.append(end)

    wait("long prompt", engine.write(250, 1))  # three steps of 100, 100 and 50 tokens
    wait("short", engine.write(0, 2))
    dropped = engine.write(0, 1_000)
    wait("dropped", dropped)
    clock.run(until=0.02)
    engine.drop(dropped)
    clock.run()

    assert "dropped" not in ends
    # Two steps with 100 tokens of the prompt and two texts that are written, of 0.022 s each; then one with 50 tokens
    # and the first token after them, while the text that was dropped is still in the second step's batch.
    assert ends["short"] == pytest.approx(2 * 0.022 - 0.001)
    assert ends["long prompt"] == pytest.approx(2 * 0.022 - 0.001 + 0.016)
    assert engine.busy == pytest.approx(clock.now)


def test_one_request_takes_its_parts() -> None:
    """Alone on a host a request takes the opening, each run of tokens, and the check of the last one."""
    clock = simpy.Environment()
    host = SimulatedHost(clock, 1, 1, SPEED, 1)
    ended = clock.process(host.complete(0, Work(opening=0.05, checking=0.02, prompt=0, tokens=9)))
    clock.run(ended)

    assert clock.now == pytest.approx(0.05 + 2 * RUN * 0.011 + 0.01)
    assert host.decoding == pytest.approx(0.07)


@pytest.mark.parametrize("light", [True, False])
def test_every_request_is_accounted_for(light: bool) -> None:
    """Under any load a request is answered, dropped by its editor, or refused; the same seed gives the same ends."""

    def run(rate: float) -> list[float | str]:
        chance = random.Random(3)
        if light:
            return simulate(lambda clock: LightHost(clock, 2, 3), [0.1, 0.3], 8, rate, 50, chance)
        works = [Work(0.02, 0.05, 120, 12), Work(0.2, 0.1, 900, 40)]
        return simulate(lambda clock: SimulatedHost(clock, 2, 2, SPEED, 3), works, 8, rate, 50, chance)

    calm, wild = run(0.01), run(5.0)

    assert all(isinstance(end, float) for end in calm)
    assert len(wild) == pytest.approx(8 * 5.0 * 50, rel=0.1)
    assert {DROPPED, REFUSED} <= set(wild)
    assert run(5.0) == wild
