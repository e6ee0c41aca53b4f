"""Work that is not done twice: drafts, prompts of one document, completions that are typed in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.decoding.finite_quotient import FiniteQuotient
from tests.decoding.scripted_proposer import ScriptedProposer, at_random, writes
from tests.hosted import hosted_model

import dovetail
from dovetail.decoding.decoder import Decoder, complete
from dovetail.decoding.drafting import Drafts, PromptIndex
from dovetail.decoding.limits import Limits, Shape
from dovetail.decoding.request import Request

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail.model.hosted import HostedModel

LEFT = """\
def names(table):
    first = table.column("first", default=None, width=20)
    second = table.column("second", default=None, width=20)
    """
RIGHT = """
    fourth = table.column("fourth", default=None, width=20)
    return first, second, third, fourth
"""


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(name="model", scope="module")
def _model() -> HostedModel:
    return hosted_model()


@pytest.fixture(name="language", scope="module")
def _language() -> dovetail.Language:
    return dovetail.load_language("python", target="3.11")


@pytest.fixture(name="passes")
def _passes(model: HostedModel, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows by the number of tokens that each forward pass reads."""
    passes: list[int] = []
    forward = model._model.forward

    def counting(input_ids: torch.Tensor, **options: Any) -> Any:
        passes.append(input_ids.shape[1])
        return forward(input_ids=input_ids, **options)

    monkeypatch.setattr(model._model, "forward", counting)
    return passes


def request(
    language: dovetail.Language, left: str, right: str, limits: Limits | None = None, document: str | None = None
) -> Request:
    return Request(left, right, lambda: language.quotient(left, right), limits or Limits(), document=document)


