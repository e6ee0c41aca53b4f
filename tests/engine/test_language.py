"""The library's words to its users: representations, and mistakes in plain English."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import dovetail

if TYPE_CHECKING:
    from dovetail import Language


def test_representations(json: Language) -> None:
    """Language, quotient and state show what they are."""
    quotient = json.quotient("[1, ", "]")

    assert repr(json) == "<Language json>"
    assert repr(dovetail.load_language("python", target="3.9")) == "<Language python 3.9>"
    assert repr(quotient) == "<Quotient of json: viable>"
    assert repr(json.quotient("1 2", "")) == "<Quotient of json: nothing fits>"
    assert repr(quotient.start) == "<State accepting=False expected=7>"
    assert repr(json.document("[1]" * 1000)) == "<Document of json: 3,000 characters>"


@pytest.mark.parametrize("name", sorted(set(dovetail.__all__) - {"GrammarError"}))
def test_help_shows_an_example(name: str) -> None:
    """`help` of each public name but the exception shows an example, which runs as a test of the documents."""
    assert "\n    >>> " in getattr(dovetail, name).__doc__


def test_the_representation_of_a_repaired_text(python: Language) -> None:
    """A quotient shows how many parts of the texts it leaves out."""
    quotient = python.quotient("x = )\ny = ", "\n")

    assert repr(quotient) == "<Quotient of python: viable, 1 left out>"


def test_a_number_as_target() -> None:
    """A version is a text: 3.10 as a number would be 3.1."""
    target: Any = 3.11
    with pytest.raises(TypeError, match=r"^target is 3\.11, which is no text; write a version in quotes, as in "):
        dovetail.load_language("python", target=target)


def test_names_of_no_language() -> None:
    """A value that names no language is refused in a sentence that says what to give."""
    nothing: Any = None
    with pytest.raises(TypeError, match=r"^the language is None, which names none; give a name, as in load_language\("):
        dovetail.load_language(nothing)
    with pytest.raises(dovetail.GrammarError, match=r"^There is no language `cobol`; known are go, javascript, "):
        dovetail.load_language("cobol")


@pytest.mark.parametrize("method", ["document", "error", "errors", "accepts"])
def test_bytes_as_text(json: Language, method: str) -> None:
    """Bytes are refused with what to do."""
    with pytest.raises(TypeError, match=r"^text is of type bytes, and a text is needed; decode it first, as in text\."):
        getattr(json, method)(b"[]")


def test_other_values_as_text(json: Language) -> None:
    """A value that is no text is named with its type."""
    nothing: Any = None
    with pytest.raises(TypeError, match=r"^right is of type NoneType, and a text is needed; give it as a str\.$"):
        json.quotient("[", nothing)


@pytest.mark.parametrize("method", ["advance", "accepts"])
def test_other_values_as_a_piece(json: Language, method: str) -> None:
    """A piece of a middle is a str or bytes, and nothing else."""
    with pytest.raises(TypeError, match=r"^piece is of type int, and a text is needed; give it as a str or bytes\.$"):
        getattr(json.quotient("[", "]").start, method)(1)
