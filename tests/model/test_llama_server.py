"""The server of llama.cpp itself, as the package that brings the library begins it in this process."""

from __future__ import annotations

import ast
import threading
from typing import TYPE_CHECKING

import pytest
from tests.model.real_places import TOKENS, cuts, written

from dovetail.model.conversion import convert
from dovetail.model.hosting import EMBEDDED, load_model
from dovetail.model.runtimes.engine import EngineModel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.decoding.proposer import Proposer

pytest.importorskip("xllamacpp")

# A fault of the server would end a process that other tests share: `make e2e` gives it one of its own.
pytestmark = pytest.mark.editor

PROMPT = "import json\n\ndef dump(value, file):\n    "


@pytest.fixture(name="address", scope="module")
def _address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    import xllamacpp

    file = tmp_path_factory.mktemp("served") / "embedded.gguf"
    convert(EMBEDDED, file, "f16")
    options = xllamacpp.CommonParams()
    options.model.path = str(file)
    options.port, options.n_parallel, options.n_ctx = 0, 2, 4096
    options.cpuparams.n_threads, options.warmup, options.verbosity = 1, False, -1
    server = xllamacpp.Server(options)
    yield server.listening_address
    # The library ends its server without letting go of the interpreter: a connection that still wrote would wait for
    # ever, and the server for it. A connection that was closed ends in its own time.
    for thread in threading.enumerate():
        if thread.name == "engine":
            thread.join(60)
    del server


@pytest.fixture(name="served", scope="module")
def _served(address: str) -> Iterator[EngineModel]:
    # Its own copy of the tokenizer: the file has none of the rules by which this one cuts text.
    model = load_model(f"{address}#tokenizer={EMBEDDED}")
    assert isinstance(model, EngineModel)
    yield model
    model.connection.close()


def test_the_server_tells_the_vocabulary_of_its_model(address: str, embedded: Proposer) -> None:
    """Bytes, marks and ends of the tokens come over HTTP as they are in the file."""
    model = load_model(address)

    assert isinstance(model, EngineModel)
    assert model.vocabulary.pieces == embedded.vocabulary.pieces
    assert model.vocabulary.ends == embedded.vocabulary.ends
    assert model.window == embedded.window
    text = "def f(x):\n    return 'é€ <fim_middle>'\n"
    assert b"".join(model.vocabulary.pieces[token] or b"" for token in model.encode(text)) == text.encode()
    model.connection.close()


def test_its_numbers_are_those_of_the_model(served: EngineModel, embedded: Proposer) -> None:
    """Rankings, and the scores of tokens far behind, are those in process, as far as kept keys are rounded."""
    prompt = embedded.encode(PROMPT)
    there, here = served.begin(prompt), embedded.begin(prompt)
    far = [token for token, _ in here.ranked(16_000)[::500]]
    for _ in range(20):
        expected = dict(here.ranked(200))
        assert [score for _, score in there.ranked(20)] == pytest.approx(
            [score for _, score in here.ranked(20)], abs=0.02
        )
        assert all(score == pytest.approx(expected[token], abs=0.02) for token, score in there.ranked(20))
        assert there.scores(far) == pytest.approx(here.scores(far), abs=0.05)
        token = here.ranked(1)[0][0]
        there.feed(token)
        here.feed(token)
        there.start()
    # What the engine did not tell is bounded from above; asked for, it is known.
    assert there.ending() >= here.ending() - 0.05
    there.scores(sorted(embedded.vocabulary.ends))
    assert there.ending() == pytest.approx(here.ending(), abs=0.05)


def test_its_texts_are_programs(served: EngineModel) -> None:
    """Completions of real places fit."""
    found = [(left, written(served, left, right, TOKENS), right) for left, right in cuts()]

    assert sum(text is not None for _, text, _ in found) > len(found) // 2
    for left, text, right in found:
        assert text is None or ast.parse(left + text + right)
