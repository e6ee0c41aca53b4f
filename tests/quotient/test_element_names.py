"""The names of elements around a cursor, compared with a reader that knows tags alone."""

from __future__ import annotations

import re
from functools import cache
from itertools import product

import pytest

import dovetail
from dovetail.decoding.named_elements import NamedState, name_elements

LEFT = "function A(b) {\n  const c = b < 1 && b > 2;\n  return (\n    <div title='<p>'>\n      <ul>\n        "
RIGHT = "\n      </ul>\n    </div>\n  );\n}\n"
TAG = re.compile(r"<(/?)([\w.]*)>")


@cache
def state(left: str, right: str, language: str = "javascriptreact") -> NamedState:
    read = dovetail.load_language(language)
    found = name_elements(read.quotient(left, right), left)
    assert isinstance(found, NamedState)
    return found


def is_well_named(text: str) -> bool:
    """Return whether all elements of a text without attributes end by their own names."""
    open_ones: list[str] = []
    for closes, name in TAG.findall(text):
        if not closes:
            open_ones.append(name)
        elif not open_ones or open_ones.pop() != name:
            return False
    return not open_ones


@pytest.mark.parametrize("right", ["</ul></div>", "</div>", "", "</ul><b></b></div>"])
def test_all_small_middles_fit_that_are_well_named(right: str) -> None:
    """Of the middles that the engine accepts exactly those are left whose elements all end by their names."""
    left = "a = <div><ul>"
    start = state(left, right)

    for parts in product(["<b>", "</b>", "</ul>", "</div>", "<ul>", "<>", "</>", "x"], repeat=3):
        middle = "".join(parts)
        wanted = start.plain.accepts(middle) and is_well_named(left + middle + right)
        assert start.accepts(middle) == wanted, middle


def test_closings_have_the_names_that_they_need() -> None:
    """Wherever a middle fits, its closing makes a program of well-named elements, if any text does."""
    left, right = "a = <div><ul>", "</div>"
    start = state(left, right)

    for parts in product(["<b>", "</b", "</", ">", "</ul>", "<ul>", "<A.B>", "x", "{b}", "<"], repeat=3):
        middle = "".join(parts)
        there = start.advance(middle)
        closing = None if there is None else there.closing()
        if closing is not None:
            whole = left + middle + closing + right
            assert start.accepts(middle + closing), middle
            # A comment may hide the end of the text, or stand before a name, where this reader looks for none.
            assert is_well_named(whole) or "//" in closing or "<!--" in whole, whole


@pytest.mark.parametrize(
    ("middle", "due"),
    [("<li>a</", b"li>"), ("<li>a</l", b"i>"), ("<li>a</li", b">"), ("</", b"ul>"), ("<>a</", b">"), ("<li>a", b"")],
)
def test_the_rest_of_an_end_is_due(middle: str, due: bytes) -> None:
    """Within the end of an element, whatever stands in attributes and comparisons, the rest of it is known."""
    there = state(LEFT, RIGHT).advance(middle)

    assert there is not None
    assert there.due == due


def test_an_end_with_another_name_is_refused_at_its_first_character() -> None:
    """No text goes on with a wrong name, with blanks before a name, or with more than it."""
    start = state(LEFT, RIGHT)

    assert [start.advance(f"<li>a</{text}") is not None for text in ("l", "u", " ", "li ", "lix", "li>")] == [
        True, False, False, False, False, True,
    ]  # fmt: skip


def test_the_name_of_a_beginning_is_read_across_the_cursor() -> None:
    """The cursor may stand in either name of an element."""
    assert state("a = <di", "").accepts("v>x</div>")
    assert not state("a = <di", "").accepts("v>x</di>")
    assert state("a = <div>x</d", "").closing() == "iv>"
    assert state("a = <div>x</", ">").closing() == "div"


def test_type_arguments_are_no_elements() -> None:
    """Types between angle brackets name nothing."""
    left = "const [a] = useState<string>(b);\nconst c = <List<Item> of={a}>"

    assert state(left, "", "typescriptreact").accepts("x</List>")
    assert not state(left, "", "typescriptreact").accepts("x</Item>")


def test_an_element_that_was_named_wrongly_before_is_left_alone() -> None:
    """While a user renames an element, what is written inside of it fits nevertheless."""
    start = state("a = <main><p>", "</p></section>")

    assert start.accepts("x")
    assert start.accepts("<b>x</b>")
    assert not start.accepts("</p><b></b><p>")


def test_a_language_without_elements_has_the_states_of_its_quotient() -> None:
    """Nothing is asked twice there."""
    quotient = dovetail.load_language("javascript").quotient("a = ", "\n")

    assert name_elements(quotient, "a = ") is quotient.start
