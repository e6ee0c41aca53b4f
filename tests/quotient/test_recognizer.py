"""The recognizer: is the whole a program, and can it still become one.

Worked example: left `f(`, right `)`. The middle `1` is accepted. The middle `1, ` is accepted too, and so is nothing at
all. The middle `1 +` is viable, since `2` may follow, but not accepted. So is `1)`, since `; g(` may follow.
"""

from __future__ import annotations

from itertools import product

import pytest
from tests.languages import shared_language
from tests.oracles.cpython import TARGET

import dovetail
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.right_side import read_right

PYTHON = dovetail.load_language("python", target=TARGET).machine
JSON = dovetail.load_language("json").machine


@pytest.mark.parametrize(
    ("middle", "viable", "accepting"),
    [("", True, True), ("1", True, True), ("1, ", True, True), ("1 +", True, False), ("1)", True, False)],
)
def test_the_worked_example(middle: str, viable: bool, accepting: bool) -> None:
    """The two answers for `f(` + middle + `)`."""
    stacks = PYTHON.stacks()
    recognizer = read_right(PYTHON, stacks, ")\n").recognizer
    at = Configuration((stacks.bottom,), PYTHON.lexer.start).read(PYTHON.lexer, stacks, f"f({middle}")
    assert at is not None

    assert (recognizer.viable(at), recognizer.accepting(at)) == (viable, accepting)


def test_answers_are_those_of_reading_the_whole() -> None:
    """Over all short texts: accepting is that the whole is a program, viable that some middle makes it one."""
    alphabet, texts = "[],1", [""]
    for _ in range(3):
        texts += ["".join(letters) for letters in product(alphabet, repeat=len(texts[-1]) + 1)]
    for right in ("", "]", "]]", ",1]", "1"):
        stacks = JSON.stacks()
        recognizer = read_right(JSON, stacks, right).recognizer
        start = Configuration((stacks.bottom,), JSON.lexer.start)
        for left in texts:
            at = start.read(JSON.lexer, stacks, left)
            if at is None:
                continue
            closes = any(JSON.accepts(left + middle + right) for middle in texts)

            assert recognizer.accepting(at) == JSON.accepts(left + right)
            assert recognizer.viable(at) or not closes


def test_a_pending_lexeme_may_go_on_into_the_right_context() -> None:
    """`ret` before `urn x` is the keyword; `ret ` is a name before another name, which fits nothing."""
    stacks = PYTHON.stacks()
    recognizer = read_right(PYTHON, stacks, "urn x\n").recognizer
    start = Configuration((stacks.bottom,), PYTHON.lexer.start)
    found = [start.read(PYTHON.lexer, stacks, f"def f(x):\n    {begun}") for begun in ("ret", "ret ")]

    assert [at is not None and recognizer.accepting(at) for at in found] == [True, False]


def test_a_column_decides() -> None:
    """A line to the right of the cursor has to stand in a column of a block that is open on the left."""
    stacks = PYTHON.stacks()
    recognizer = read_right(PYTHON, stacks, "\n  y\n").recognizer
    start = Configuration((stacks.bottom,), PYTHON.lexer.start)
    found = [start.read(PYTHON.lexer, stacks, text) for text in ("if x:\n  z", "if x:\n    z", "if x:")]

    assert [at is not None and recognizer.accepting(at) for at in found] == [True, False, True]


@pytest.mark.parametrize(
    ("left", "right"), [("throw/*\n", "@"), ("throw /* a\n", ""), ("d = {a, yield//", "\nC"), ("a = {yield/* b\n", "}")]
)
def test_a_lexeme_that_cannot_come_to_nothing_is_no_shorter_one(left: str, right: str) -> None:
    """However the comment ends, the line end in it is that of the word before it."""
    quotient = shared_language("javascript").quotient(left, right, tolerant=False)

    assert not quotient.viable
    assert quotient.start.closing() is None


@pytest.mark.parametrize("left", ["export default\\u", "export default\\u{6", "export default\\u00"])
def test_a_name_that_goes_on_is_no_word_before_another(left: str) -> None:
    """Any end of the escape makes one name of all; behind a blank it is one by itself."""
    quotient = shared_language("javascript").quotient(left, "\n{}\n", tolerant=False)

    assert not quotient.viable
    assert quotient.start.closing() is None
    assert shared_language("javascript").quotient(f"export default {left[14:]}", "\n{}\n", tolerant=False).viable


@pytest.mark.parametrize(
    ("left", "right"), [("throw/* a", ""), ("return/*\n", "@a"), ("a = {yield", "}"), ("f();//", "\ng()")]
)
def test_one_that_may_is_viable(left: str, right: str) -> None:
    """The same texts where the line end is allowed, or does not stand there."""
    quotient = shared_language("javascript").quotient(left, right, tolerant=False)
    closing = quotient.start.closing()

    assert closing is not None
    assert shared_language("javascript").accepts(left + closing + right)
