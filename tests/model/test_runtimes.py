"""Promises of a model, whatever runs it: transformers, llama.cpp and numpy with the same numbers, or an engine."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.engine_double import engine
from tests.hosted import hosted_model
from tests.model.ranking_checks import assert_ranked_alike, greedy
from transformers import AutoModelForCausalLM

from dovetail.model.hosted import HostedModel
from dovetail.model.hosting import load_model
from dovetail.model.runtimes.arrays import host_arrays
from dovetail.model.runtimes.engine import EngineModel
from dovetail.model.runtimes.sequence_model import SequenceModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from tests.engine_double import Kind

    from dovetail.decoding.proposer import Row
    from dovetail.model.engines.connection import PendingAnswer, Question

    Model = HostedModel | SequenceModel | EngineModel

PROMPT = "import json\n\ndef dump(value, file):\n    "

IN_PROCESS = ("transformers", "llama.cpp", "numpy")

ENGINES: dict[str, Kind] = {"vLLM": "vllm", "SGLang": "sglang", "llama.cpp's server": "llamacpp"}

RUNTIMES = (*IN_PROCESS, *ENGINES)


@pytest.fixture(name="hosted", scope="module", params=RUNTIMES)
def _hosted(request: pytest.FixtureRequest, toy: Path, toy_gguf: Path) -> Iterator[Model]:
    if request.param in IN_PROCESS:
        yield loaded(request.param, toy, toy_gguf)
        return
    with engine(loaded("llama.cpp", toy, toy_gguf), ENGINES[request.param]) as double:
        double.models = ["toy"]
        model = load_model(f"{double.url}#tokenizer={toy}")
        assert isinstance(model, EngineModel)
        yield model
        model.connection.close()


@pytest.fixture(name="in_process", scope="module", params=IN_PROCESS)
def _in_process(request: pytest.FixtureRequest, toy: Path, toy_gguf: Path) -> Model:
    """Return a model whose forward passes can be counted."""
    return loaded(request.param, toy, toy_gguf)


def loaded(runtime: str, toy: Path, toy_gguf: Path) -> HostedModel | SequenceModel:
    if runtime == "transformers":
        return hosted_model(str(toy))
    if runtime == "numpy":
        return host_arrays(toy, "toy")
    model = load_model(str(toy_gguf))
    assert isinstance(model, SequenceModel)
    return model


def watch_passes(model: Model, monkeypatch: pytest.MonkeyPatch, before: Callable[[int], object]) -> None:
    """Call `before` with the number of tokens that a forward pass is to read, or with 0 for a question to an engine."""
    if isinstance(model, EngineModel):
        send = model.connection.send

        def engine_pass(question: Question) -> PendingAnswer:
            before(0)
            return send(question)

        monkeypatch.setattr(model.connection, "send", engine_pass)
    elif isinstance(model, HostedModel):
        forward = model._model.forward

        def transformers_pass(input_ids: torch.Tensor, **options: Any) -> Any:
            before(input_ids.shape[1])
            return forward(input_ids=input_ids, **options)

        monkeypatch.setattr(model._model, "forward", transformers_pass)
    else:
        read = model.context.read

        def sequence_pass(sequence: int, start: int, tokens: Sequence[int], rows: int) -> Any:
            before(len(tokens))
            return read(sequence, start, tokens, rows)

        monkeypatch.setattr(model.context, "read", sequence_pass)


def test_greedy_with_cache_equals_greedy_without(hosted: Model) -> None:
    """Keys and values that are kept change nothing in what is written."""
    prompt = hosted.encode(PROMPT)
    expected: list[int] = []
    for _ in range(24):
        expected.append(hosted.begin([*prompt, *expected]).ranked(1)[0][0])

    assert greedy(hosted, prompt, 24) == expected
    assert len(set(expected)) > 3


def test_what_was_read_for_a_document_is_let_go_of(hosted: Model) -> None:
    """Its keys and values go when it is forgotten; the next request of the document is answered as the first was."""
    prompt = hosted.encode(PROMPT)
    generation = hosted.begin(prompt, "closed")
    expected = generation.ranked(5)
    kept = weakref.ref(generation)
    del generation
    assert kept() is not None

    hosted.forget("closed")
    hosted.forget("never opened")

    assert kept() is None
    assert hosted.begin(prompt, "closed").ranked(5) == expected


def test_a_failed_pass_is_forgotten(hosted: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next request of the document reads everything again if a pass failed: nobody knows what it had read."""
    prompt = hosted.encode(PROMPT)
    expected = hosted.begin(prompt).ranked(5)
    generation = hosted.begin(prompt, "failed")
    generation.ranked(1)
    with monkeypatch.context() as patched:
        watch_passes(hosted, patched, lambda count: 1 / 0)
        generation.feed(7)
        with pytest.raises(ZeroDivisionError):
            generation.ranked(1)

    assert hosted.begin(prompt, "failed").ranked(5) == expected


