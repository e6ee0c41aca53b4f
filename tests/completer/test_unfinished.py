"""Candidates in two answers: the first alone, and then all, each with a caller of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.decoding.scripted_proposer import BatchedScript, ScriptedProposer, writes

from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.local import LocalCompleter
from dovetail.lsp.documents import OpenDocument
from dovetail.settings import Settings

ARRAY = '{"prices": [1.5, '
PLACE = OpenDocument("file:///a/data.json", "json", 1, ARRAY + "}")
OTHER = OpenDocument("file:///b/data.json", "json", 1, ARRAY + "]}")

Completers = tuple[LocalCompleter, ScriptedProposer]


def _writes_either(proposer: ScriptedProposer, text: bytes) -> list[int]:
    """Rank the tokens of a model that would write one number, and else another one."""
    first, *others = writes(b"2.5]")(proposer, text)
    second = [] if text else [proposer.token(b"37]")]
    return [first, *second, *(token for token in others if token not in second)]


@pytest.fixture(name="made", params=[BatchedScript, ScriptedProposer])
def _made(request: pytest.FixtureRequest) -> Completers:
    proposer = request.param([b"2.5]", b"37]"], _writes_either)
    completer = LocalCompleter(lambda *_: proposer)
    # However busy the machine is, no answer here is one that time has cut short.
    assert completer.load(replace(Settings(), time_limit=600.0)).complaint is None
    return completer, proposer


def candidates(completer: LocalCompleter, *, first: bool = False, document: OpenDocument = PLACE) -> tuple[str, ...]:
    """Return the texts of a caller who cancels as soon as it has its answer, as the server's worker does."""
    caller = CancelToken()
    found = completer.candidates(document, len(ARRAY), caller, first=first).texts
    caller.cancel()
    return found


def test_the_next_answer_goes_on_where_the_first_ended(made: Completers) -> None:
    """Both answers together are the texts, and the work, of one answer; what was read is not read again."""
    completer, proposer = made
    whole = completer.candidates(PLACE, len(ARRAY), CancelToken())
    completer.forget(PLACE.uri)
    before = len(proposer.asked)

    first = completer.candidates(PLACE, len(ARRAY), CancelToken(), first=True)
    between = len(proposer.asked)
    rest = completer.candidates(PLACE, len(ARRAY), CancelToken())

    assert len(whole.texts) > 1
    assert (first.texts, rest.texts) == (whole.texts[:1], whole.texts)
    assert before < between < len(proposer.asked) <= 2 * before
    assert first.work is not None
    assert rest.work is not None
    assert whole.work is not None
    assert first.work.tokens + rest.work.tokens == whole.work.tokens


def test_each_answer_has_its_own_cancellation(made: Completers) -> None:
    """The first caller is gone when the second asks; a second that takes its request back ends the writing."""
    completer, _ = made
    whole = candidates(completer)
    completer.forget(PLACE.uri)

    assert candidates(completer, first=True) == whole[:1]
    assert candidates(completer) == whole

    assert candidates(completer, first=True) == whole[:1]
    cancelled = CancelToken()
    cancelled.cancel()
    assert completer.candidates(PLACE, len(ARRAY), cancelled).texts == whole[:1]
    assert candidates(completer) == whole


def test_a_cancelled_first_answer_is_not_gone_on_with(made: Completers) -> None:
    """The next caller gets a text."""
    completer, _ = made
    cancelled = CancelToken()
    cancelled.cancel()

    nothing = completer.candidates(PLACE, len(ARRAY), cancelled, first=True).texts

    assert (nothing, len(candidates(completer, first=True))) == ((), 1)


@pytest.mark.parametrize("between", ["complete", "candidates", "forget", "load"])
def test_other_work_ends_the_waiting_texts(between: str) -> None:
    """The model keeps nothing for them any more, and the place is answered anew with the same texts."""
    proposer = BatchedScript([b"2.5]"], writes(b"2.5]"))
    completer = LocalCompleter(lambda *_: proposer)
    settings = replace(Settings(), time_limit=600.0)
    assert completer.load(settings).complaint is None
    whole = candidates(completer)
    completer.forget(PLACE.uri)
    candidates(completer, first=True)
    waiting = len(proposer.rows)

    if between == "complete":
        completer.complete(OTHER, len(ARRAY), CancelToken())
    elif between == "candidates":
        candidates(completer, document=OTHER)
    elif between == "forget":
        completer.forget(OTHER.uri)
    else:
        completer.load(replace(settings, min_characters=3))

    assert (waiting > 0, proposer.rows) == (True, [])
    assert candidates(completer) == whole


def test_what_was_offered_unasked_is_the_first_by_hand() -> None:
    """A text that the user dismissed is there again, before what the model writes now."""
    long, short = b"2.5, 1]", b"7]"
    wishes = {"now": writes(long)}

    def rank(proposer: ScriptedProposer, text: bytes) -> list[int]:
        return wishes["now"](proposer, text)

    proposer = ScriptedProposer([long, short], rank)
    completer = LocalCompleter(lambda *_: proposer)
    settings = Settings(candidates=2, min_characters=1, trigger="eager", time_limit=600.0)
    assert completer.load(settings).complaint is None
    unasked = completer.complete(PLACE, len(ARRAY), CancelToken()).texts
    wishes["now"] = writes(short)

    assert unasked == ("2.5, 1]",)
    assert candidates(completer, first=True) == unasked
    assert candidates(completer) == (*unasked, "7]")
    assert completer.complete(PLACE, len(ARRAY), CancelToken()).texts == unasked, "it is still the one that is shown"