@pytest.mark.parametrize(
    ("typed", "limits"),
    [
        ("", Limits(24, shape=Shape.BLOCK)),
        ("third = table.", Limits(24, shape=Shape.BLOCK, temperature=0.5)),
    ],
)
def test_drafts_save_passes_and_change_nothing(
    typed: str,
    limits: Limits,
    model: HostedModel,
    language: dovetail.Language,
    passes: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With copied drafts the completion is the one without, token by token, and takes fewer forward passes."""
    with_drafts = Decoder(model).complete(request(language, LEFT + typed, RIGHT, limits))
    drafted = len(passes)
    del passes[:]
    monkeypatch.setattr(Drafts, "draft", lambda self, token: ())
    without = Decoder(model).complete(request(language, LEFT + typed, RIGHT, limits))

    assert (with_drafts.text, with_drafts.stop, with_drafts.tokens) == (without.text, without.stop, without.tokens)
    assert [refusal.piece for refusal in with_drafts.refusals] == [refusal.piece for refusal in without.refusals]
    assert drafted < len(passes) or limits.temperature > 0  # what is drawn seldom repeats
    assert drafted <= len(passes) <= without.tokens + 4  # healing may have to look at more than one spelling
    assert set(passes[4:]) == {1}


def test_a_refused_token_costs_no_pass(model: HostedModel, language: dovetail.Language, passes: list[int]) -> None:
    """However many tokens are refused, there is at most one forward pass for each token that is taken."""
    refused = 0
    for left, right in (
        ("x = [a for a in ", "] + {\n"),
        ("def area(width, height", ", depth=1):\n    return width\n"),
        ("print(names[0]", ", names[1])\n"),
        ("if x", " else y:\n    pass\n"),
    ):
        del passes[:]
        completion = Decoder(model).complete(request(language, left, right, Limits(10)))

        assert len(passes) <= completion.tokens + 3
        refused += completion.refused

    assert refused > 0  # whatever the model is


def test_typing_on_costs_what_was_typed(model: HostedModel, language: dovetail.Language, passes: list[int]) -> None:
    """In suffix-first order the next prompt of a document reads the new characters only, not the right text again."""
    decoder = Decoder(model)
    decoder.complete(request(language, LEFT, RIGHT * 3, Limits(4), "a document"))
    first = passes[0]
    del passes[:]
    typed = "third = tab"

    decoder.complete(request(language, LEFT + typed, RIGHT * 3, Limits(4), "a document"))

    assert first > 50
    assert passes[0] <= len(model.encode(typed)) + 2


def test_a_text_that_is_typed_in_needs_no_model(
    model: HostedModel, language: dovetail.Language, passes: list[int]
) -> None:
    """While the user types what was shown, the rest of it is shown; anything else is asked anew."""
    decoder = Decoder(model)
    shown = decoder.complete(request(language, LEFT, RIGHT, Limits(12), "a document"))
    assert shown.text is not None
    del passes[:]

    for count in range(len(shown.text) - 1):
        rest = decoder.complete(request(language, LEFT + shown.text[:count], RIGHT, Limits(12), "a document"))
        assert (rest.text, rest.stop) == (shown.text[count:], shown.stop)
    assert passes == []

    for left, right, limits, document in (
        (LEFT + "zzz", RIGHT, Limits(12), "a document"),
        (LEFT, RIGHT + "\n", Limits(12), "a document"),
        (LEFT, RIGHT, Limits(11), "a document"),
        (LEFT, RIGHT, Limits(12), "another"),
        (LEFT, RIGHT, Limits(12), None),
    ):
        del passes[:]
        decoder.complete(request(language, left, right, limits, document))
        assert passes


def test_what_was_shown_is_shown_again_only_where_it_fits() -> None:
    """In a broken document the cursor decides what is left out, so the rest of a text may fit no more."""
    decoder = Decoder(ScriptedProposer([], writes(b"f", b"(", b"x", b")")))

    def at(left: str, *middles: str) -> Request:
        return Request(left, "", lambda: FiniteQuotient(middles), document="a document")

    assert decoder.complete(at("", "f(x)")).text == "f(x)"
    recalled = decoder.recall(at("f(", "x)", "y)"))
    assert recalled is not None
    assert recalled.text == "x)"
    assert decoder.recall(at("f(", "y)")) is None
    assert decoder.recall(at("", "g(x)")) is None  # nothing was typed, and the language is read in another way


PIECES = [b"ab", b"abc", b"bca", b"ca"]


@given(st.text("abc", min_size=8, max_size=40), st.integers(0, 99), st.integers(2, 30), st.booleans())
def test_whatever_is_drafted_the_text_is_the_same(left: str, seed: int, budget: int, repeats: bool) -> None:
    """For any model and any constraint, a completion with drafts is the completion without."""
    middles = [left[:length] for length in range(1, len(left))] if repeats else ["abcabcabc", "cab", "bca" * 5]
    rank = writes(*(bytes([byte]) for byte in left.encode())) if repeats else at_random(seed)
    limits = Limits(budget)

    def completed() -> tuple[str | None, object, int, int]:
        outcome = complete(ScriptedProposer(PIECES, rank), lambda: FiniteQuotient(middles), left, "\n", limits)
        return outcome.text, outcome.stop, outcome.tokens, outcome.refused

    expected = completed()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Drafts, "draft", lambda self, token: ())
        assert completed() == expected


def copying(left: Sequence[int], right: Sequence[int]) -> Drafts:
    return Drafts(PromptIndex(left, right))


def test_drafts_are_what_followed_before() -> None:
    """A draft is what followed where the last three tokens stood last, in either text, up to its end."""
    drafts = copying([1, 2, 3, 4, 5, 6, 7, 1, 2], [8, 9, 1, 2, 3, 10])

    assert list(drafts.draft(3)) == [4, 5]
    drafts = drafts.append(3, 8, 9)
    longer = drafts.judge(2, wrong=False)  # more after a draft that was right
    assert list(drafts.draft(1)) == [2, 3]
    assert list(longer.draft(1)) == [2, 3, 10]
    longer = longer.append(1)
    assert list(longer.draft(7)) == []
    longer = longer.append(7, 2, 3)
    assert list(longer.draft(4)) == [5, 6, 7, 1]
    assert list(longer.judge(4, wrong=False).draft(4)) == [5, 6, 7, 1, 2, 3, 8, 9]
    assert list(longer.judge(0, wrong=True).draft(4)) == [5, 6]
    assert list(copying([5, 6, 7, 5, 6], [1]).judge(2, wrong=False).draft(7)) == [5, 6]


def test_drafts_that_are_forked_know_their_own_text_alone() -> None:
    """Two texts of one prompt share its index; tokens that one of them wrote are drafted in that one only."""
    drafts = copying([1, 2], [])
    one, other = drafts.append(3, 4, 5, 6, 3, 4), drafts.append(3, 4, 7, 8, 3, 4)

    assert list(one.draft(5)) == [6, 3]
    assert list(other.draft(7)) == [8, 3]
    assert list(drafts.draft(5)) == []


@given(st.lists(st.integers(0, 2), max_size=12), st.lists(st.integers(0, 2), max_size=12), st.data())
def test_drafts_are_found_by_a_look_at_every_place(left: list[int], right: list[int], data: st.DataObject) -> None:
    """The draft is what a search of all tokens from the end finds, whether the prompt or the text holds them."""
    written = data.draw(st.lists(st.integers(0, 2), max_size=12))
    token = data.draw(st.integers(0, 2))
    tokens = [*right, -1, *left, *written]
    places = [end for end in range(3, len(tokens) + 1) if tokens[end - 3 : end] == [*tokens[-2:], token]]
    expected = tokens[places[-1] : places[-1] + 2] if places else []

    draft = list(copying(left, right).append(*written).draft(token))

    assert draft == (expected[: expected.index(-1)] if -1 in expected else expected)
