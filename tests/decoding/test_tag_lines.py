"""The lines of elements."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.decoding.tag_lines import indent_children, lay_out_tags

_LIST = "<div>\n  <ul>\n    "


@pytest.mark.parametrize(
    ("left", "text", "wanted"),
    [
        (_LIST, "<li>\n      a\n      </li>\n      </ul>\n</div>", "<li>\n      a\n    </li>\n  </ul>\n</div>"),
        (_LIST, "<li />\n      </ul>", "<li />\n  </ul>"),
        (_LIST, "<li a={() => 1}\n    />\n      </ul>", "<li a={() => 1}\n    />\n  </ul>"),
        (_LIST, "<li a={<b />} />\n      </ul>", "<li a={<b />} />\n  </ul>"),
        (_LIST, "{x && <>\n      a\n      </>}\n    </ul>", "{x && <>\n      a\n      </>}\n  </ul>"),
        ("<ul>\n\t<li", ">\n\t\ta\n\t\t</li>", ">\n\t\ta\n\t</li>"),
        ("f<T>(\r\n  <ul>\r\n", "    a\r\n    </ul>", "    a\r\n  </ul>"),
        ("", "    </ul>\n    </ul>", "    </ul>\n    </ul>"),
        ("<ul>\n  ", "a</ul>", "a\n</ul>"),
        ("<ul>\n  <li>", "a</li>", "a</li>"),
        ("a = <ul>\n  ", "a</ul>", "a</ul>"),
    ],
)
def test_closing_tags_stand_as_their_opening_ones(left: str, text: str, wanted: str) -> None:
    """Those that begin a line, or whose elements begin with a line; those of elements within a line stay."""
    assert lay_out_tags(left, text) == wanted


_TREES = st.recursive(
    st.sampled_from(["text", "<b/>", '<b c="d" e={f => <g />} />']),
    lambda inner: st.tuples(st.sampled_from(["ul", "li", "", "a.b"]), st.lists(inner, max_size=3)),
    max_leaves=8,
)


def written(tree: str | tuple[str, list[object]], depth: int, off: int) -> str:
    """Return a tree as lines, its closing tags `off` columns deeper than they should be."""
    blanks = "  " * depth
    if isinstance(tree, str):
        return f"{blanks}{tree}\n"
    name, children = tree
    inside = "".join(written(child, depth + 1, off) for child in children)  # type: ignore[arg-type]
    return f"{blanks}<{name}>\n{inside}{blanks}{' ' * off}</{name}>\n"


def first(text: str) -> str:
    """Return the first line of a text."""
    return text.partition("\n")[0]


@given(_TREES, st.integers(0, 3), st.data())
def test_a_tree_is_laid_out_wherever_it_is_cut(
    tree: str | tuple[str, list[object]], off: int, data: st.DataObject
) -> None:
    """Closing tags get the columns of their opening ones from all others; what stands before stays."""
    right, wrong = written(tree, 0, 0), written(tree, 0, off)
    # The line that the cursor is in begins before the text, so nothing of it is laid out.
    cuts = [place for place in range(len(right)) if wrong[:place] == right[:place] and "</" not in first(wrong[place:])]
    cut = data.draw(st.sampled_from(cuts))

    assert lay_out_tags(right[:cut], wrong[cut:]) == right[cut:]


@pytest.mark.parametrize(
    ("left", "text", "wanted"),
    [
        # Attributes, and the end of a tag of several lines.
        ("", "<a\n  b={c}\n>\nd\n</a>", "<a\n  b={c}\n>\n  d\n</a>"),
        ("", "<a\n  b={c}\n/>\n<d/>", "<a\n  b={c}\n/>\n<d/>"),
        # What an element holds of code, and the lines that are deeper than it.
        (
            "    <ul>\n      ",
            "{rows.map((row) => (\n    <li>\n      {row}\n    </li>\n  ))}",
            "{rows.map((row) => (\n      <li>\n        {row}\n      </li>\n      ))}",
        ),
        ("\t<ul>\n\t\t", "<li>\n\t\ta\n\t\t</li>", "<li>\n\t\t\ta\n\t\t</li>"),
        # A cursor's line that the editor has not indented, and one with a word.
        ("  <ul>\n", "<li>a</li>", "    <li>a</li>"),
        ("  <ul>\n    a", "\n  b", "\n    b"),
        # A first child that is too deep, with what is in it.
        (
            "  <ul>\n",
            "    <li>\n        <b>\n          a\n        </b>\n      </li>",
            "    <li>\n      <b>\n        a\n      </b>\n    </li>",
        ),
        # Not in a template, and not where no element is open.
        ("  <ul>\n    ", "<li>{`\na`}", "<li>{`\na`}"),
        ("<a></a>\n  ", "  b\nc", "  b\nc"),
        ("  <ul>\n    ", "", ""),
        # What ends a line for Python, and not for JavaScript.
        ("  <ul>\n    ", '<li a="b\x0cc"/>', '<li a="b\x0cc"/>'),
    ],
)
def test_lines_of_an_element_are_deeper_than_it(left: str, text: str, wanted: str) -> None:
    """By one level at least, with those that are deeper than them; blanks are those of the file."""
    unit = "\t" if left.startswith("\t") else "  "

    assert indent_children(left, text, unit, 4) == wanted


@given(_TREES, st.integers(0, 3))
def test_a_tree_without_columns_gets_them(tree: str | tuple[str, list[object]], depth: int) -> None:
    """All lines at one column become a tree, and a tree stays as it is."""
    right = written(tree, depth, 0)
    first_blanks = "  " * depth
    flat = "".join(f"{first_blanks}{line.lstrip()}" for line in right.splitlines(keepends=True))[2 * depth :]

    for text in (flat, right[2 * depth :]):
        assert lay_out_tags(first_blanks, indent_children(first_blanks, text, "  ", 4)) == right[2 * depth :]
