"""The quote or bracket behind the cursor is the end of what the cursor stands in."""

from __future__ import annotations

import pytest
from tests.languages import shared_language

from dovetail.decoding.left_closer import leaves_bracket, leaves_quote, moves_bracket

_ATTRIBUTE = "a = (\n  <div>\n    <p className="
_BELOW = "\n  </div>\n);\n"
_LIST = "a = (\n  <ul>\n    {b.map((c) => <li>"


@pytest.mark.parametrize(
    ("name", "left", "right", "middle", "leaves"),
    [
        ("javascriptreact", _ATTRIBUTE + '"', '"' + _BELOW, 'a">b</p>', True),
        ("typescriptreact", _ATTRIBUTE + "'", "'" + _BELOW, "a' />", True),
        ("javascriptreact", _ATTRIBUTE + '"', '" />' + _BELOW, "a", False),
        ("javascriptreact", _ATTRIBUTE + '"', '" />' + _BELOW, 'a" title="b', False),
        ("javascript", 'a = ["b', '"]\n', 'c", "d', False),
        ("python", "a = ['b", "']\n", "c', 'd", False),
        ("python", "a = f", '"b"\n', '"c" + ', False),
    ],
)
def test_a_text_that_ends_the_string_leaves_the_quote(
    name: str, left: str, right: str, middle: str, leaves: bool
) -> None:
    """It is a program all the same, where the quote is text of an element; a text may begin another string."""
    quotient = shared_language(name).quotient(left, right)

    assert quotient.start.accepts(middle)
    assert leaves_quote(middle, right, quotient.start) == leaves


@pytest.mark.parametrize(
    ("name", "left", "right", "middle", "leaves"),
    [
        ("javascriptreact", _LIST, ")\n  <p />\n  </ul>\n);\n", "{c}</li>)}", True),
        ("typescriptreact", _LIST, ")}\n  </ul>\n);\n", "{c}</li>", False),
        ("typescriptreact", _LIST, ")}\n  </ul>\n);\n", "{c}</li>)}{d.map((e) => e", False),
        ("javascript", "f(g(", ")\n", "a)", False),
        ("python", "f(", ")\n", "a) + g(b", False),
        ("go", "package a\n\nvar b = f(g(", ")\n", "1)", False),
    ],
)
def test_a_text_that_closes_all_brackets_leaves_the_one_behind_it(
    name: str, left: str, right: str, middle: str, leaves: bool
) -> None:
    """It is a program all the same, where the bracket is text of an element; one that closes another bracket fits."""
    quotient = shared_language(name).quotient(left, right)

    assert quotient.start.accepts(middle)
    assert leaves_bracket(middle, right, quotient.start) == leaves


@pytest.mark.parametrize(
    ("name", "left", "right", "middle", "moves"),
    [
        ("python", "f(", ")\n", "a) + g(b", True),
        ("python", "f(", ")\n", "a, g(b)", False),
        ("python", "f(g(", ")\n", "a), b", False),
        ("python", "f(g(", "))\n", "a), h(b", True),
        ("python", "f([", " ])\n", "a], [b", True),
        ("python", "f('", "')\n", "a') + g('b", False),
        ("typescript", "const f = (a: A", ")\n", ") => a.b(c", True),
        ("typescript", "b.map((a: A", "))\n", " | B) => a.c, (d", True),
        ("typescript", "const f = (a: A", ")\n", ") => { a; }; g(", True),
        ("javascript", "a = `${b", "}`\n", "} ${c", True),
        ("go", "package a\n\nfunc b() {\n\tc(", ")\n}\n", "d); e(f", True),
    ],
)
def test_a_text_opens_no_bracket_for_the_sign_behind_the_cursor(
    name: str, left: str, right: str, middle: str, moves: bool
) -> None:
    """The sign closes what the cursor stands in, and a text may close what else is open there."""
    quotient = shared_language(name).quotient(left, right)

    assert quotient.start.accepts(middle)
    assert moves_bracket(middle, right, quotient.start) == moves
