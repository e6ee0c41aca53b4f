"""The store of open documents: versions, and changes against a simple reference."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from tests.lsp import reference

from dovetail.completer.document_copies import DocumentCopies, SentDocuments
from dovetail.completer.snapshot import MOST_EDITS
from dovetail.lsp.documents import Documents

URI = "file:///tmp/example.py"
PIECES = st.text(st.sampled_from("ab\n\r\f\x0b\x85\u2028é😀"), max_size=8)


def opened(text: str, encoding: str = "utf-16") -> Documents:
    documents = Documents()
    documents.encoding = encoding  # type: ignore[assignment]
    documents.open(types.TextDocumentItem(URI, "python", 1, text))
    return documents


def replacement(text: str, start: int, end: int, new: str, encoding: str) -> types.TextDocumentContentChangePartial:
    places = [types.Position(*reference.position(text, offset, encoding)) for offset in (start, end)]
    return types.TextDocumentContentChangePartial(types.Range(*places), new)


@given(data=st.data(), encoding=st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_random_edits_give_the_text_of_the_client(data: st.DataObject, encoding: str) -> None:
    """After any notifications of any edits the store holds the text that the client holds."""
    text = data.draw(PIECES)
    documents = opened(text, encoding)

    for version in range(2, 2 + data.draw(st.integers(1, 4))):
        changes = []
        for _ in range(data.draw(st.integers(1, 3))):
            start, end = sorted(
                offset - reference.splits_line_end(text, offset)
                for offset in data.draw(st.tuples(*[st.integers(0, len(text))] * 2))
            )
            new = data.draw(PIECES)
            changes.append(replacement(text, start, end, new, encoding))
            text = text[:start] + new + text[end:]
        assert documents.change(URI, version, changes)

        snapshot = documents.snapshot(URI)

        assert snapshot is not None
        assert (version, text) == (snapshot.version, snapshot.text)


@given(data=st.data(), encoding=st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_edits_lead_from_any_earlier_text_to_the_present_one(data: st.DataObject, encoding: str) -> None:
    """Changes are remembered as edits in characters, which another process and the engine apply."""
    documents = opened(data.draw(PIECES), encoding)
    snapshots = [documents.snapshot(URI)]
    for version in range(2, 2 + data.draw(st.integers(1, 4))):
        changes: list[types.TextDocumentContentChangeEvent] = []
        for _ in range(data.draw(st.integers(0, 3))):
            if data.draw(st.booleans()):
                changes.append(types.TextDocumentContentChangeWholeDocument(data.draw(PIECES)))
            else:
                places = [types.Position(*data.draw(st.tuples(*[st.integers(0, 9)] * 2))) for _ in range(2)]
                changes.append(types.TextDocumentContentChangePartial(types.Range(*places), data.draw(PIECES)))
        assert documents.change(URI, version, changes)
        snapshots.append(documents.snapshot(URI))
    last, copies, sent = snapshots[-1], DocumentCopies(), SentDocuments()
    assert last is not None

    for earlier in snapshots:
        assert earlier is not None
        edits = last.edits_since(earlier.serial)
        assert edits is not None
        text = earlier.text
        for start, end, new in edits:
            assert 0 <= start <= end <= len(text)
            text = text[:start] + new + text[end:]
        assert text == last.text
        assert copies.receive(sent.send(earlier)).text == earlier.text


def test_more_edits_than_are_remembered_are_one_difference() -> None:
    """However many edits there are, one after the other or at once, another process gets the present text."""
    documents, copies, sent = opened("."), DocumentCopies(), SentDocuments()
    there = types.Range(types.Position(0, 0), types.Position(0, 0))
    for version, count in enumerate((1, 5 * MOST_EDITS, 1, 1)):
        first = documents.snapshot(URI)
        assert first is not None
        assert copies.receive(sent.send(first)).text == first.text
        for _ in range(3 * MOST_EDITS if version == 3 else 1):
            documents.change(URI, version, [types.TextDocumentContentChangePartial(there, "x")] * count)

        last = documents.snapshot(URI)

        assert last is not None
        assert (last.edits_since(first.serial) is None) == (version in (1, 3))
        assert copies.receive(sent.send(last)).text == last.text


def test_a_whole_text_replaces_the_document() -> None:
    """A change without a range is the new text."""
    documents = opened("x = 1\n")

    documents.change(URI, 2, [types.TextDocumentContentChangeWholeDocument("y = 2\n")])

    snapshot = documents.snapshot(URI)
    assert snapshot is not None
    assert snapshot.text == "y = 2\n"


def test_a_range_the_wrong_way_round_means_the_same_text() -> None:
    """A range whose end comes before its start is read as if they were exchanged."""
    documents = opened("abcdef")
    backwards = types.Range(types.Position(0, 4), types.Position(0, 2))

    documents.change(URI, 2, [types.TextDocumentContentChangePartial(backwards, "-")])

    snapshot = documents.snapshot(URI)
    assert snapshot is not None
    assert snapshot.text == "ab-ef"


def test_a_snapshot_never_changes() -> None:
    """A snapshot from before a change keeps its version and text, and is the present one no longer."""
    documents = opened("old")
    before = documents.snapshot(URI)

    documents.change(URI, 2, [types.TextDocumentContentChangeWholeDocument("new")])

    assert before is not None
    assert (before.version, before.text) == (1, "old")
    assert documents.snapshot(URI) is not before


def test_the_positions_of_a_change_are_left_alone() -> None:
    """Applying a change does not alter the event, as it may be read by others."""
    documents = opened("😀 = 1")
    change = types.TextDocumentContentChangePartial(types.Range(types.Position(0, 2), types.Position(9, 9)), "!")

    documents.change(URI, 2, [change])

    assert change.range == types.Range(types.Position(0, 2), types.Position(9, 9))


def test_a_document_that_is_not_open_has_no_text() -> None:
    """A closed document has no snapshot, and changes of it are refused."""
    documents = opened("x")
    documents.close(URI)

    changed = documents.change(URI, 2, [types.TextDocumentContentChangeWholeDocument("y")])

    assert not changed
    assert documents.snapshot(URI) is None


def test_a_notification_without_changes_still_counts_the_version() -> None:
    """The version is the client's newest even where no text changed."""
    documents = opened("x")

    documents.change(URI, 7, [])

    snapshot = documents.snapshot(URI)
    assert snapshot is not None
    assert (snapshot.version, snapshot.text) == (7, "x")
