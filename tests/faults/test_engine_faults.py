"""Faults of an engine over HTTP: a clear failure, nothing hangs, and the next request works."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from tests.decoding.finite_quotient import FiniteQuotient
from tests.decoding.scripted_proposer import ScriptedGeneration, ScriptedProposer, writes
from tests.engine_double import EngineDouble, engine
from tests.faults.test_model_faults import begin, offered, state
from tests.lsp.client import URI, Client

from dovetail.__main__ import main
from dovetail.completer.remote import RemoteCompleter
from dovetail.decoding.completion import Stop
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits
from dovetail.decoding.request import Request
from dovetail.lsp.server import Server
from dovetail.model.engines.connection import Connection
from dovetail.model.engines.llama_server_form import LlamaServerForm
from dovetail.model.engines.openai_form import OpenAiForm
from dovetail.model.engines.opening import OpenedEngine
from dovetail.model.failure import EngineError, Failure, failure_of
from dovetail.model.runtimes.engine import EngineModel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence
    from pathlib import Path

    from tests.engine_double import Fault

    from dovetail.decoding.cancellation import Cancellation

PATIENCE = 120
"""Seconds for what takes a fraction of one where nothing else runs."""


class Writer(ScriptedProposer):
    """Writes `2.5]` after every prompt."""

    def __init__(self) -> None:
        super().__init__(rank=writes(b"2", b".", b"5", b"]"), window=1024)

    def begin(self, prompt: Sequence[int], document: str | None = None) -> ScriptedGeneration:
        """Return the text after the mark that ends a prompt."""
        generation = super().begin(prompt, document)
        mark = self.vocabulary.specials["<|fim_middle|>"]
        start = len(prompt) - list(reversed(prompt)).index(mark) if mark in prompt else 0
        for token in prompt[start:]:
            generation.feed(token)
        return generation


@pytest.fixture(name="double", params=["vllm", "llamacpp"])
def _double(request: pytest.FixtureRequest) -> Iterator[EngineDouble]:
    with engine(Writer(), request.param) as double:
        yield double


def connected(double: EngineDouble, seconds: float = PATIENCE) -> EngineModel:
    """Return the model of an engine that was opened before; `seconds`: the longest time of an answer."""
    form = LlamaServerForm("served") if double.kind == "llamacpp" else OpenAiForm("served")
    writer = double.proposer
    opened = OpenedEngine(
        Connection(double.url, seconds=seconds), form, "served", "none", writer.vocabulary, writer.encode,
        writer.window, best=64, most_best=1024, most_scored=64,
    )  # fmt: skip
    return EngineModel(opened)


def request(cancellation: Cancellation | None = None, seconds: float | None = None) -> Request:
    made = Request("[", "", lambda: FiniteQuotient(["2.5]"]), Limits(seconds=seconds))
    return made if cancellation is None else Request(made.left, "", made.open_quotient, made.limits, cancellation)


@pytest.mark.parametrize("fault", ["half", "html", "nan", "strange", "empty", "error", "redirect"])
def test_an_engine_that_answers_nonsense_is_a_failure(double: EngineDouble, fault: Fault) -> None:
    """Anything in the place of an answer is a failure of the engine with its address; the next one counts."""
    model = connected(double)
    # An answer that is cut off is asked for again, once.
    double.faults.extend([fault, fault] if fault == "half" else [fault])

    with pytest.raises(EngineError, match=double.url) as caught:
        Decoder(model).complete(request())

    assert failure_of(caught.value) is Failure.ENGINE
    double.faults.clear()
    assert Decoder(model).complete(request()).text == "2.5]"


def test_an_engine_that_closes_a_kept_connection_is_asked_again(double: EngineDouble) -> None:
    """A connection that idled too long is closed by the other side, which costs nobody a completion."""
    model = connected(double)
    double.faults.append("drop")

    assert Decoder(model).complete(request()).text == "2.5]"


def test_an_engine_that_disappears_in_mid_run_is_a_failure(double: EngineDouble) -> None:
    """An engine that ends while it writes fails the text at once; one that comes back is asked again."""
    model = connected(double)
    double.faults.extend([None, "drop", "drop", "drop", "drop"])
    generation = model.begin(model.encode("x"))
    generation.ranked(1)
    generation.feed(7)

    with pytest.raises(EngineError, match="does not answer"):
        generation.ranked(1)

    double.faults.clear()
    assert Decoder(model).complete(request()).text == "2.5]"


def test_an_engine_that_is_gone_is_a_failure() -> None:
    """Nothing is waited for if nobody listens any more."""
    with engine(Writer()) as double:
        model = connected(double)
        assert Decoder(model).complete(request()).text == "2.5]"
        double.server_close()
        double.shutdown()
        model.connection.close()
    model = connected(double)

    with pytest.raises(EngineError, match="does not answer"):
        Decoder(model).complete(request())


def test_an_engine_that_is_too_slow_is_a_failure(double: EngineDouble) -> None:
    """An answer that does not come in its time is given up, and the connection with it."""
    model = connected(double, seconds=0.5)
    double.faults.append("hang")

    with pytest.raises(EngineError, match="has not answered within"):
        Decoder(model).complete(request())

    model = connected(double)
    assert Decoder(model).complete(request()).text == "2.5]"


def test_nobody_waits_for_an_engine_longer_than_the_request(double: EngineDouble) -> None:
    """A request that is cancelled, or whose time is up, ends though the engine is silent, which learns of it."""
    model = connected(double)
    double.faults.append("hang")

    assert Decoder(model).complete(request(CancelledBySilence(double))).stop is Stop.CANCELLED
    assert double.left.get(timeout=PATIENCE)

    double.hanging.clear()
    double.faults.append("hang")
    late = Decoder(model, clock=lambda: 100.0 if double.hanging.is_set() else 0.0).complete(request(seconds=1.0))
    assert late.stop in (Stop.TIME, Stop.INVENTED)
    assert double.left.get(timeout=PATIENCE)

    assert Decoder(model).complete(request()).text == "2.5]"


class CancelledBySilence:
    """The cancellation of a user who sees that the engine is silent."""

    def __init__(self, double: EngineDouble) -> None:
        self._double = double

    @property
    def cancelled(self) -> bool:
        return self._double.hanging.is_set()


@pytest.fixture(name="client")
async def _client() -> AsyncIterator[Client]:
    """Return a session whose process asks real engines."""
    completer = RemoteCompleter()
    client = Client(Server(completer, {}))
    yield client
    completer.abandon()
    assert await asyncio.to_thread(client.server.session.worker.stop, PATIENCE)


async def test_an_engine_that_fails_costs_one_answer(client: Client) -> None:
    """In a session the status says what failed, the process stays, and the next completion is there."""
    with engine(Writer(), "llamacpp") as double:
        await begin(client, double.url, trigger="eager")
        completer = client.server.session.completer
        assert isinstance(completer, RemoteCompleter)
        first = completer.process
        double.faults.append("error")

        assert await offered(client, 1) == []
        told, why = await state(client, 2), await client.command(3, "why", URI)
        assert told["kind"] == "Warning"
        assert f"{double.url} fails (500)" in told["message"]
        assert f"{double.url} fails (500)" in why["message"]

        double.faults.clear()
        assert await offered(client, 4) == ["2.5]"]
        assert (await state(client, 5))["kind"] == "Normal"
        assert completer.process == first


def test_a_command_says_that_the_engine_failed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a terminal a failure in mid-run is one sentence."""
    (tmp_path / "x.json").write_text("[1, ")
    with engine(Writer(), "llamacpp") as double:
        # The probes of the opening, and the question for the vocabulary, are answered.
        double.faults.extend([None, None, None, "error"])
        code = main(["complete", "--model", double.url, f"{tmp_path / 'x.json'}:1:5"])

    assert code == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"The model failed, because {double.url} fails (500)")
