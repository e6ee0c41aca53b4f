"""Explanations of places: what the engine alone says of a document."""

from __future__ import annotations

import ast

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer

from dovetail.completer import explainer
from dovetail.completer.local import LocalCompleter
from dovetail.decoding.completion import Stop
from dovetail.lsp.documents import OpenDocument
from dovetail.lsp.report import report


def without_model() -> LocalCompleter:
    return LocalCompleter(lambda *_: ScriptedProposer())


def document(text: str, *, language: str = "json") -> OpenDocument:
    return OpenDocument("file:///a/data.json", language, 1, text)


def test_a_place_is_explained_without_a_model() -> None:
    """The engine alone knows what fits, what would close it, and what of a broken document was left out."""
    completions = without_model()
    text = "def f(:\nx = 1\ny = \n"

    found = completions.explain(document(text, language="python"), text.index("y = ") + 4)

    assert found.viable
    assert found.closing is not None
    ast.parse("x = 1\ny = " + found.closing)
    assert "name" in dict(found.expected)
    assert [text[part.start : part.end] for part in found.ignored] == ["def f(:\n"]


@pytest.mark.parametrize("seconds", [0.0, 1e9])
def test_what_was_not_read_in_time_is_said(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Of a long document the explanation names what is unread as that, and with time enough nothing is."""
    monkeypatch.setattr(explainer, "_READING", seconds)
    text = "def f(x):\n    return [x, 1]\n" * 2000
    long = document(text, language="python")

    found = without_model().explain(long, 10)

    assert found.viable
    assert [part.unread for part in found.ignored] == [True] * (seconds == 0)
    reported = report(found, long, 10, "utf-16")
    assert all("were not read in time" in note for note in reported["notes"])
    assert all(part["unread"] and part["lines"]["last"] == 3999 for part in reported["ignored"])


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_lines_of_what_was_left_out(end: str) -> None:
    """Their numbers are those of an editor, whatever ends the lines; what was put in has none."""
    broken = document(f"x = {end}y = = 1{end}if a:{end}    b{end}  c{end}z = )", language="python")

    found = report(without_model().explain(broken, 4), broken, 4, "utf-16")

    assert [part["lines"] for part in found["ignored"]] == [
        {"first": 1, "last": 1}, None, {"first": 5, "last": 5},
    ]  # fmt: skip
    assert found["notes"] == [
        "Lines 2 and 6 do not fit and were left out.",
        "Something is missing before line 5, which was read as if `if _:` stood above it.",
    ]


def test_right_lines_that_were_left_out_with_a_wrong_one_are_not_called_wrong() -> None:
    """A header that is right stays where its body alone is wrong; else the sentence says that not all lines fit."""
    right = document("x = \n\n\ndef x(self):\n    return )\n\n\ny = 2\n", language="python")
    broken = document("x = \n\n\ndef x(self:\n    return (1,\n\n\ndef y():\n    pass\n", language="python")

    assert report(without_model().explain(right, 4), right, 4, "utf-16")["notes"] == [
        "Line 5 does not fit and was left out."
    ]
    notes = report(without_model().explain(broken, 4), broken, 4, "utf-16")["notes"]
    assert notes == ["Lines 4 to 5 do not all fit and were left out together."]


def test_where_nothing_fits_the_explanation_names_the_side() -> None:
    """A fault before the cursor is told with its place, and a right text that does not go with the left as that."""
    completions = without_model()

    left = completions.explain(document("[1] 2"), 5)
    right = completions.explain(document("[1} x"), 2)

    assert not left.viable
    assert left.fault is not None
    assert left.fault[0] == 4
    assert "before the cursor" in left.message
    assert (right.viable, right.fault) == (False, None)
    assert "after the cursor" in right.message


def test_a_line_that_is_itself_wrong_is_called_so() -> None:
    """A text that would only take the rest of the cursor's line into a comment is not offered as what fits."""
    text = "try:\n    a()\n) b\n"

    found = without_model().explain(document(text, language="python"), 13)

    assert (found.viable, found.closing, found.expected) == (False, None, ())
    assert found.message == f"Nothing fits here: {Stop.WRONG_LINE.value}."


def test_a_broken_document_is_not_called_a_program() -> None:
    """A document with a part that fits nothing is no program; its kept part may be one."""
    broken, whole = "x = 1\ny = )\n", "x = 1\ny = 2\n"

    found = [without_model().explain(document(text, language="python"), 5).message for text in (broken, whole)]

    assert found[0].startswith("What is kept of the document is a program already. Here may come: ")
    assert found[1].startswith("The document is a program already. Here may come: ")


def test_a_header_that_is_being_typed_is_told() -> None:
    """An editor has closed its brackets: they may be filled, and the sentence says what was read behind them."""
    typed = document("x = 1\nif len()\ny = 2\n", language="python")
    bodiless = document("x = 1\n\n\ndef f(a, ):\n", language="python")

    found = report(without_model().explain(typed, 13), typed, 13, "utf-16")

    assert found["viable"]
    assert found["ignored"] == [
        {
            "range": {"start": {"line": 1, "character": 8}, "end": {"line": 1, "character": 8}},
            "lines": None,
            "instead": ": pass",
            "unread": False,
        }
    ]
    assert found["notes"] == ["Line 2 is unfinished and was read as if `: pass` stood at its end."]
    told = report(without_model().explain(bodiless, 18), bodiless, 18, "utf-16")
    assert (told["viable"], told["closing"]) == (True, "")
    assert told["notes"] == ["Line 4 is unfinished and was read as if `pass` stood at its end."]
