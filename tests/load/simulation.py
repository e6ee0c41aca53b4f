"""A discrete-event simulation of a team's host: editors that ask, decoders on processors, engines on graphics cards.

It says what cannot be tried on one machine: how many processors and cards so many users need. What a request costs is
drawn from measurements (`measurement.py`); the time is SimPy's, so a simulated hour takes seconds.
"""

from __future__ import annotations

import sys
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import simpy

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Generator, Sequence

    Steps = Generator[simpy.Event, Any, None]

RUN = 6
"""Tokens that an engine computes for one call of the decoder: 2,494 for 401 calls, with the embedded model."""

TAKEN = 4.5
"""Tokens of these that are taken: what follows a refused token is computed in vain. 1,794 for 401 calls there."""

DROPPED, REFUSED = "dropped", "refused"


@dataclass(frozen=True, slots=True)
class Work:
    """The work that one request asks of a host."""

    opening: float
    """Seconds of a processor before the first token."""
    checking: float
    """Seconds of a processor for all tokens."""
    prompt: int
    """Tokens that the engine has to read, those that it still knows apart."""
    tokens: int
    """Tokens of the text."""


@dataclass(frozen=True, slots=True)
class EngineSpeed:
    """The time of an engine's step, which writes a token for each text in work and reads a part of new prompts."""

    step: float
    """Seconds of a step."""
    row: float
    """Seconds more for each text."""
    read: float
    """Seconds more for each token of a prompt."""
    chunk: int = 2_048
    """The most tokens of prompts in a step."""

    def times(self, factor: float) -> EngineSpeed:
        """Return the speed of an engine that takes a multiple of the time for everything."""
        return EngineSpeed(self.step * factor, self.row * factor, self.read * factor, self.chunk)


class SimulatedEngine:
    """One graphics card that batches: all texts advance in every step, and a prompt is read in chunks between."""

    def __init__(self, clock: simpy.Environment, speed: EngineSpeed) -> None:
        self._clock = clock
        self._speed = speed
        self._texts: list[list[Any]] = []  # prompt left, tokens left, event
        self._wake = clock.event()
        self.busy = 0.0
        """Seconds in which it worked."""
        clock.process(self._work())

    def write(self, prompt: int, tokens: int) -> simpy.Event:
        """Return the event of having read a prompt and written some tokens after it."""
        done = self._clock.event()
        self._texts.append([prompt, tokens, done])
        if not self._wake.triggered:
            self._wake.succeed()
        return done

    def drop(self, done: simpy.Event) -> None:
        """Write no more for an event that nobody waits for."""
        self._texts = [text for text in self._texts if text[2] is not done]

    def _work(self) -> Steps:
        while True:
            if not self._texts:
                self._wake = self._clock.event()
                yield self._wake
            room, writing = self._speed.chunk, 0
            for text in self._texts:
                part = min(text[0], room)
                text[0] -= part
                room -= part
                if text[0] == 0:
                    writing += 1
                    text[1] -= 1
            # A text whose prompt ends in this step has its first token from it.
            spent = self._speed.step + self._speed.row * writing + self._speed.read * (self._speed.chunk - room)
            self.busy += spent
            yield self._clock.timeout(spent)
            ended = [text for text in self._texts if text[1] <= 0]
            self._texts = [text for text in self._texts if text[1] > 0]
            for text in ended:
                text[2].succeed()


class SimulatedHost:
    """Decoders on `processors` before some engines; `most_waiting` requests at a time, and more are refused."""

    def __init__(
        self, clock: simpy.Environment, processors: int, engines: int, speed: EngineSpeed, most_waiting: int
    ) -> None:
        self._clock = clock
        self._processors = simpy.Resource(clock, processors)
        self._engines = [SimulatedEngine(clock, speed) for _ in range(engines)]
        self._most_waiting = most_waiting
        self._waiting = 0
        self.decoding = 0.0
        """Seconds in which a processor worked."""

    @property
    def writing(self) -> float:
        """Seconds in which engines worked."""
        return sum(engine.busy for engine in self._engines)

    def takes(self) -> bool:
        """Return whether there is room for another request."""
        return self._waiting < self._most_waiting

    def complete(self, document: int, work: Work) -> Steps:
        """Answer a request; its document stays with one engine, which knows what it has read."""
        engine = self._engines[document % len(self._engines)]
        self._waiting += 1
        pending: simpy.Event | None = None
        try:
            yield from self._decode(work.opening)
            calls = max(1, round(work.tokens / TAKEN))
            pending = engine.write(work.prompt, RUN)
            for call in range(calls):
                yield pending
                # The next run is asked for while this one is checked.
                pending = engine.write(0, RUN) if call + 1 < calls else None
                yield from self._decode(work.checking / calls)
        finally:
            self._waiting -= 1
            if pending is not None:
                engine.drop(pending)

    def _decode(self, seconds: float) -> Steps:
        if seconds == 0:
            return  # nothing to do takes no turn
        with self._processors.request() as turn:
            yield turn
            self.decoding += seconds
            yield self._clock.timeout(seconds)


class LightHost:
    """Replicas that hold model and engine in one process, and answer one request at a time."""

    def __init__(self, clock: simpy.Environment, replicas: int, most_waiting: int) -> None:
        self._clock = clock
        self._replicas = [simpy.Resource(clock, 1) for _ in range(replicas)]
        self._most_waiting = most_waiting
        self._waiting = 0

    def takes(self) -> bool:
        """Return whether there is room for another request."""
        return self._waiting < self._most_waiting

    def complete(self, document: int, seconds: float) -> Steps:
        """Answer a request that takes its replica so many seconds."""
        self._waiting += 1
        try:
            with self._replicas[document % len(self._replicas)].request() as turn:
                yield turn
                yield self._clock.timeout(seconds)
        finally:
            self._waiting -= 1


def simulate(
    make: Callable[[simpy.Environment], Any],
    works: Sequence[Any],
    editors: int,
    rate: float,
    seconds: float,
    chance: random.Random,
    *,
    most: int = sys.maxsize,
    later: Sequence[Any] = (),
) -> list[float | str]:
    """Return how each request ended: the seconds until its answer, `DROPPED` or `REFUSED`.

    `make` makes the host; an editor asks at random times, `rate` a second on average, for work drawn from `works`, and
    drops the request before if that is still open. It asks for so many `seconds`, and at most `most` times; after its
    first request it draws from `later`, if there is any.
    """
    clock = simpy.Environment()
    host = make(clock)
    ends: list[float | str] = []
    for document in range(editors):
        clock.process(_edit(clock, host, document, (works, later or works), rate, seconds, chance, ends, most))
    clock.run()
    return ends


def _edit(
    clock: simpy.Environment,
    host: Any,
    document: int,
    works: tuple[Sequence[Any], Sequence[Any]],
    rate: float,
    seconds: float,
    chance: random.Random,
    ends: list[float | str],
    most: int,
) -> Steps:
    open_: deque[simpy.Process] = deque(maxlen=1)
    for number in range(most):
        yield clock.timeout(chance.expovariate(rate))
        if clock.now > seconds:
            return
        for before in open_:
            if before.is_alive:
                before.interrupt()
        open_.append(clock.process(_ask(clock, host, document, chance.choice(works[number > 0]), ends)))


def _ask(clock: simpy.Environment, host: Any, document: int, work: Any, ends: list[float | str]) -> Steps:
    if not host.takes():
        ends.append(REFUSED)
        return
    asked = clock.now
    try:
        yield from host.complete(document, work)
    except simpy.Interrupt:
        ends.append(DROPPED)
        return
    ends.append(clock.now - asked)
