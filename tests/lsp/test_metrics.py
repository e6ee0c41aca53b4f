"""The numbers of a session, as Prometheus reads them."""

from __future__ import annotations

import socket
import urllib.request
from typing import TYPE_CHECKING

import psutil
import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.lsp.client import items, session
from tests.lsp.scripted_completer import ScriptedCompleter

from dovetail.completer.answer import Work
from dovetail.decoding.completion import Seconds
from dovetail.lsp.metrics import Metrics

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(name="metrics")
def _metrics() -> Iterator[Metrics]:
    metrics = Metrics()
    yield metrics
    metrics.withdraw()


def read(address: str) -> dict[str, float]:
    """Return all numbers by their names with labels."""
    with urllib.request.urlopen(address, timeout=30) as answer:
        text = answer.read().decode()
    return {
        sample.name + "".join(f"|{value}" for _, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_what_is_counted_can_be_read(metrics: Metrics) -> None:
    """Each thing that a meter is told is found in the numbers, the latency in its bucket."""
    metrics.begin()
    metrics.begin()
    metrics.end("automatic", "offered", 0.12)
    metrics.decode(Work(7, 2, Seconds(0.5, 1.0, 1.5, 2.0)))
    metrics.recall()
    metrics.show()
    metrics.accept("part", 3)
    metrics.accept("all", 4)

    found = read(metrics.publish(0))

    assert found["dovetail_requests_in_progress"] == 1
    assert found["dovetail_requests_total|automatic|offered"] == 1
    assert found["dovetail_request_seconds_bucket|automatic|0.1|offered"] == 0
    assert found["dovetail_request_seconds_bucket|automatic|0.15|offered"] == 1
    assert (found["dovetail_completions_decoded_total"], found["dovetail_completions_recalled_total"]) == (1, 1)
    assert (found["dovetail_tokens_total"], found["dovetail_tokens_refused_total"]) == (7, 2)
    assert found["dovetail_decoding_seconds_total|constraint"] == 2
    assert found["dovetail_completions_shown_total"] == 1
    assert (found["dovetail_completions_accepted_total|all"], found["dovetail_characters_accepted_total"]) == (1, 7)


def test_only_this_machine_can_read_them(metrics: Metrics) -> None:
    """The port is open on the loopback interface and on no other."""
    address = metrics.publish(0)
    port = int(address.rpartition(":")[2].partition("/")[0])

    bound = [
        connection.laddr.ip
        for connection in psutil.Process().net_connections("inet")
        if connection.status == psutil.CONN_LISTEN and connection.laddr.port == port
    ]

    assert address.startswith("http://127.0.0.1:")
    assert bound == ["127.0.0.1"]


def test_a_port_that_is_taken_is_refused(metrics: Metrics) -> None:
    """Two sessions on one port are a mistake that is said."""
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(OSError, match="use"):
        metrics.publish(taken.getsockname()[1])


async def test_the_numbers_hold_no_text(metrics: Metrics) -> None:
    """Neither the document, nor its address, nor what was offered is in them."""
    client = session(ScriptedCompleter("confidential"), meter=metrics)
    await client.begin()
    client.open("secret = ")
    [item] = items(await client.complete(1, 0, 9))
    await client.accept(2, item)

    address = metrics.publish(0)
    with urllib.request.urlopen(address, timeout=30) as answer:
        text = answer.read().decode()

    assert 'dovetail_completions_accepted_total{extent="all"} 1.0' in text
    for word in ("confidential", "secret", "example.py", "file:", item["command"]["arguments"][0]):
        assert word not in text
    assert client.server.session.end_work(10)
