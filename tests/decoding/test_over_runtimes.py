"""The decoder over every runtime: a program or nothing, and the same texts where the numbers are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from tests.decoding.runtimes import WatchedProposer, Written, complete_one, loaded
from tests.decoding.survey import cursors, tools
from tests.engine_double import engine
from tests.oracles.cpython import parses

from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits
from dovetail.decoding.request import Request
from dovetail.model.hosting import EMBEDDED, load_plain_model
from dovetail.model.runtimes.engine import EngineModel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.engine_double import Kind

    from dovetail.decoding.proposer import Proposer
    from dovetail.evaluation.cases import Case

REFERENCE = "numpy"

ROUNDED = "llama.cpp q8_0"
"""Its numbers are others, so its texts may be."""

IN_PROCESS = (REFERENCE, "transformers", "llama.cpp f32", "llama.cpp f16", ROUNDED)

ENGINES: dict[str, Kind] = {"vLLM": "vllm", "SGLang": "sglang", "llama.cpp's server": "llamacpp"}
"""Engines, played over HTTP with the numbers of the reference."""

NEAR = 0.02
"""A distance of two tokens' log-probabilities at which numbers that were added up in another order may swap them."""

SEED = "runtimes/0"

FEW, MANY = 2, 30
"""Cursors of `make test`, and of a run that takes minutes."""


@pytest.fixture(name="runtime", scope="module", params=[*IN_PROCESS, *ENGINES])
def _runtime(request: pytest.FixtureRequest) -> Iterator[tuple[str, WatchedProposer]]:
    """Return the name of a runtime, and the embedded model over it."""
    name: str = request.param
    if name in IN_PROCESS:
        yield name, WatchedProposer(loaded(name))
        return
    with engine(load_plain_model(), ENGINES[name]) as double:
        model = load_plain_model(f"{double.url}#tokenizer={EMBEDDED}")
        assert isinstance(model, EngineModel)
        yield name, WatchedProposer(model)
        model.connection.close()


@pytest.fixture(name="places", scope="module")
def _places() -> list[Case]:
    return [cursor for _, cursor in cursors(MANY, SEED)]


@pytest.fixture(name="expected", scope="module")
def _expected() -> dict[int, Written]:
    """Return what the reference has written, by cursor, as far as that was asked for."""
    return {}


@pytest.fixture(name="reference", scope="module")
def _reference() -> WatchedProposer:
    return WatchedProposer(loaded(REFERENCE))


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
def test_each_runtime_reaches_a_program(
    count: int,
    runtime: tuple[str, WatchedProposer],
    reference: WatchedProposer,
    places: list[Case],
    expected: dict[int, Written],
) -> None:
    """At every cursor a program is reached, and what is shown is what the reference shows, but for near ties."""
    name, watched = runtime
    for number, place in enumerate(places[:count]):
        if number not in expected:
            expected[number] = complete_one(reference, place, 16)
        found = complete_one(watched, place, 16)
        assert found.program, place
        if name != ROUNDED and expected[number].closest >= NEAR:
            assert (found.text, found.text or found.stop) == (
                expected[number].text, expected[number].text or expected[number].stop
            ), place  # fmt: skip


@pytest.mark.parametrize("count", [1, pytest.param(MANY, marks=pytest.mark.long)])
@pytest.mark.parametrize("limits", [Limits(3), Limits(12, temperature=0.8, top_p=0.9, seed=1)], ids=["short", "drawn"])
def test_what_is_shown_parses(
    count: int, limits: Limits, runtime: tuple[str, WatchedProposer], places: list[Case]
) -> None:
    """Texts that are cut short, texts that are drawn, and several at once parse in their places."""
    proposer = cast("Proposer", runtime[1])
    for place in places[:count]:
        shown = [Decoder(proposer).complete(request(place, limits)).text]
        shown += [one.text for one in Decoder(proposer).candidates(request(place, limits), 3)]
        for text in shown:
            assert text is None or parses(place.left + text + place.right) is not False, (place, text)


def test_a_document_keeps_its_texts(runtime: tuple[str, WatchedProposer], places: list[Case]) -> None:
    """While a user types, what was read before changes no text: each is that of a model that reads afresh."""
    proposer = cast("Proposer", runtime[1])
    place = places[1]
    decoder = Decoder(proposer)
    for cut in (3, 0):
        left = place.left[: len(place.left) - cut]
        warm = decoder.complete(request(place, Limits(8), left, "document"))
        closest = runtime[1].last.closest if runtime[1].last is not None else 0.0
        cold = Decoder(proposer).complete(request(place, Limits(8), left))
        assert warm.text == cold.text or closest < NEAR
    proposer.forget("document")


def request(place: Case, limits: Limits, left: str | None = None, document: str | None = None) -> Request:
    """Return the request at a cursor, or before it."""
    language, masker = tools()
    left = place.left if left is None else left
    return Request(
        left, place.right, lambda: language.quotient(left, place.right), limits, document=document,
        open_masker=lambda: masker,
    )  # fmt: skip
