"""Limits of a text while the user types."""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer, writes

import dovetail
from dovetail.decoding.completion import Cause, Completion
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits, Shape
from dovetail.decoding.request import Request

if TYPE_CHECKING:
    from collections.abc import Sequence


@cache
def language() -> dovetail.Language:
    return dovetail.load_language("python", target="3.12")


def completed(
    left: str, right: str, first: Sequence[bytes], then: Sequence[bytes], *, typing: bool, shape: Shape = Shape.AUTO
) -> Completion:
    """Return what comes of a model that wants to write some pieces, or else others, and to end."""

    def rank(proposer: ScriptedProposer, text: bytes) -> list[int]:
        preferred, others = writes(*first)(proposer, text), writes(*then)(proposer, text)
        on_the_way = [
            order for pieces, order in ((first, preferred), (then, others)) if b"".join(pieces).startswith(text)
        ]
        wanted = [order[0] for order in on_the_way]
        return list(dict.fromkeys([*wanted, *preferred]))

    proposer = ScriptedProposer(sorted({*first, *then}), rank)
    limits = Limits(max_tokens=60, shape=shape)
    request = Request(left, right, lambda: language().quotient(left, right), limits, typing=typing)
    return Decoder(proposer).complete(request)


@pytest.mark.parametrize("quotes", [b'"""Return x."""', b"'x'", b'r"""x"""', b'"'])
@pytest.mark.parametrize("typing", [True, False])
def test_a_docstring_is_written_only_by_hand(quotes: bytes, typing: bool) -> None:
    """While the user types, a docstring whose quotes were not typed is refused, and what the model likes next comes."""
    pieces = (quotes, *([b'x"'] if quotes == b'"' else []))
    completion = completed("def f(x):\n    ", "\n\n\ny = 1\n", pieces, (b"return x",), typing=typing)

    assert completion.text == ("return x" if typing else b"".join(pieces).decode())
    assert (Cause.DOCUMENTATION in {refusal.cause for refusal in completion.refusals}) == typing


@pytest.mark.parametrize("indent", [b"\n    ", b"\n"])
def test_a_docstring_on_a_line_of_its_own_is_refused(indent: bytes) -> None:
    """The line end and the quotes may be one token."""
    left = "def f(x):" if indent != b"\n" else "import os"
    completion = completed(left, "\ny = 1\n", (indent + b'"""Text."""',), (indent + b"f(x)",), typing=True)

    assert completion.text == (indent + b"f(x)").decode()


@pytest.mark.parametrize(
    ("left", "right", "pieces"),
    [
        ("x = [\n    ", "\n]\n", (b'"a",', b"\n    ", b'"b",')),
        ("x = f(", "\n)\n", (b"\n    ", b'"a"')),
        ('def f():\n    """Return', "\n", (b" x.", b'\n    """')),
        ('def f():\n    """Return\n    ', '\n    """\n', (b'"x" or', b'\n    "y".')),
        ("x = ", "\n", (b'"a"',)),
    ],
)
def test_texts_elsewhere_are_no_docstrings(left: str, right: str, pieces: tuple[bytes, ...]) -> None:
    """A string in brackets or after something else may come, and so may the end of a docstring, or quotes in it."""
    completion = completed(left, right, pieces, pieces, typing=True)

    assert not any(refusal.cause is Cause.DOCUMENTATION for refusal in completion.refusals)
    assert completion.text is not None
    ast.parse(left + completion.text + right)


@pytest.mark.parametrize("shape", Shape)
@pytest.mark.parametrize("separator", [b"\n", b"\r\n", b"\n\n"])
def test_three_lines_are_the_most_while_typing(shape: Shape, separator: bytes) -> None:
    """A text has three lines at most, whatever ends them, unless the settings ask for a block or for all."""
    pieces = (b":", separator + b"    f(1)", separator + b"    g(2)", separator + b"    h(3)", separator)
    completion = completed("y = 1\nif q", "\nz = 1\n", pieces, pieces, typing=True, shape=shape)

    assert completion.text is not None
    lines = completion.text.strip().splitlines()
    assert len(lines) <= 3 or shape in (Shape.BLOCK, Shape.FREE)
    assert len(lines) > 1
