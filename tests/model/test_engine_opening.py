"""An engine's lacks, found when it is opened, and said in one sentence with the remedy."""

from __future__ import annotations

import json
import re
import socket
from functools import partial
from typing import TYPE_CHECKING

import pytest
from tests.engine_double import EngineDouble, engine

from dovetail.model.engines import opening
from dovetail.model.engines.address import KEY_VARIABLE, EngineAddress, read_address
from dovetail.model.engines.connection import Connection
from dovetail.model.error import ModelError
from dovetail.model.hosting import load_model
from dovetail.model.runtimes.engine import EngineModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.engine_double import Kind

    from dovetail.decoding.proposer import Proposer


@pytest.fixture(name="backend", scope="module")
def _backend(toy_gguf: Path) -> Proposer:
    return load_model(str(toy_gguf))


@pytest.fixture(name="double", params=["vllm", "sglang", "llamacpp"])
def _double(request: pytest.FixtureRequest, backend: Proposer) -> Iterator[EngineDouble]:
    with engine(backend, request.param) as double:
        yield double


@pytest.fixture(name="serve")
def _serve(backend: Proposer) -> Iterator[Callable[[Kind], EngineDouble]]:
    """Return a function that serves a model in the form of a kind of engine."""
    begun = []

    def serve(kind: Kind) -> EngineDouble:
        context = engine(backend, kind)
        begun.append(context)
        return context.__enter__()

    yield serve
    for context in begun:
        context.__exit__(None, None, None)


def opened(address: str) -> EngineModel:
    model = load_model(address)
    assert isinstance(model, EngineModel)
    model.connection.close()
    return model


def refusal(address: str) -> str:
    with pytest.raises(ModelError) as caught:
        load_model(address)
    message = str(caught.value)
    assert re.fullmatch(r"[^\n]+\.", message), "one sentence"
    return message


def test_a_tokenizer_on_this_machine_gives_the_vocabulary(double: EngineDouble, backend: Proposer, toy: Path) -> None:
    """With the folder of the tokenizer an engine's model has the tokens, ends and window of the model in process."""
    model = opened(f"{double.url}/v1/#model=served&tokenizer={toy}")

    assert model.vocabulary == backend.vocabulary
    assert model.window == backend.window
    assert model.name == "served"
    assert double.url in model.numbers
    assert model.encode("def f(): <fim_prefix>") == backend.encode("def f(): <fim_prefix>")


def test_the_server_of_llama_cpp_tells_its_vocabulary(serve: Callable[[Kind], EngineDouble], backend: Proposer) -> None:
    """Without any tokenizer here, tokens, special ones and ends come from the server, and it encodes texts."""
    double = serve("llamacpp")
    model = load_model(double.url)

    assert isinstance(model, EngineModel)
    assert model.vocabulary.pieces == backend.vocabulary.pieces
    assert model.vocabulary.ends == backend.vocabulary.ends
    # A mark of no known format needs no name: it is never written.
    assert model.vocabulary.specials.items() <= backend.vocabulary.specials.items()
    assert {"<fim_prefix>", "<fim_suffix>", "<fim_middle>"} <= set(model.vocabulary.specials)
    for text in ("def f(x):\n    return é€\n", "<fim_middle>", ""):
        assert model.encode(text) == backend.encode(text)
    model.connection.close()


@pytest.mark.parametrize("kind", ["vllm", "sglang"])
def test_an_engine_that_spells_no_tokens_needs_a_tokenizer(serve: Callable[[Kind], EngineDouble], kind: Kind) -> None:
    """Of engines other than llama.cpp's server the tokenizer has to be named."""
    double = serve(kind)

    assert f"{double.url}#tokenizer=/path/to/folder" in refusal(double.url)


def test_a_server_without_the_size_of_its_vocabulary_needs_a_tokenizer(
    serve: Callable[[Kind], EngineDouble], toy: Path
) -> None:
    """An old server of llama.cpp says too little; with a tokenizer it can be used."""
    double = serve("llamacpp")
    double.without = {"size"}

    assert "does not tell how many tokens" in refusal(double.url)
    assert opened(f"{double.url}#tokenizer={toy}").name == "served"


@pytest.mark.parametrize("lacks", ["ids", "prompts"])
def test_an_engine_without_token_ids_is_refused(serve: Callable[[Kind], EngineDouble], toy: Path, lacks: str) -> None:
    """An engine that takes texts only, or tells tokens by their texts, is named with engines that do better."""
    double = serve("vllm")
    double.without = {lacks}

    message = refusal(f"{double.url}#tokenizer={toy}")

    assert "does not take a prompt of token ids" in message
    assert "use vLLM, SGLang or llama.cpp's server" in message
    assert ("prompt has to be a text" in message) == (lacks == "prompts")


