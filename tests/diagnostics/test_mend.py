"""Mistakes that make several places misfit: each is reported once, where its sign is lost or stray."""

from __future__ import annotations

import io
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from dovetail import Language

EXAMPLE = Path(__file__).parents[1] / "examples" / "schedule.py"

DOCUMENTED = '''class A:
    """One."""

    def f(self):
        """Two{}
        return 1

    def g(self):
        """Three."""
        return 2

    def h(self):
        """Don't{}
        return 3
'''


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (
            "def f\n    a,\n    b=1,\n):\n    return a\n\n\ndef g(x):\n    return x\n",
            ["line 1, column 6: the end of the line does not fit here; perhaps `(` is missing, for `)` on line 4 "],
        ),
        (
            "class A:\n    def f self,\n          b=2):\n        return b\n\n    def g(self):\n        return 1\n",
            ["line 2, column 11: `self` does not fit here; perhaps `(` is missing, for `)` on line 3 closes nothing"],
        ),
        (
            "x = f\n    a,\n    b,\n)\ny = 2\n",
            ["line 1, column 6: expected `(` at the end of this line, for `)` on line 4 closes nothing"],
        ),
        (
            "if a\n    and b\n    and c):\n    x = 1\n",
            ["line 1, column 5: the end of the line does not fit here; perhaps `(` is missing, for `)` on line 3 "],
        ),
        (
            "d = \n    'a': 1,\n    'b': 2,\n}\ny = 2\n",
            ["line 1, column 5: the end of the line does not fit here; perhaps `{` is missing, for `}` on line 4 "],
        ),
        ("if a(x)):\n    y = 1\nelse:\n    y = 2\n", ["line 1, column 8: `)` closes nothing"]),
        ("def f():\n    y = 1\n)\n    return y\n", ["line 3, column 1: `)` closes nothing"]),
        ("x = [\n    1,\n    2)\n]\ny = 2\n", ["line 3, column 6: `)` does not close `[` of line 1"]),
        ("x = [1, 2)\ny = 2\n", ["line 1, column 10: `)` does not close `[` of line 1"]),
        ("if f((a):\n    x = 1\n", ["line 1, column 9: `:` does not fit here; expected `)`"]),
        ("x = {{'a': 1,\n     'b': 2}\ny = 2\n", ["line 1, column 5: `{` is never closed"]),
        (
            'def order(tasks:\n    """Return them.\n\n    `tasks` maps a task.\n    """\n    return tasks\n',
            ["line 1, column 10: `(` is never closed"],
        ),
        ("x = 1\n)\n]\n", ["line 2, column 1: `)` closes nothing", "line 3, column 1: `]` closes nothing"]),
        (
            "def f:\n    return 1\n\nx = (1))\n",
            ["line 1, column 6: `:` does not fit here; expected `(`", "line 4, column 8: `)` closes nothing"],
        ),
    ],
)
def test_a_bracket(python: Language, text: str, messages: list[str]) -> None:
    """A bracket that is lost or stray is one mistake, whatever else misfits without it; two of them are two."""
    found = [str(fault) for fault in python.errors(text)]

    assert len(found) == len(messages)
    for message, beginning in zip(found, messages, strict=True):
        assert message.startswith(beginning)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (DOCUMENTED.format(".", '."""'), ['line 5, column 9: `"""` is never closed']),
        (DOCUMENTED.format("\n\n        and more, don't.", '."""'), ['line 5, column 9: `"""` is never closed']),
        (DOCUMENTED.format('."""', "."), ['line 13, column 9: `"""` is never closed']),
        (
            DOCUMENTED.format('."""', ".") + "\n\ny = = 1\n",
            [
                'line 13, column 9: `"""` is never closed',
                "line 17, column 5: `=` does not fit here; expected an expression",
            ],
        ),
        ("x = 1\ny = 'abc\nz = 2\n", ["line 2, column 5: `'` is not closed on this line"]),
    ],
)
def test_a_string(python: Language, text: str, messages: list[str]) -> None:
    """Lost quotes are reported where the string opens, also if the quotes of the next string close it."""
    assert [str(fault) for fault in python.errors(text)] == messages


def test_any_one_sign_of_a_file(python: Language) -> None:
    """Of every fourth bracket and quotes of a file, each that is lost or written twice makes one message."""
    text = EXAMPLE.read_text(encoding="utf-8")
    offsets = [0]
    for line in text.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    places = [(token.start, 1) for token in tokens if token.string in tuple("()[]{}")]
    places += [((token.end[0], token.end[1] - 3), 3) for token in tokens if token.string.endswith('"""')]
    several = []
    for (row, column), length in places[::4]:
        offset = offsets[row - 1] + column
        for broken in (
            text[:offset] + text[offset + length :],
            text[:offset] + text[offset : offset + length] + text[offset:],
        ):
            faults = python.errors(broken)
            if len(faults) > 1:
                several.append((row, column, [str(fault) for fault in faults]))
    assert several == []
