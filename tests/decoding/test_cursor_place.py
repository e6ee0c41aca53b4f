"""Kinds of places: prose and finished statements are told apart by what fits, in every language."""

from __future__ import annotations

from functools import cache

import pytest

import dovetail
from dovetail.decoding.completion import Stop
from dovetail.decoding.cursor_place import CursorPlace, find_place


@cache
def language(name: str) -> dovetail.Language:
    return dovetail.load_language(name, target="3.12" if name == "python" else None)


PROSE, FINISHED = Stop.PROSE, Stop.FINISHED


@pytest.mark.parametrize(
    ("name", "left", "right", "prose", "finished"),
    [
        ("python", "x = f(a)", "\n", False, FINISHED),
        ("python", "x = f(a)", "\r\ny\n", False, FINISHED),
        ("python", "x = f(a)", "", False, FINISHED),
        ("python", "x = f(a)  ", "  \ny\n", False, FINISHED),
        ("python", "x = val", "\n", False, FINISHED),
        ("python", "x = f(\n    a", "\n)\n", False, FINISHED),
        ("python", "x = f(a", ")\n", False, None),
        ("python", "x = f(a", "", False, None),
        ("python", "x = ", "\n", False, None),
        ("python", "if x:", "\n", False, None),
        ("python", "if x:\n    y\n    ", "\nz\n", False, None),
        ("python", "", "x\n", False, None),
        ("python", "# what", "\n", True, PROSE),
        ("python", "# what", " comes\n", True, None),
        ("python", "x = 1  # what", "\n", True, PROSE),
        ("python", "'what", "'\n", True, None),
        ("python", '"""What', '\n"""\n', True, PROSE),
        ("python", '"""What', '"""\n', True, None),
        ("python", '"""What', "\n", True, PROSE),
        ("python", 'f"{a} is', '"\n', True, None),
        ("python", 'f"{a', '}"\n', False, None),
        ("json", '{"a', '": 1}\n', True, None),
        ("json", '{"a": 1', "\n}\n", False, FINISHED),
        ("json", '{"a": ', "\n}\n", False, None),
    ],
)
def test_the_kind_of_a_place(name: str, left: str, right: str, prose: bool, finished: Stop | None) -> None:
    """Prose is what stands in comments and strings; finished is a line after which nothing is missing."""
    place = find_place(language(name).quotient(left, right).start, left, right)

    assert (place.prose, place.finished) == (prose, finished)


@pytest.mark.parametrize(
    ("name", "left", "right", "over"),
    [
        ("json", '{"a": 1}', "\n", True),
        ("jsonc", '{"a": 1}', "\n", True),
        ("jsonc", '{"a": 1}\n', "", True),
        ("jsonc", '{"a": 1', "\n}\n", False),
        ("jsonc", '{"a": [1', "\n]}\n", False),
        ("jsonc", "// what", "\n{}\n", False),
        ("python", "x = f(a)", "\n", False),
        ("go", "package main", "\n", False),
        ("go", "package main\n\nvar a = 1\n", "", False),
        ("lua", "x = 1", "\n", False),
        ("lua", "return 1", "\n", False),
        ("javascript", "f()", "\n", False),
        ("typescript", "type A = B", "\n", False),
    ],
)
def test_the_end_of_all(name: str, left: str, right: str, over: bool) -> None:
    """Behind the last brace of JSON only comments may follow; in other languages always something else may."""
    assert find_place(language(name).quotient(left, right).start, left, right).over is over


@pytest.mark.parametrize(
    ("finished", "word", "text", "reason"),
    [
        (FINISHED, True, "ue", None),
        (FINISHED, True, ".x", FINISHED),
        (FINISHED, True, "\nue", FINISHED),
        (FINISHED, False, "ue", FINISHED),
        (PROSE, True, "ue", PROSE),
        (None, True, ".x", None),
    ],
)
def test_a_word_that_goes_on_is_not_finished(finished: Stop | None, word: bool, text: str, reason: Stop | None) -> None:
    """Letters after a name may be the rest of it; prose that ends its line is finished all the same."""
    assert CursorPlace(finished=finished, word=word).is_finished(text) is reason
