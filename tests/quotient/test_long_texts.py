"""Texts that are too long to be read at once: what is near is read first, and the rest after it."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.fuzz.broken import kept
from tests.fuzz.cases import make_case
from tests.oracles.cpython import parses

from dovetail.engine import document as documents

if TYPE_CHECKING:
    from dovetail import Document, Language


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a text be long from a few hundred characters on."""
    monkeypatch.setattr(documents, "_AT_ONCE", 100)
    monkeypatch.setattr(documents, "_WINDOW", 300)


def program(number: int) -> str:
    """Return a program of some statements."""
    parts = [make_case(11, number * 3 + index, mutate=False, largest=500) for index in range(3)]
    return "".join(part.left + part.middle + part.right + "\n" for part in parts)


def read_all(document: Document, offset: int) -> None:
    """Read everything that a quotient at an offset left unread."""
    for _ in range(1_000):
        if document.read_on(offset):
            return
    raise AssertionError("it is never read to its end")


@pytest.mark.parametrize("number", range(12))
def test_near_first_then_all(python: Language, number: int) -> None:
    """The unread part is named; without it a closing makes a program; once it is read, all is as in a fresh text."""
    text = program(number)
    random = Random(number)
    document = python.document(text)
    for _ in range(4):
        offset = random.randrange(len(text) + 1)
        near = document.quotient(offset)
        left, right = kept(near, text[:offset], text[offset:])
        closing = near.start.closing()

        assert near.viable
        assert closing is not None
        assert all(span.unread for span in near.ignored)
        assert parses(left + closing + right) is not False

        read_all(document, offset)
        whole, fresh = document.quotient(offset), python.quotient(text[:offset], text[offset:])

        assert whole.ignored == fresh.ignored == ()
        assert whole.start.accepting == fresh.start.accepting
        assert whole.start.closing() == fresh.start.closing()


def test_edits_before_and_after_what_was_read(python: Language) -> None:
    """A region moves with nothing: it is given up when what is before it changes."""
    text = "".join(f"def f{number}(x):\n    return x + {number}\n\n\n" for number in range(40))
    document = python.document(text)
    offset = text.index("+ 30") + 2
    assert document.quotient(offset).ignored
    for place, new in ((offset, "1 + "), (5, "g"), (len(text) - 4, "x")):
        document.edit(place, place, new)
        text = text[:place] + new + text[place:]
        offset = text.index("+ 30") + 2
        quotient = document.quotient(offset)

        assert quotient.viable
        assert quotient.start.closing() == python.quotient(text[:offset], text[offset:]).start.closing()


def test_a_rest_that_turns_out_broken_is_left_out(python: Language) -> None:
    """It is unread first, and then known to be broken."""
    text = "x = 1\n" + "".join(f"def f{number}():\n    pass\n" for number in range(40)) + "y = = 2\n"
    document = python.document(text)
    quotient = document.quotient(4)

    assert quotient.viable
    assert [span.unread for span in quotient.ignored] == [True]

    read_all(document, 4)
    quotient = document.quotient(4)

    assert quotient.viable
    assert [span.unread for span in quotient.ignored] == [False]


def test_strictly_everything_is_read(python: Language) -> None:
    """Without tolerance nothing is left for later."""
    text = "x = 1\n" + "def f():\n    pass\n" * 40 + "y = = 2\n"
    document = python.document(text)

    assert document.quotient(4).viable
    assert not document.quotient(4, tolerant=False).viable


@pytest.mark.parametrize(
    "obstacle", ["x = '" + "a" * 400 + "'\n", "x = )\ny = 1\n" * 250], ids=["a long line", "too many broken lines"]
)
def test_reading_on_comes_to_an_end_behind_an_obstacle(python: Language, obstacle: str) -> None:
    """Neither a line that is longer than what is read at once nor too much that does not fit is tried for ever."""
    text = obstacle + "def f():\n    return 1\n" * 60
    document = python.document(text)
    document.quotient(len(text))

    read_all(document, len(text))

    assert document.quotient(len(text)).viable


def test_many_texts_are_read_on_in_turn(python: Language) -> None:
    """Text that was read of one is not lost because others are read between."""
    documents = [python.document(f"x = {number}\n" + f"y = {number}\n" * 200) for number in range(6)]
    for document in documents:
        document.quotient(4)

    for _ in range(30):
        done = [document.read_on(4) for document in documents]

    assert all(done)


def test_a_text_that_is_mended_is_read_like_any_other(python: Language) -> None:
    """After something broken near the cursor the rest is left for later too, and then read to its end."""
    text = "def a():\n    x = 1\n    y = = 2\n    z = 1\n\n\n" + "def f():\n    return 1\n" * 60
    document = python.document(text)

    assert document.quotient(17).ignored[-1].unread

    read_all(document, 17)

    assert document.quotient(17).ignored == python.quotient(text[:17], text[17:]).ignored != ()


def test_another_reading_takes_the_place_of_one_that_was_wrong(python: Language) -> None:
    """A rest that begins in a string for one reading and not for another: both are read, and one is broken."""
    text = "x = \n'''\ndoc\n'''\n" + "def f():\n    return 1\n" * 60 + "y = = 2\n"
    document = python.document(text)
    document.quotient(4)

    read_all(document, 4)

    assert document.quotient(4).ignored == python.quotient(text[:4], text[4:]).ignored != ()


def test_a_branch_that_begins_in_a_string_does_not_decide_what_is_unread(python: Language) -> None:
    """A column-zero line inside a later string ends the text only of a cursor that stands in such a string."""
    block = '1\n    text = """\nalpha = 1\nbeta = 2\n"""\n    return text\n\n\n'
    functions = "".join(f"def f{number}(x):\n    return x\n\n\n" for number in range(20))
    right = block + functions

    for left in ("def g():\n    y = ", "def g():\n    y = (1 + ", "def g():\n    y", "def g():\n    "):
        quotient = python.document(left + right).quotient(len(left))

        assert [span.unread for span in quotient.ignored] == [True]
        assert quotient.ignored[0].start >= len(left) + len(block)

    left = 'y = """\n'
    quotient = python.document(left + right).quotient(len(left))

    assert quotient.ignored[0].start == len(left) + right.index("alpha")
