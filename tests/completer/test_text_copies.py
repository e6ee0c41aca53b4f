"""Other files' texts arrive in another process as they were sent, and each crosses once."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dovetail.completer.text_copies import SentTexts, TextCopies
from dovetail.completer.wire import from_line, to_line
from dovetail.decoding.repository import OtherFile, ProjectContext

TEXTS = st.lists(st.sampled_from(["a", "b\n", "\ud800", "c" * 50]), max_size=4, unique=True).map(tuple)
PROJECT = ProjectContext("a.py", "a", files=(OtherFile("b.py", "x"),))


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=12))
def test_texts_arrive_as_they_were_sent(steps: list[tuple[tuple[str, ...], tuple[str, ...]]]) -> None:
    """A project arrives, after any others, with its texts, and none of them is sent again."""
    sent, copies = SentTexts(), TextCopies()
    seen: set[str] = set()
    for opened, others in steps:
        project = replace(PROJECT, open_texts=opened, workspace_texts=others)
        message = sent.send(project)
        assert message is not None
        new = {text for _, text in message["new"]}
        assert not new & seen
        seen |= new
        assert copies.receive(from_line(to_line(message))) == project


def test_no_project() -> None:
    """Nothing is sent where nothing is known of a project."""
    assert SentTexts().send(None) is None
    assert TextCopies().receive(None) is None


def test_long_texts_come_with_later_requests() -> None:
    """With one request a quarter of a million characters go, at least one text, and the nearest first."""
    sent, copies = SentTexts(), TextCopies()
    project = replace(PROJECT, workspace_texts=tuple(letter * 200_000 for letter in "abcde"))
    counts = []
    for _ in range(5):
        received = copies.receive(sent.send(project))
        assert received is not None
        counts.append(len(received.workspace_texts))
    assert counts == [1, 2, 3, 4, 5]
    assert received == project


def test_old_texts_are_dropped() -> None:
    """Of four million characters and more, those that were used longest ago go, on both sides, and come again."""
    sent, copies = SentTexts(), TextCopies()
    first = replace(PROJECT, open_texts=("first",))
    copies.receive(sent.send(first))
    for number in range(21):
        copies.receive(sent.send(replace(PROJECT, open_texts=(f"{number:02}" * 100_000,))))
    again = sent.send(first)
    assert again is not None
    assert [text for _, text in again["new"]] == ["first"]
    assert copies.receive(again) == first
