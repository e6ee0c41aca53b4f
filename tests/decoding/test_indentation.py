"""Completions are indented as the file is."""

from __future__ import annotations

from functools import cache

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer

import dovetail
from dovetail.decoding.completion import Cause, Stop
from dovetail.decoding.decoder import complete
from dovetail.decoding.indentation import Indentation, find_indentation

FILES = {
    "four blanks": ("def g():\n    return 1\n\n", Indentation(" ", 4)),
    "two blanks": ("def g():\n  if g:\n    return 1\n\n", Indentation(" ", 2)),
    "tabs": ("def g():\n\treturn 1\n\n", Indentation("\t", 8)),
    "mostly two": ("def g():\n  if g:\n    return 1\ndef h():\n    pass\n\n", Indentation(" ", 2)),
    "continuation lines count once": (
        "x = f(1,\n      2,\n      3)\ndef g():\n   if g:\n      pass\n",
        Indentation(" ", 3),
    ),
    "comments do not count": ("def g():\n      # far\n    return 1\n\n", Indentation(" ", 4)),
    "nothing is indented": ("x = 1\n", None),
    "nothing at all": ("", None),
}


@pytest.mark.parametrize("name", FILES)
def test_the_indentation_of_a_file_is_what_most_of_its_lines_have(name: str) -> None:
    """One level is what lines near the cursor are most often indented by, on either side of it."""
    text, expected = FILES[name]

    assert find_indentation(text, "", "#") == expected
    assert find_indentation("x = 1\n", text, "#") == expected


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_the_file_has_it(end: str) -> None:
    """Indentation is found whatever ends the lines."""
    assert find_indentation(f"def g():{end}  return 1{end}", "") == Indentation(" ", 2)


def test_the_comment_sign_and_the_tab_are_those_of_the_language() -> None:
    """A line that begins with another language's comment sign counts, and a tab is as wide as the language says."""
    assert find_indentation("g\n      # far\n", "", "//") == Indentation(" ", 6)
    assert find_indentation("g\n      // far\n", "", "//") is None
    assert find_indentation("g\n\tx\n", "", "//", tab=4) == Indentation("\t", 4)


@cache
def python() -> dovetail.Language:
    return dovetail.load_language("python", target="3.12")


BLANKS = (b"\n      ", b"\n    ", b"\n  ", b"\n\t")


def indented(before: str, first: bytes) -> tuple[str, list[Cause]]:
    """Return what comes of a model that likes one indentation best, and why it was refused what."""

    def rank(proposer: ScriptedProposer, text: bytes) -> list[int]:
        if text.endswith(b"return x"):
            return [proposer.end]
        likings = dict.fromkeys((first, *BLANKS)) if not text else (b"return x", *BLANKS)
        return [proposer.token(piece) for piece in likings]

    left, right = f"{before}def f(x):", "\ny = 1\n"
    proposer = ScriptedProposer([*BLANKS, b"return x"], rank)
    completion = complete(proposer, lambda: python().quotient(left, right), left, right)
    assert completion.stop is Stop.END
    return completion.text or "", [refusal.cause for refusal in completion.refusals if not refusal.text]


@pytest.mark.parametrize("first", BLANKS)
def test_another_indentation_is_refused(first: bytes) -> None:
    """In a file of four blanks, of two, or of tabs, a block has its own indentation, whatever the model likes best."""
    for name, expected in (("four blanks", "    "), ("two blanks", "  "), ("tabs", "\t")):
        text, causes = indented(FILES[name][0], first)

        assert text.split("\n")[-1] == f"{expected}return x", name
        assert set(causes) <= {Cause.INDENTATION}, name
        assert causes or first.strip(b"\n").decode() in expected, name


def test_a_file_without_indentation_takes_any() -> None:
    """The model's own indentation is taken if no line is indented."""
    for first in BLANKS:
        assert indented("", first)[0] == f"{first.decode()}return x"


def test_what_the_right_context_needs_goes_before_the_manner_of_the_file() -> None:
    """Another indentation is taken after all if only that fits."""
    left, right = FILES["four blanks"][0] + "if g:", "\n      y = 2\n"
    proposer = ScriptedProposer([b"\n      x = 1"], lambda proposer, text: [proposer.end if text else 256])

    completion = complete(proposer, lambda: python().quotient(left, right), left, right)

    assert completion.text == "\n      x = 1"


def body(before: str, chosen: str, written: str) -> tuple[str | None, set[Cause]]:
    """Return what comes of a model that begins a body like this, and why it was refused what."""

    def rank(proposer: ScriptedProposer, text: bytes) -> list[int]:
        return [proposer.end] if b"return" in text else [proposer.token(piece) for piece in pieces]

    left, right = f"{before}def f(x):\n{chosen}", "\ny = 1\n"
    # The blanks before the cursor may be part of a longer token, so the model writes them anew.
    pieces = [f"{chosen}{blanks}return x".encode() for blanks in (written, "")]
    proposer = ScriptedProposer(pieces, rank)
    completion = complete(proposer, lambda: python().quotient(left, right), left, right)
    return completion.text, {refusal.cause for refusal in completion.refusals}


@pytest.mark.parametrize("before", ["", FILES["four blanks"][0]])
def test_blanks_do_not_move_the_first_line_of_a_block_beyond_its_level(before: str) -> None:
    """The cursor's line stays in the column that the editor chose, also where it is the first that is indented."""
    assert body(before, "    ", "    ") == ("return x", {Cause.INDENTATION})
    assert body(before, "    ", "  ") == ("return x", {Cause.INDENTATION})


def test_blanks_may_complete_a_level_that_was_begun() -> None:
    """In a file of four blanks, two blanks before the cursor may become four, or stay."""
    assert body(FILES["four blanks"][0], "  ", "  ") == ("  return x", set())
    assert body(FILES["four blanks"][0], "  ", "    ") == ("return x", {Cause.INDENTATION})
