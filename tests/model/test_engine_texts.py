"""Texts over HTTP are those of the same model in process."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from tests.decoding.case_files import FOLDER, read_case
from tests.decoding.scripted_proposer import ScriptedGeneration, ScriptedProposer, writes
from tests.decoding.test_cases import language, limits
from tests.engine_double import EngineDouble, engine
from tests.model.real_places import TOKENS, cuts, written

from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits
from dovetail.decoding.prompt import Prompts
from dovetail.decoding.request import Request
from dovetail.model.engines.connection import Connection
from dovetail.model.engines.llama_server_form import LlamaServerForm
from dovetail.model.engines.opening import OpenedEngine
from dovetail.model.hosting import EMBEDDED, load_model
from dovetail.model.runtimes.engine import EngineModel

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tests.engine_double import Kind
    from tests.model.exact_proposer import ExactProposer


CASES = sorted(FOLDER.glob("*.case"))


class ServedScript(ScriptedProposer):
    """A script that is asked with the whole text each time: the prompt, and what was written after it."""

    start: tuple[int, ...] = ()
    """The prompt."""

    def begin(self, prompt: Sequence[int], document: str | None = None) -> ScriptedGeneration:
        """Return the text after the prompt; a question of an earlier test may be late, and is not for this script."""
        generation = super().begin(prompt, document)
        if tuple(prompt[: len(self.start)]) == self.start:
            for token in prompt[len(self.start) :]:
                generation.feed(token)
        return generation


@pytest.fixture(name="double", scope="module")
def _double() -> Iterator[EngineDouble]:
    with engine(ScriptedProposer(), "llamacpp") as double:
        yield double


def over_http(double: EngineDouble, proposer: ScriptedProposer) -> EngineModel:
    """Return a scripted proposer as an engine has it, without the probes of a new engine."""
    double.proposer = proposer
    opened = OpenedEngine(
        Connection(double.url), LlamaServerForm("served"), "served", "none", proposer.vocabulary, proposer.encode,
        proposer.window, best=64, most_best=1024, most_scored=1024,
    )  # fmt: skip
    return EngineModel(opened)


@pytest.mark.parametrize(
    "path",
    [path if index % 3 == 0 else pytest.param(path, marks=pytest.mark.long) for index, path in enumerate(CASES)],
    ids=lambda path: path.stem,
)
def test_the_completion_stops_there_over_http(path: Path, double: EngineDouble) -> None:
    """The text of an engine's model is cut and closed as that of a model in process."""
    case = read_case(path)
    extra = sorted(set(case.pieces))
    prompt = Prompts(ScriptedProposer(extra)).build(case.left, case.right, 60)
    proposer = ServedScript(
        extra,
        writes(*case.pieces, then_ends=case.ends, held=prompt.held),
        chances={len(prompt.held) + place: chance for place, chance in case.chances.items()},
    )
    proposer.start = prompt.tokens
    name, target = case.settings.get("language", "python"), case.settings.get("target")
    request = Request(
        case.left,
        case.right,
        lambda: language(name, target).quotient(case.left, case.right),
        limits(case),
        typing=case.settings.get("typing") == "yes",
        eager=case.settings.get("trigger") == "eager",
    )

    completion = Decoder(over_http(double, proposer)).complete(request)

    assert (completion.text, completion.stop.name.lower()) == (case.text, case.stop)


@pytest.fixture(name="served", scope="module", params=["vllm", "sglang", "llamacpp"])
def _served(request: pytest.FixtureRequest, exact: ExactProposer) -> Iterator[tuple[EngineDouble, EngineModel]]:
    kind: Kind = request.param
    with engine(exact, kind) as double:
        model = load_model(f"{double.url}#tokenizer={EMBEDDED}")
        assert isinstance(model, EngineModel)
        yield double, model
        model.connection.close()


def test_texts_over_http_are_those_of_the_same_model(
    expected: list[str | None], served: tuple[EngineDouble, EngineModel]
) -> None:
    """At real places, with healing and refused tokens, an engine's completion is that of its model in process.

    It takes few questions, and none has a whole vocabulary for its answer.
    """
    double, model = served
    del double.asked[:]

    found = [written(model, left, right, TOKENS) for left, right in cuts()]

    assert found == expected
    assert sum(text is not None for text in found) > len(found) // 2
    for (left, right), text in zip(cuts(), found, strict=True):
        assert text is None or ast.parse(left + text + right)
    told = [body.get("logprobs") or body.get("top_logprobs_num") or 0 for body in double.asked]
    assert max(told) <= 1024 < len(model.vocabulary.pieces)
    assert len(double.asked) <= 12 * len(found)


def test_drawn_texts_over_http_are_programs(served: tuple[EngineDouble, EngineModel]) -> None:
    """With a temperature, too, what an engine writes fits."""
    _, model = served
    for left, right in cuts()[:1]:
        text = written(model, left, right, Limits(max_tokens=6, temperature=0.8, top_p=0.9, seed=1))
        assert text is None or ast.parse(left + text + right)