def test_ranked_are_the_models_own_probabilities(hosted: Model, toy: Path) -> None:
    """The ranking is the log-softmax of the model's last logits, likeliest first."""
    prompt = hosted.encode(PROMPT)
    model: Any = AutoModelForCausalLM.from_pretrained(toy)
    model.float()
    with torch.inference_mode():
        scores = model(torch.tensor([prompt])).logits[0, -1].log_softmax(-1)

    ranked = hosted.begin(prompt).ranked(20)

    assert [token for token, _ in ranked] == scores.topk(20).indices.tolist()
    assert [score for _, score in ranked] == pytest.approx(scores.topk(20).values.tolist(), abs=1e-4)


def test_several_tokens_may_be_fed_before_a_ranking(hosted: Model) -> None:
    """Tokens that are fed without asking in between are read as if they were the prompt's."""
    tokens = hosted.encode(PROMPT)
    generation = hosted.begin(tokens[:5])
    generation.ranked(1)
    for token in tokens[5:]:
        generation.feed(token)

    assert [token for token, _ in generation.ranked(10)] == [token for token, _ in hosted.begin(tokens).ranked(10)]


@pytest.fixture(name="passes")
def _passes(in_process: Model, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows by the number of tokens that each forward pass reads."""
    passes: list[int] = []
    watch_passes(in_process, monkeypatch, passes.append)
    return passes


def test_each_token_is_read_once(in_process: Model, passes: list[int]) -> None:
    """A ranking reads what was fed since the last one, and asking again, in any way, reads nothing."""
    prompt = in_process.encode(PROMPT)
    generation = in_process.begin(prompt)
    for _ in range(3):
        generation.feed(generation.ranked(1)[0][0])
        generation.start()
        generation.ranked(4)
        generation.ranked(300)
        generation.nucleus(0.7, 0.9)
        generation.scores([1, 2])
        generation.ending()

    assert passes == [len(prompt), 1, 1, 1]


def test_a_document_is_read_from_where_it_changed(in_process: Model, passes: list[int]) -> None:
    """The next prompt of a document costs only what follows its common beginning with the last text."""
    prompt = in_process.encode(PROMPT)
    first = in_process.begin(prompt, "a")
    for _ in range(5):
        first.feed(first.ranked(1)[0][0])
    first.ranked(1)
    typed = [*prompt, *in_process.encode("return 1")]
    edited = [*prompt[:7], *in_process.encode("else"), *prompt[9:]]
    del passes[:]

    results = [in_process.begin(tokens, "a").ranked(5) for tokens in (typed, typed, edited)]
    in_process.begin(edited, "b").ranked(5)

    assert passes == [len(typed) - len(prompt), 1, len(edited) - 7, len(edited)]
    for tokens, ranked in zip((typed, typed, edited), results, strict=True):
        fresh = in_process.begin(tokens).ranked(5)
        assert [token for token, _ in ranked] == [token for token, _ in fresh]
        assert [score for _, score in ranked] == pytest.approx([score for _, score in fresh], abs=1e-4)


@given(st.data())
def test_whatever_is_fed_guessed_and_taken_back_the_proposals_are_those_of_the_text(
    hosted: Model, data: st.DataObject
) -> None:
    """After any feeding, rewinding, drafting and taking over, the ranking is that of the same tokens read afresh."""
    tokens = st.lists(st.integers(10, 20), min_size=1, max_size=6)
    generation = hosted.begin(written := data.draw(tokens), "document")
    kept = len(written)
    for _ in range(data.draw(st.integers(1, 6))):
        move = data.draw(st.sampled_from(["feed", "rewind", "start", "rank", "begin"]))
        if move == "feed":
            token = data.draw(st.integers(10, 20))
            generation.feed(token)
            written = [*written, token]
        elif move == "rewind":
            count = data.draw(st.integers(0, len(written) - kept))
            generation.rewind(count)
            written = written[: len(written) - count]
        elif move == "start":
            generation.start(data.draw(tokens))
        elif move == "rank":
            generation.ranked(3)
        else:
            written = data.draw(tokens)
            kept = len(written)
            generation = hosted.begin(written, "document")

    fresh = hosted.begin(written)
    expected = [score for _, score in fresh.ranked(20)]
    assert [score for _, score in generation.ranked(20)] == pytest.approx(expected, abs=1e-4)
    assert generation.ending() == pytest.approx(fresh.ending(), abs=1e-4)


def test_a_right_guess_needs_no_further_pass(in_process: Model, passes: list[int]) -> None:
    """Tokens that come as they were guessed are verified in one pass; after a wrong one nothing of it is left."""
    prompt = in_process.encode(PROMPT)
    expected = greedy(in_process, prompt, 6)
    generation = in_process.begin(prompt)
    generation.feed(generation.ranked(1)[0][0])
    del passes[:]

    generation.start([*expected[1:4], expected[4] + 1])
    written = [expected[0]]
    for _ in range(5):
        written.append(generation.ranked(1)[0][0])
        generation.feed(written[-1])

    assert written == expected
    assert passes == [5, 1]


def test_the_nucleus_is_the_models_own(hosted: Model) -> None:
    """The nucleus holds the fewest likeliest tokens that reach the share, with probabilities at the temperature."""
    generation = hosted.begin(hosted.encode(PROMPT))
    scores = torch.tensor([score for _, score in sorted(generation.ranked(1000))])

    for temperature, top_p in ((1.0, 0.5), (0.5, 0.9), (2.0, 1.0)):
        nucleus = generation.nucleus(temperature, top_p)

        heated = (scores / temperature).softmax(-1)
        assert [token for token, _ in nucleus] == heated.argsort(descending=True)[: len(nucleus)].tolist()
        shares = torch.tensor([score for _, score in nucleus]).exp()
        assert float(shares.sum()) >= top_p - 1e-4
        assert float(shares[:-1].sum()) < top_p
        assert shares.tolist() == pytest.approx(heated.sort(descending=True).values[: len(nucleus)].tolist(), abs=1e-4)


def test_the_end_is_any_of_the_ends(hosted: Model) -> None:
    """The score of an end is that of all tokens together that end a text, and scores are those of the ranking."""
    generation = hosted.begin(hosted.encode(PROMPT))
    ranked = dict(generation.ranked(1000))
    ends = sorted(hosted.vocabulary.ends)

    assert generation.scores(ends) == pytest.approx([ranked[token] for token in ends])
    assert generation.ending() == pytest.approx(float(torch.tensor(generation.scores(ends)).logsumexp(0)), abs=1e-5)


def test_special_tokens_in_text_are_text(hosted: Model) -> None:
    """Source code that spells the model's special tokens is encoded without them."""
    text = "".join(hosted.vocabulary.specials) + "\n"
    tokens = hosted.encode(text)

    assert not set(tokens) & set(hosted.vocabulary.specials.values())
    assert b"".join(hosted.vocabulary.pieces[token] or b"" for token in tokens) == text.encode()


def test_window_is_the_models_longest_input(hosted: Model) -> None:
    """Prompt and continuation together may be as long as the configuration says."""
    assert hosted.window == 128
    assert hosted.name == "toy"


def written_row(row: Row, text: Sequence[int]) -> Row:
    """Return a fork of a row with more tokens."""
    other = row.fork()
    for token in text:
        other.feed(token)
    return other


def test_rows_have_the_numbers_of_single_texts(hosted: Model) -> None:
    """Texts of unequal length that are written together rank as they do alone, also after a rewind and a draft."""
    prompt = hosted.encode(PROMPT)
    first = hosted.begin_batch(prompt)
    assert first is not None
    likely = [token for token, _ in first.ranked(6)]
    texts = [likely[:1], likely[1:4], []]
    rows = [written_row(first, text) for text in texts]
    rows[1].start(likely[2:4])
    rows[0].feed(likely[5])
    rows[0].rewind(1)

    for row, text in zip(rows, texts, strict=True):
        assert_ranked_alike(row.ranked(20), hosted.begin([*prompt, *text]).ranked(20))

    rows[1].feed(likely[2])
    rows[2].drop()
    assert_ranked_alike(rows[1].ranked(20), hosted.begin([*prompt, *texts[1], likely[2]]).ranked(20))
    assert_ranked_alike(rows[0].ranked(20), hosted.begin([*prompt, *texts[0]]).ranked(20))


def test_more_rows_than_there_is_room_for(hosted: Model) -> None:
    """Many rows write what each of them writes alone."""
    prompt = hosted.encode(PROMPT)
    first = hosted.begin_batch(prompt)
    assert first is not None
    likely = [token for token, _ in first.ranked(9)]
    rows = [written_row(first, [token]) for token in likely]
    for _ in range(2):
        for row in rows:
            row.feed(row.ranked(1)[0][0])

    for token, row in zip(likely, rows, strict=True):
        expected = greedy(hosted, [*prompt, token], 2)
        assert_ranked_alike(row.ranked(5), hosted.begin([*prompt, token, *expected]).ranked(5))
