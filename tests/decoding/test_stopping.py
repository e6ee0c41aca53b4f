"""The rule that the rest of the line is not swallowed, with the real engine."""

from __future__ import annotations

import ast
from itertools import product

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer, writes

import dovetail
from dovetail.decoding.decoder import complete
from dovetail.decoding.limits import Limits, Shape


@pytest.fixture(name="language", scope="module")
def _language() -> dovetail.Language:
    return dovetail.load_language("python", target="3.11")


def completed(language: dovetail.Language, left: str, right: str, *pieces: bytes) -> str | None:
    """Return what comes of a model that wants to write the pieces and to end."""
    proposer = ScriptedProposer(sorted(set(pieces)), writes(*pieces))
    limits = Limits(max_tokens=30)
    return complete(proposer, lambda: language.quotient(left, right), left, right, limits).text


@pytest.mark.parametrize(
    ("left", "right", "rules"),
    [
        ("x = f(", "a)\n", True),
        ("x = 'here", " goes on'\n", True),
        ("if x:\n    ", "y = 1\n", True),
        ("x = f(", "\na)\n", False),
        ("x = f(", " \t\r\n)\n", False),
        ("x = f(", "", False),
        ("# here", " goes on\n", False),
        ("y\n  # here", " goes on\n", False),
        ('"""here', ' goes on\n"""\n', False),
        ('f"""here', ' goes on\n"""\n', False),
        ('f"""{here}', ' goes on\n"""\n', False),
        ('f"""', '{here} goes on\n"""\n', True),
        ('f"""{{', ' goes on\n"""\n', False),
        ("x = (", '"""goes\non""")\n', True),
        ("", "x y z\n", True),
    ],
)
def test_where_the_rule_has_a_say(language: dovetail.Language, left: str, right: str, rules: bool) -> None:
    """The line goes on, and the cursor is not in a comment."""
    quotient = language.quotient(left, right)

    assert (quotient.keeping_rest_of_line is not quotient) == rules


@pytest.mark.parametrize(
    ("left", "right", "middle", "fits", "swallows"),
    [
        ("x = ", "+ 1\n", "y", True, False),
        ("x = ", "+ 1\n", "y #", True, True),
        ("x = ", "+ 1\n", "y # why\n", True, False),
        ("x = ", "+ 1\n", "'#'", True, False),
        ("if x:\n    ", "y = 1\n", "z\n    #", True, True),
        ("if x:\n    ", "y = 1\n", "#", False, True),
        ("if x:\n    y\n    ", "y = 1\n", "#", True, True),
        ("if x:\n    y\n    ", "y = 1\n", "# z\n    ", True, False),
        ("x = ", "y\nz # '''\n", "'''", True, True),
        ("x = ", "y + '''z\nw'''\n", "w + ", True, False),
    ],
)
def test_a_swallowed_line_is_no_place_to_stop(
    language: dovetail.Language, left: str, right: str, middle: str, fits: bool, swallows: bool
) -> None:
    """A program that has the rest of the line in a comment, or a long string, is none here; others are what they are.

    CPython says what is a program.
    """
    quotient = language.quotient(left, right)
    try:
        ast.parse(left + middle + right)
    except SyntaxError:
        assert not fits
    else:
        assert fits

    assert quotient.start.accepts(middle) == fits
    assert quotient.keeping_rest_of_line.start.accepts(middle) == (fits and not swallows)


SWALLOWED = "\ue000'\"\ue000"
"""No program has this outside of comments and of strings that go on over lines."""


@pytest.mark.parametrize("left", ["x = sum(a", "if x:\n    y\n    ", "print(f'{a", "@with_(a", "def f(a", "x = '"])
@pytest.mark.parametrize("right", ["b for b in c)\n", "b' + '''\nc'''\n", "y = 1\n"])
def test_nothing_else_is_left_out(language: dovetail.Language, left: str, right: str) -> None:
    """Of the programs those are missing that stay programs whatever the line begins with; the rest can be closed."""
    quotient = language.quotient(left, right)
    other = quotient.keeping_rest_of_line
    pieces = ["", ")", "#", "\n", " ", "x", "=", "(", "'", '"""', "}", ":", "\n    ", "\\\n"]

    for middle in map("".join, product(pieces, repeat=3)):
        swallows = quotient.start.accepts(middle + SWALLOWED)
        assert other is quotient or other.start.accepts(middle) == (quotient.start.accepts(middle) and not swallows)
        state = other.start.advance(middle)
        closing = "" if state is None else state.closing()
        assert closing is not None, middle
        assert state is None or state.accepts(closing), middle


