"""The real completer: engine and decoder, with a model that follows a script."""

from __future__ import annotations

import ast
import json
from itertools import pairwise

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer, writes

from dovetail.lsp.completions import Completions, language_name
from dovetail.lsp.documents import Snapshot
from dovetail.lsp.worker import CancelToken
from dovetail.model.error import ModelError
from dovetail.settings import Settings

ARRAY = '{"prices": [1.5, '
WAITING = CancelToken()


def loaded(settings: Settings | None = None, wanted: bytes = b"2.5]") -> Completions:
    proposer = ScriptedProposer(extra=[wanted], rank=writes(wanted))
    completions = Completions(settings or Settings(min_characters=1), lambda _: proposer)
    assert completions.load() is None
    return completions


def document(text: str, *, language: str = "json", uri: str = "file:///a/data.json") -> Snapshot:
    return Snapshot(uri, language, 1, text)


def test_what_the_model_writes_is_offered_if_it_fits() -> None:
    """The completion is the model's text where that makes a program."""
    text = loaded().complete(document(ARRAY + "}"), len(ARRAY), WAITING)

    assert text == "2.5]"


def test_several_are_offered_where_they_were_asked_for() -> None:
    """All of several candidates fit and differ, short ones are among them, and there are as many as was set."""
    completions = loaded(Settings(candidates=2, min_characters=5))

    found = completions.candidates(document(ARRAY + "}"), len(ARRAY), WAITING)

    assert found[0] == "2.5]"
    assert len(set(found)) == 2
    for text in found:
        json.loads(f"{ARRAY}{text}}}")
    assert completions.candidates(document("?", language="unknown"), 0, WAITING) == []


def test_python_is_completed_for_the_target_of_the_settings() -> None:
    """A form that is newer than the target is not offered, though the model wants it."""
    text = "def f(a):\n    with "
    right = ":\n        pass\n"
    wanted = b"(open(a) as b, open(a) as c)"
    old, new = (
        loaded(Settings(min_characters=1, python_target_version=version), wanted).complete(
            document(text + right, language="python"), len(text), WAITING
        )
        for version in ("3.8", "3.9")
    )

    assert new == wanted.decode()
    assert old != new
    assert old is not None
    ast.parse(text + old + right)


def test_an_edited_document_is_completed_as_a_new_one() -> None:
    """Whatever was asked before, the answer depends on the present text alone."""
    texts = ["[1, ", "[1, [2, ", '{"a": [2, ', '{"b": "\u2028", "a": [2, ', "", "[1, "]
    kept = loaded()

    for before, after in pairwise(texts):
        kept.complete(document(before), len(before), WAITING)
        answer = kept.complete(document(after), len(after), WAITING)

        assert answer is not None
        assert answer == loaded().complete(document(after), len(after), WAITING)
        json.loads(after + answer)


def test_more_documents_than_are_kept_are_completed() -> None:
    """With any number of documents open, each gets its own completion."""
    completions = loaded()

    for number in [*range(20), 0]:
        data = document(ARRAY + "}", uri=f"file:///{number}.json")
        assert completions.complete(data, len(ARRAY), WAITING) == "2.5]"


def test_a_cancelled_completion_offers_nothing() -> None:
    """The token of whoever asks reaches the decoder."""
    cancelled = CancelToken()
    cancelled.cancel()

    assert loaded().complete(document(ARRAY + "}"), len(ARRAY), cancelled) is None


def test_where_nothing_fits_nothing_is_offered() -> None:
    """A document that no insertion at this place makes a program has no completion."""
    assert loaded().complete(document("} {"), 1, WAITING) is None


def test_half_a_surrogate_pair_is_no_text() -> None:
    """A document that no model can read has no completion, and raises nothing."""
    assert loaded().complete(document('["\ud83d", '), 6, WAITING) is None


def test_without_a_model_nothing_is_offered() -> None:
    """Before the model is loaded, and if it cannot be, there is no completion."""

    def refuse(name: str | None) -> ScriptedProposer:
        raise ModelError(f"There is no folder {name}: name one that exists.")

    completions = Completions(Settings(model="x"), refuse)

    assert completions.load() == "There is no folder x: name one that exists."
    assert completions.complete(document(ARRAY + "}"), len(ARRAY), WAITING) is None


def test_an_unknown_version_is_said_when_loading() -> None:
    """A target that the grammar does not know gives a sentence, not an exception while typing."""
    completions = Completions(Settings(python_target_version="2.7"), lambda _: ScriptedProposer())

    complaint = completions.load()

    assert complaint is not None
    assert "2.7" in complaint


@pytest.mark.parametrize(
    ("uri", "language_id", "name"),
    [
        ("file:///a/b.py", "plaintext", "python"),
        ("file:///a/b%20c.PY", "", "python"),
        ("untitled:Untitled-1", "python", "python"),
        ("file:///a/b.py", "json", "json"),
        ("git:/a/b.py?ref=x.json", "", "python"),
        ("file:///a/b.txt", "plaintext", None),
        ("", "", None),
    ],
)
def test_the_language_is_the_clients_or_the_file_names(uri: str, language_id: str, name: str | None) -> None:
    """What the client calls the language decides if it is known, else the file name does."""
    assert language_name(document("", language=language_id, uri=uri)) == name
