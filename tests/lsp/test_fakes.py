"""The fakes of these tests do what they say."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from tests.lsp import reference
from tests.lsp.scripted_completer import ScriptedCompleter

from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.snapshot import Snapshot
from dovetail.settings import Settings

if TYPE_CHECKING:
    from dovetail.completer.answer import Answer

DOCUMENT = Snapshot("file:///example.py", "python", 1, "x = ")


@pytest.mark.parametrize(
    ("text", "offset", "encoding", "position"),
    [
        ("ab\r\ncd", 4, "utf-16", (1, 0)),
        ("ab\r\rcd", 4, "utf-16", (2, 0)),
        ("a\u2028\fb", 4, "utf-16", (0, 4)),
        ("😀é!", 2, "utf-8", (0, 6)),
        ("😀é!", 2, "utf-16", (0, 3)),
        ("😀é!", 2, "utf-32", (0, 2)),
    ],
)
def test_the_reference_counts_as_the_protocol_says(
    text: str, offset: int, encoding: str, position: tuple[int, int]
) -> None:
    """The slow positions are right where one can count them by hand."""
    assert reference.position(text, offset, encoding) == position


def test_a_scripted_completer_answers_and_remembers() -> None:
    """It gives its text everywhere and knows what it was asked."""
    completer = ScriptedCompleter("1")

    assert completer.load(Settings(model="m"), CancelToken(), anew=True) is None
    assert (completer.model, completer.loads) == ("m", [True])
    assert completer.recall(DOCUMENT, 4).texts == ()
    assert completer.complete(DOCUMENT, 4, CancelToken()).texts == ("1",)
    assert completer.complete(DOCUMENT, 4, CancelToken(), item=True).texts == ("1",)
    assert completer.candidates(DOCUMENT, 4, CancelToken()).texts == ("1", "1 ")
    assert completer.candidates(DOCUMENT, 4, CancelToken(), first=True).texts == ("1",)
    assert completer.asked == [("x = ", 4)] * 4
    assert completer.items == [False, True, False, False]
    assert completer.firsts == [False, True]
    completer.remembered = "2"
    assert completer.recall(DOCUMENT, 4).texts == ("2",)


def test_a_failing_completer_raises() -> None:
    """It stands for a defect."""
    completer = ScriptedCompleter()
    completer.failing = True

    with pytest.raises(ValueError, match="defect"):
        completer.complete(DOCUMENT, 4, CancelToken())


def test_a_held_completer_waits_for_its_cancellation() -> None:
    """While it is held it answers only when it is cancelled, with nothing."""
    completer = ScriptedCompleter("1")
    completer.held = True
    token = CancelToken()
    answers: list[Answer] = []
    thread = threading.Thread(target=lambda: answers.append(completer.complete(DOCUMENT, 4, token)))
    thread.start()
    assert completer.began.wait(10)
    assert answers == []

    token.cancel()
    thread.join(10)

    assert [answer.texts for answer in answers] == [()]
    assert completer.cancelled.is_set()