def test_the_bracket_is_not_left_by_a_comment(language: dovetail.Language) -> None:
    """A model that would close the bracket and comment the rest out is not let."""
    left, right = "x = sum(a * ", "for a in b)\ny\n"

    text = completed(language, left, right, b"a", b")", b"#", b" ")

    assert text is not None
    assert any(isinstance(node, ast.GeneratorExp) for node in ast.walk(ast.parse(left + text + right)))


def test_nothing_is_offered_where_only_a_comment_fits(language: dovetail.Language) -> None:
    """The rest of the line is not commented out, not even where nothing else makes a program."""
    assert language.quotient("", "x y z\n").viable
    assert not language.quotient("", "x y z\n").keeping_rest_of_line.viable
    assert completed(language, "", "x y z\n", b"# ") is None


def test_the_rest_of_the_line_stays_on_its_line(language: dovetail.Language) -> None:
    """A comment and a statement on lines of their own are not offered before a statement, which would move."""
    pieces = (b"# why", b"\n", b"    ", b"y", b" = 1", b"\n", b"    ")

    text = completed(language, "def f(x):\n    ", "return x\n", *pieces)

    assert text is None


@pytest.mark.parametrize(
    ("left", "right"),
    [("x = f(", ")\n"), ("x = ", " y = 1\n"), ("def f(x):\n    ", "x = 1\n    return x\n"), ("x = {", "}  # of all\n")],
)
@pytest.mark.parametrize("middle", ["", "f(", "a, ", "[", "lambda", "'"])
def test_closings_within_the_line(language: dovetail.Language, left: str, right: str, middle: str) -> None:
    """Within the line a closing has no line end, and without one it is no longer than the shortest of all has to be."""
    quotient = language.quotient(left, right)
    state = quotient.within_line.start.advance(middle)
    shortest = quotient.start.advance(middle)
    if state is None or shortest is None:
        assert state is shortest is None
        return

    closing, least = state.closing(), shortest.closing()

    assert least is not None
    assert closing is None or (state.accepts(closing) and "\n" not in closing and len(closing) >= len(least))
    assert "\n" in least or closing == least


HEADER = ": int) -> int:\n    return a\n"
"""The rest of a function's header: a `def` has to come before it, however deep the text has gone."""


@pytest.mark.parametrize(
    "text",
    [
        "rue))\nclass C:\n    def f",
        "rue))\nclass C:\n    def f(self",
        "rue))\ndef f():\n    if x:\n        y\n    else",
        "rue))\nclass C",
    ],
)
def test_a_closing_does_not_swallow_a_header(language: dovetail.Language, text: str) -> None:
    """A line of its own is found before the rest of the header if the shortest closings end in a comment."""
    quotient = language.quotient("@with_(config(strict=T", HEADER).keeping_rest_of_line
    state = quotient.start.advance(text)
    assert state is not None

    closing = state.closing()

    assert closing is not None
    assert state.accepts(closing)
    assert "#" not in closing


@pytest.mark.parametrize("budget", range(4, 24))
def test_the_model_names_what_a_closing_needs(language: dovetail.Language, budget: int) -> None:
    """A closing's name leaves a token for one of the model's, though one token would spell both."""
    left, right = "y = ", "a)\n"
    pieces = [b"b", b" and", b" not", b" c."]
    proposer = ScriptedProposer([*pieces, b"_(", b"A("], writes(*pieces * 9, then_ends=False))

    completion = complete(
        proposer, lambda: language.quotient(left, right), left, right, Limits(max_tokens=budget, shape=Shape.FREE)
    )

    assert completion.text is not None
    assert "(" in completion.text
    assert completion.tokens <= budget
    ast.parse(left + completion.text + right)


@pytest.mark.parametrize("budget", range(46, 56))
def test_what_has_to_come_is_asked_for_after_many_refusals(language: dovetail.Language, budget: int) -> None:
    """A way to finish is looked for also if many of the model's best tokens fit nothing."""
    left, right = "from a im", "b.c import D\n\n\nx = 1\n"
    pieces = [b"port", b" (", b"\n    ", b"from", b"djangle", b",", b" and", b"ally", b",", b" and"]
    unfit = [*range(128, 192), *range(1, 9)]  # bytes that begin no character, and that no program has

    def rank(proposer: ScriptedProposer, text: bytes) -> list[int]:
        order = writes(*pieces, then_ends=False)(proposer, text)
        if len(text) < sum(map(len, pieces)):
            return order
        return unfit + [token for token in order if token not in unfit]

    proposer = ScriptedProposer(sorted(set(pieces)), rank)
    completion = complete(
        proposer, lambda: language.quotient(left, right), left, right, Limits(max_tokens=budget, shape=Shape.FREE)
    )

    assert completion.text is not None
    assert completion.text.startswith("port (")  # and does not fall back on the last known way
    ast.parse(left + completion.text + right)
