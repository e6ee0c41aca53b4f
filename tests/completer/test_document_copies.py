"""Documents arrive in another process as they were sent."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dovetail.completer.document_copies import DocumentCopies, SentDocuments
from dovetail.completer.snapshot import Snapshot
from dovetail.completer.wire import from_line, to_line

TEXTS = st.text("ab\n\u2028\U0001f600\ud800", max_size=8)


@given(st.lists(st.tuples(st.integers(0, 20), TEXTS, st.booleans()), max_size=60))
def test_a_document_arrives_as_it_was_sent(steps: list[tuple[int, str, bool]]) -> None:
    """Each document arrives with its text, whatever is sent, forgotten or dropped for want of room."""
    sent, copies = SentDocuments(), DocumentCopies()
    for number, text, forgotten in steps:
        document = Snapshot(f"file:///{number}", "python", 1, text)

        arrived = copies.receive(from_line(to_line(sent.send(document))))

        assert (arrived.uri, arrived.language_id, arrived.text) == (document.uri, "python", text)
        if forgotten and sent.forget(document.uri):
            copies.drop(document.uri)


def test_what_was_sent_before_is_sent_as_an_edit() -> None:
    """The whole text crosses once."""
    sent = SentDocuments()
    sent.send(Snapshot("file:///a", "python", 1, "x = 1"))

    again = sent.send(Snapshot("file:///a", "python", 2, "x = 12"))

    assert again["edits"] == [(5, 5, "2")]
