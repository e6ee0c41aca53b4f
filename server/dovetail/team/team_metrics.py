"""Counts and times of a team's host, for whoever watches it; they hold no text and no name of a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

if TYPE_CHECKING:
    from dovetail.team.team import TeamState
    from dovetail.team.written_texts import WrittenTexts

_BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5, 2.5, 5.0, 10.0, 20.0)


class TeamMetrics:
    """The counts of one host."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self._requests = Counter(
            "dovetail_requests", "Requests by door and status; 499: the client went.", ["door", "status"],
            registry=registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "dovetail_request_seconds", "Seconds from a request to its answer.", ["door"], buckets=_BOUNDS,
            registry=registry,
        )  # fmt: skip
        self._parts = Counter(
            "dovetail_part_seconds", "Seconds of writing, by part; contexts and constraint are the engine's.", ["part"],
            registry=registry,
        )  # fmt: skip
        self._texts = Counter("dovetail_texts", "Texts that were sent.", registry=registry)
        self._tokens = Counter("dovetail_tokens", "Tokens that the model contributed.", registry=registry)
        self._ready = Gauge("dovetail_replicas_ready", "Replicas that can be asked.", registry=registry)
        self._waiting = Gauge("dovetail_requests_waiting", "Requests that are written or wait.", registry=registry)
        self._restarts = Gauge("dovetail_replica_restarts", "Processes started after one ended.", registry=registry)

    def note(self, door: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(door, str(status)).inc()
        self._seconds.labels(door).observe(seconds)

    def note_texts(self, written: WrittenTexts) -> None:
        """Count what was written for a request."""
        self._texts.inc(len(written.texts))
        self._tokens.inc(written.tokens)
        for part in ("contexts", "prompt", "model", "constraint"):
            self._parts.labels(part).inc(getattr(written.seconds, part))

    def page(self, state: TeamState) -> bytes:
        """Return everything in Prometheus' text form."""
        self._ready.set(state.ready)
        self._waiting.set(state.waiting)
        self._restarts.set(state.restarts)
        return generate_latest(self._registry)