def test_an_engine_that_is_too_slow_to_be_probed_is_not_said_to_lack_anything(
    serve: Callable[[Kind], EngineDouble], toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first answer of an engine that starts may take long; later it can be used."""
    double = serve("vllm")
    double.faults.append("hang")
    with monkeypatch.context() as patched:
        patched.setattr(opening, "Connection", partial(Connection, seconds=1.0))
        message = refusal(f"{double.url}#tokenizer={toy}")

    assert "has not answered within 1 seconds" in message
    assert "wait until the engine is ready" in message
    assert opened(f"{double.url}#tokenizer={toy}").name == "served"


def test_too_few_log_probabilities_are_refused(serve: Callable[[Kind], EngineDouble], toy: Path) -> None:
    """Less than the first eight are too few to check a text."""
    double = serve("llamacpp")
    double.most = 5

    assert "no more than the 5 likeliest tokens" in refusal(f"{double.url}#tokenizer={toy}")


def test_few_log_probabilities_are_used_and_said(
    serve: Callable[[Kind], EngineDouble], toy: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """VLLM as it is started by default tells 20, which is enough to work, and the log names the remedy."""
    double = serve("vllm")
    double.most = 20

    model = opened(f"{double.url}#tokenizer={toy}")

    assert (model.best, model.most_best) == (20, 20)
    assert "--max-logprobs 64" in caplog.text


def test_an_engine_that_scores_no_single_tokens_is_used(serve: Callable[[Kind], EngineDouble], toy: Path) -> None:
    """Tokens that are not told share what is left if the scores of single tokens cannot be asked for."""
    double = serve("vllm")
    double.without = {"scores"}
    double.most = 20
    model = load_model(f"{double.url}#tokenizer={toy}")
    assert isinstance(model, EngineModel)

    generation = model.begin(model.encode("import json\n"))
    told = generation.ranked(20)
    others = [token for token in range(100) if token not in dict(told)][:3]

    assert model.most_scored == 0
    assert generation.scores([told[0][0]]) == [told[0][1]]
    first, *rest = generation.scores(others)
    assert first <= told[-1][1]
    assert rest == [first, first]
    model.connection.close()


def test_a_tokenizer_of_another_model_is_refused(
    serve: Callable[[Kind], EngineDouble], toy: Path, tmp_path: Path
) -> None:
    """A folder of another model would turn every text into nonsense; its first probe shows that."""
    double = serve("vllm")
    description = json.loads((toy / "tokenizer.json").read_text())
    known = description["model"]["vocab"]
    names = list(known)
    description["model"]["vocab"] = dict(zip(names, [known[name] for name in reversed(names)], strict=True))
    description["model"]["merges"] = []
    (tmp_path / "tokenizer.json").write_text(json.dumps(description))

    assert "is not that of the model" in refusal(f"{double.url}#tokenizer={tmp_path}")


@pytest.mark.parametrize(("content", "clause"), [(None, "cannot be read"), ("[]", "is damaged"), ("{", "is damaged")])
def test_a_tokenizer_that_cannot_be_read_is_refused(
    serve: Callable[[Kind], EngineDouble], tmp_path: Path, content: str | None, clause: str
) -> None:
    """A folder without a tokenizer, and a damaged one, are named."""
    if content is not None:
        (tmp_path / "tokenizer.json").write_text(content)

    assert clause in refusal(f"{serve('vllm').url}#tokenizer={tmp_path}")


def test_one_of_several_models_has_to_be_named(serve: Callable[[Kind], EngineDouble], toy: Path) -> None:
    """Of several models the one that is named is asked, by its whole name or the last part of a path."""
    double = serve("vllm")
    double.models = ["owner/first", "/models/second"]

    assert "owner/first, /models/second" in refusal(f"{double.url}#tokenizer={toy}")
    assert "has no model third" in refusal(f"{double.url}#tokenizer={toy}&model=third")
    assert opened(f"{double.url}#tokenizer={toy}&model=owner/first").name == "owner/first"
    assert opened(f"{double.url}#tokenizer={toy}&model=second").name == "second"
    assert {body["model"] for body in double.asked} == {"owner/first", "/models/second"}


def test_what_is_no_engine_is_refused(serve: Callable[[Kind], EngineDouble]) -> None:
    """A port where nobody listens, and a server of another kind, are named with what to do."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        free = taken.getsockname()[1]
    assert "start the engine" in refusal(f"http://127.0.0.1:{free}")

    double = serve("vllm")
    double.without = {"models"}
    assert "is no engine in OpenAI's form" in refusal(double.url)


@pytest.mark.parametrize(
    ("written", "clause"),
    [
        ("http://", "is no address"),
        ("http://127.0.0.1:port", "is no address"),
        ("http://127.0.0.1:99999", "is no address"),
        ("https://user:secret@example.org", "holds a password"),
        ("https://example.org/?api_key=secret", "holds a password"),
        ("http://127.0.0.1:8000#folder=x", "is unknown"),
        ("http://127.0.0.1:8000#model=", "is unknown"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused(written: str, clause: str) -> None:
    """A mistake in an address is one sentence, which does not repeat a secret."""
    message = refusal(written)

    assert clause in message
    assert "secret" not in message


def test_a_key_goes_to_its_own_address_only(serve: Callable[[Kind], EngineDouble], toy: Path,
                                            monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    """A key is sent to the engine that the variable names with it, and to no other that a project may name."""
    own, other = serve("vllm"), serve("vllm")
    own.key = other.key = "sesame"
    assert f"set {KEY_VARIABLE}" in refusal(f"{own.url}#tokenizer={toy}")
    monkeypatch.setenv(KEY_VARIABLE, f"{own.url} sesame")

    assert opened(f"{own.url}#tokenizer={toy}").name == "served"
    assert f"set {KEY_VARIABLE}" in refusal(f"{other.url}#tokenizer={toy}")
    assert set(other.keys) == {None}


def test_a_key_is_never_sent_in_clear_text() -> None:
    """Beyond this machine a key needs TLS, and a key without an address is refused."""
    kept = {KEY_VARIABLE: "https://models.example.org KEY"}
    clear = {KEY_VARIABLE: "http://models.example.org KEY"}

    assert read_address("https://models.example.org/v1", kept).key == "KEY"
    assert read_address("http://models.example.org/v1", kept).key is None
    assert read_address("http://models.example.org", {}) == EngineAddress("http://models.example.org", None, None, None)
    with pytest.raises(ModelError, match="use https"):
        read_address("http://models.example.org", clear)
    with pytest.raises(ModelError, match="does not say which engine"):
        read_address("https://models.example.org", {KEY_VARIABLE: "KEY"})
