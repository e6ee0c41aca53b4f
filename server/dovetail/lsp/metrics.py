"""The counts of a session as metrics for Prometheus; no metric holds text of a document.

Only this file imports prometheus_client, and only `--metrics` imports this file, because the import takes as long as
the first answer may take.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, start_http_server

if TYPE_CHECKING:
    from wsgiref.simple_server import WSGIServer

    from dovetail.completer.answer import Work
    from dovetail.lsp.meter import Extent, Kind, Outcome
    from dovetail.statistics.counts import Event, Subject

_LOOPBACK = "127.0.0.1"

_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds; the bounds are closest where a delay becomes noticeable."""


class Metrics:
    """A meter that serves its numbers over HTTP; all threads may count."""

    def __init__(self) -> None:
        self._server: WSGIServer | None = None
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        counter = partial(Counter, registry=self._registry)
        self._running = Gauge(
            "dovetail_requests_in_progress", "Requests that are not answered yet.", registry=self._registry
        )
        labels = "kind", "outcome"
        self._requests = counter("dovetail_requests", "Requests, by kind and outcome.", labels)
        self._latency = Histogram(
            "dovetail_request_seconds", "Seconds from a request to its answer.", labels, buckets=_BOUNDS,
            registry=self._registry,
        )  # fmt: skip
        self._decoded = counter("dovetail_completions_decoded", "Requests answered with the model.")
        self._recalled = counter("dovetail_completions_recalled", "Requests answered from memory.")
        self._tokens = counter("dovetail_tokens", "Tokens that the model contributed.")
        self._refused = counter("dovetail_tokens_refused", "Better-ranked tokens that did not fit.")
        self._seconds = counter("dovetail_decoding_seconds", "Seconds of decoding, by part.", ("part",))
        self._shown = counter("dovetail_completions_shown", "Texts that an editor said it showed.")
        self._accepted = counter("dovetail_completions_accepted", "Acceptances, of a text or a part.", ("extent",))
        self._events = counter(
            "dovetail_completion_events",
            "Texts that were shown, accepted (`accepted`, or `completed` after a part), accepted in part (`partly`), "
            "and kept or changed thirty seconds later, by language and by the reason why they ended.",
            ("language", "reason", "event"),
        )
        self._characters = counter("dovetail_characters_accepted", "Accepted text, in UTF-16 code units.")

    def publish(self, port: int) -> str:
        """Serve the numbers on a port of this machine, 0 for any free one, and return their address.

        Raises OSError if the port is not available.
        """
        self._server, _ = start_http_server(port, _LOOPBACK, self._registry)
        return f"http://{_LOOPBACK}:{self._server.server_port}/metrics"

    def withdraw(self) -> None:
        """Stop serving the numbers."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def begin(self) -> None:
        """Count a request that has come."""
        self._running.inc()

    def end(self, kind: Kind, outcome: Outcome, seconds: float) -> None:
        """Count a request that is over, with the seconds since it came."""
        self._running.dec()
        self._requests.labels(kind, outcome).inc()
        self._latency.labels(kind, outcome).observe(seconds)

    def decode(self, work: Work) -> None:
        """Count the cost of an answer."""
        self._decoded.inc()
        self._tokens.inc(work.tokens)
        self._refused.inc(work.refused)
        for part in ("contexts", "prompt", "model", "constraint"):
            self._seconds.labels(part).inc(getattr(work.seconds, part))

    def recall(self) -> None:
        """Count an answer from memory, for which the model was not asked."""
        self._recalled.inc()

    def show(self) -> None:
        """Count a text that an editor showed."""
        self._shown.inc()

    def accept(self, extent: Extent, characters: int) -> None:
        """Count a text that was accepted, in part or to its end, with the characters that this added."""
        self._accepted.labels(extent).inc()
        self._characters.inc(characters)

    def note(self, about: Subject, event: Event) -> None:
        """Count an event of a text by its language and the reason why it ended."""
        self._events.labels(about.language, about.reason, event).inc()
