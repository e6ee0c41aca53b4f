"""The place where a text stops being the beginning of a program."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.fuzz.cases import make_case
from tests.fuzz.mutations import mutated

from dovetail.diagnostics.reported import line_and_column

if TYPE_CHECKING:
    from dovetail import Language


def plain_offset(language: Language, text: str) -> int | None:
    """Return the offset of a fault, found one character after the other."""
    state = language.quotient("", "").start
    for offset, character in enumerate(text):
        after = state.advance(character)
        if after is None:
            return offset
        state = after
    return None if state.accepting else len(text)


def found_offset(language: Language, text: str) -> int | None:
    fault = language.error(text)
    return None if fault is None else fault.offset


@pytest.mark.parametrize("number", range(30))
def test_halving_finds_what_reading_finds(python: Language, number: int) -> None:
    """In broken files the fault is the one that is met when each character is judged in turn."""
    random = Random(number)
    case = make_case(11, number, mutate=True, largest=900)
    text = case.left + mutated(random, case.middle) + case.right

    assert found_offset(python, text) == plain_offset(python, text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "x = (1,\n",
        "x = 1)\n",
        "x = '''" + "a\n" * 400,
        "x = 'a" + "a" * 700 + "\n",
        "if x:\npass\n",
        "if x:\n    y\n  z\n",
        "x = 0b\n",
        "x = 0b2\n",
        "\f\tx\n        y\n",
        "x = \\",
        "x = \\ \n",
        "$" * 600,
        " " * 600 + "x",
        "(" * 300 + ")" * 299,
        "x = f'{y",
        "x = f'{y!z}'",
        "\r\nx\ry\r\n  z",
        "x = 1 # comment",
    ],
)
def test_small_faults(python: Language, text: str) -> None:
    """Unfinished and wrong lexemes, columns and ends are found where reading finds them."""
    assert found_offset(python, text) == plain_offset(python, text)


@pytest.mark.parametrize("offset", [0, 1, 254, 255, 256, 257, 511, 512, 513, 600])
def test_faults_between_pieces(json: Language, offset: int) -> None:
    """A fault is found wherever it lies among the pieces in which a text is read."""
    text = "[" + "1," * 400
    text = text[:offset] + "}" + text[offset:]

    fault = json.error(text)

    assert fault is not None
    assert fault.offset == offset


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\r\nif x:\npass\n", "line 3, column 1: expected an indented block below line 2"),
        ("def f(\n  x):\n\n  # why\n\npass\n", "line 6, column 1: expected an indented block below line 2"),
        ("if x:\n\n", "line 2, column 1: expected an indented block below line 1"),
        ("x = (1 2)", "line 1, column 8: `2` does not fit here; perhaps an operator is missing before it"),
        ("x = (1 else)", "line 1, column 8: `else` does not fit here; expected `)`, an operator or `,`"),
        ("print((1, 2)", "line 1, column 13: the end of the text does not fit here; expected `)`, an operator"),
        ("x = 2 * for y\n", "line 1, column 9: `for` does not fit here; expected an operand"),
        ("x = [\n    'one'\n    2,\n]\n", "line 2, column 10: expected `,` at the end of this line"),
        ("x == = 1\n", "line 1, column 6: `=` does not fit here; expected an operand"),
        ("x ==== 1\n", "line 1, column 5: `==` does not fit here; expected an operand"),
        ("from a impfrom b\n", "line 1, column 8: `impfrom` does not fit here; expected `import` or `.`"),
        ("y = (x fork in z)\n", "line 1, column 8: `fork` does not fit here; perhaps an operator is missing before it"),
        ("x.y 'abc'\n", "line 1, column 5: `'abc'` does not fit here; expected the end of the line, "),
        ("None = 1\n", "line 1, column 6: `None` cannot be assigned to"),
        ("x = 0777\n", "line 1, column 5: `0777` is not a number; perhaps `0o777`"),
        ("x = 1im\n", "line 1, column 6: `im` does not fit right after `1`; expected the end of the line, "),
        ("if x\n    y\n", "line 1, column 5: expected `:` at the end of this line"),
        ("try:\n    x\nyet\n", "line 3, column 1: `yet` does not fit here; expected `except` or `finally`"),
        ("x = 1\n  y = 2\n", "line 2, column 3: this line is indented, and no block begins here"),
        ("if x:\n    y\n  z\n", "line 3, column 3: this line is indented by 2, and the open blocks by 0 and 4"),
        ("if x:\n\ty\n        z\n", "line 3, column 9: tabs and blanks are mixed here in another way than "),
        ("if x:\n    ) y\n", "line 2, column 5: `)` closes nothing"),
        ("if x:\n    ? y\n", "line 2, column 5: `?` does not fit here; expected "),
        ("x = !y\n", "line 1, column 5: `!` does not fit here; write `not`"),
        ("print((1,\n  2)\ny = 3\n", "line 1, column 6: `(` is never closed"),
        ("x = (1,\n  2]\n", "line 2, column 4: `]` does not close `(` of line 1"),
        ("x = (\n  1 2)\n)\n", "line 3, column 1: `)` closes nothing"),
        ("x = 'abc\n", "line 1, column 5: `'` is not closed on this line"),
        ('x = f("a, "b", 1)\n', 'line 1, column 7: `"` is not closed on this line'),
        ('x = {"a": "b, "c": 1}\n', 'line 1, column 11: `"` is not closed on this line'),
        ('x = f("a", "b, 1)\n', 'line 1, column 12: `"` is not closed on this line'),
        ('x = f(a", "b", 1)\n', 'line 1, column 13: `"` is not closed on this line'),
        ("x = ''", "None"),
        ("x = " + "'" * 3 + "a" * 400, "line 1, column 5: `" + "'" * 3 + "` is never closed"),
        ("x = 'a\\N b'\n", "line 1, column 7: `\\N ` cannot stand in a string"),
        ("x = b'é'\n", "line 1, column 7: `é` cannot stand in a bytes string"),
        ("x = 0b2\n", "line 1, column 5: `0b2` is not a number"),
        ("x = 1_\n", "line 1, column 5: `1_` is not a number"),
        ("x = f'{y'\n", "line 1, column 7: `{` is never closed"),
        ("x = f'{y!z}'\n", "line 1, column 9: `!z` is not a conversion"),
        ("x = f'\\N y'\n", "line 1, column 7: `\\N ` cannot stand in the text that `f'` opens"),
        (
            f"def f({'a, ' * 83}lambda):\n    x\n",
            "line 1, column 256: `lambda` does not fit here; expected `)` or a name",
        ),
        ("a.class\n", "line 1, column 3: `class` does not fit here; expected a name"),
        ("await -a\n", "line 1, column 7: `-` does not fit here; expected a value"),
        ("x = 'a\x00'\n", "line 1, column 7: the character U+0000 cannot stand in a string"),
        ("x = f'y\n", "line 1, column 5: `f'` is not closed on this line"),
        ("x = “one”\n", 'line 1, column 5: the character U+201C (`“`) cannot stand here; write `"'),
        ("x = f(1,", "line 1, column 9: the end of the text does not fit here; expected `)` or an expression"),
        ("import sys,", "line 1, column 11: `,` does not fit at the end of this line; leave it out"),
        ("f(1, 2\n  y = 3\nz = ')'", "line 1, column 2: `(` is never closed"),
    ],
)
def test_messages(python: Language, text: str, message: str) -> None:
    """A fault says its place, what misfits, and what was expected in its column, most wanted first."""
    assert str(python.error(text)).startswith(message)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("whlie True:\n    x\n", "line 1, column 1: perhaps `whlie` should be `while`; `True` does not fit behind it"),
        (
            "fi isinstance(x, y):\n    x\n",
            "line 1, column 1: perhaps `fi` should be `if`; `isinstance` does not fit behind it",
        ),
        ("from a imprt b\n", "line 1, column 8: `imprt` does not fit here; perhaps it should be `import`"),
        (
            "if x:\n    y\nelse if y:\n    z\n",
            "line 3, column 1: perhaps `else if` should be `elif`; `if` does not fit behind it",
        ),
        ("if x = 1:\n    y\n", "line 1, column 6: `=` does not fit here; perhaps it should be `==`"),
        ("print 'a', b # c\n", "line 1, column 7: `'a'` does not fit here; perhaps `print(...)`"),
        ("raise E, 'a'\n", "line 1, column 8: `,` does not fit here; perhaps `E(...)`"),
        ("raise E, *\n", "line 1, column 8: `,` does not fit here; expected "),
        ("assert x, y, z\n", "line 1, column 12: `,` does not fit here; expected "),
        ("whlie x) == 1:\n    y\n", "line 1, column 8: `)` closes nothing"),
        ("type X y\n", "line 1, column 6: `X` does not fit here; expected the end of the line, "),
        ("retrun x y\n", "line 1, column 8: `x` does not fit here; expected the end of the line, "),
    ],
)
def test_guesses(python: Language, text: str, meant: str) -> None:
    """A keyword or sign is guessed only if the rest of the line fits with it."""
    assert str(python.error(text)).startswith(meant)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1e]", "line 1, column 2: `1e` is not a number"),
        ("[-Infinity]", "line 1, column 2: `-Infinity` is not a number"),
        ("[1 2]", "line 1, column 4: `2` does not fit here; expected `]` or `,`"),
        ('{"a": 1,', "line 1, column 9: the end of the text does not fit here; expected a string"),
        ('{"a": 1,}', "line 1, column 8: `,` does not fit before `}`; leave it out"),
        ('["a\tb"]', "line 1, column 4: the character U+0009 cannot stand in a string"),
        ('["a', 'line 1, column 2: `"` is never closed'),
        ("[tru]", "line 1, column 2: `tru` does not fit here; perhaps it should be `true`"),
    ],
)
def test_messages_of_another_language(json: Language, text: str, message: str) -> None:
    """The words come from the language's description; nothing of Python's is in them."""
    assert str(json.error(text)) == message


def test_what_may_still_be_closed(python: Language) -> None:
    """In the beginning of a text an open bracket is no mistake, so it explains none."""
    text = "x = (1,\n  2 3,\n"

    assert str(python.error(text)).startswith("line 1, column 5: `(` is never closed")
    assert str(python.error(text, whole=False)).startswith("line 2, column 5: `3` does not fit here")


def test_several_faults(python: Language) -> None:
    """Each mistake is reported once, in the order of the text, and none that only follows from another."""
    text = "def f(x:\n    return x\n\n\nclass A\n    y = 1 +\n\nfor i in range(3):\n    print(i\n\nx = 1\n"

    assert [(fault.reported.line, fault.reported.message.split("; ")[0]) for fault in python.errors(text)] == [
        (1, "`(` is never closed"),
        (5, "expected `:` at the end of this line"),
        (6, "the end of the line does not fit here"),
        (9, "`(` is never closed"),
    ]


def test_an_unfinished_text_explains_no_earlier_line(python: Language) -> None:
    """A mistake before a string that is never closed is reported too, and each once."""
    faults = python.errors('a = 1\nprint "hello"\nx = "unfinished')

    assert [(fault.reported.line, fault.reported.column) for fault in faults] == [(2, 7), (3, 5)]


@pytest.mark.parametrize(
    "text", ["x = 1\n    B\ny = 2\n}\n", "f(\n    A, )\n    B = = 1,\n)\nx = 1\n", "x = 1\n  y\n  z\n)\n"]
)
def test_a_placeholder_moves_no_line(python: Language, text: str) -> None:
    """Line and column are those of the offset in the given text, also behind a header that recovery has put in."""
    faults = python.errors(text)

    assert len(faults) > 1
    assert [(fault.line, fault.column) for fault in faults] == [line_and_column(text, fault.offset) for fault in faults]
    reports = [fault.reported for fault in faults]
    assert [(at.line, at.column) for at in reports] == [line_and_column(text, at.offset) for at in reports]


def test_at_most_so_many_faults(python: Language) -> None:
    """No more faults are looked for than are asked for, and a program has none."""
    assert len(python.errors("x = )\n" * 30, most=3)) == 3
    assert python.errors("x = 1\n") == []


@pytest.mark.parametrize("number", range(20))
def test_the_first_of_several_faults(python: Language, number: int) -> None:
    """A broken file has faults exactly if it has one, and all of them lie in the text."""
    random = Random(number)
    case = make_case(12, number, mutate=True, largest=900)
    text = case.left + mutated(random, mutated(random, case.middle)) + case.right

    faults = python.errors(text)

    assert bool(faults) == (python.error(text) is not None)
    offsets = [fault.reported.offset for fault in faults]
    assert offsets == sorted(set(offsets))
    assert all(0 <= offset <= len(text) for offset in offsets)
    places = [(fault.reported.line, fault.reported.column) for fault in faults]
    assert places == [line_and_column(text, offset) for offset in offsets]
