"""Windows of Python, as clients cut them: what is read of their beginning, and how far a closing is looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dovetail.closing.search import Closer
from dovetail.lexing.indentation import exactly

if TYPE_CHECKING:
    from dovetail import Language

DOCSTRING = '    and returns the rest.\n    """\n    x = (1\n'


@pytest.mark.parametrize(
    ("left", "middle", "follows"),
    [
        (DOCSTRING, "        )", True),
        (DOCSTRING, "        ]", False),  # the rest of any text may stand in a long string; the window ends that one
        (DOCSTRING + '    )\n    """A text of', " any [kind", True),
        ("and no sign of code: here (", " [", True),  # only a string holds this
        ("    and the 'end' of (\n    '''\n", "    y = [", True),
    ],
)
def test_a_window_that_begins_in_a_docstring(left: str, middle: str, follows: bool, python: Language) -> None:
    """A window whose text ends the string that it begins in is code after that, and code has to fit."""
    state = python.quotient(left, "\n", window="likely").start

    assert (state.advance(middle) is not None) is follows


def test_a_closing_may_end_the_block_that_a_window_begins_in(python: Language) -> None:
    """A closing is found where plans end blocks of which only the rest is in the window."""
    left, right = "            count = node.count\n", "                node.count -= 1\n"
    for column in (93, 94):
        quotient = python.quotient(left, right, window="likely")
        # Any block that is not known is the last one that the lexer has met, once it has met those of the closing.
        python.machine.lexer.blocks.anywhere(exactly((column, column)))
        closing = quotient.start.closing()

        assert closing is not None
        assert quotient.start.accepts(closing)


def test_the_search_for_a_closing_is_bounded(python: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    """A window that ends in a string can be closed in ever more ways; only some of them are looked at."""
    looked = 0
    ends_at = Closer._ends_at

    def counted(closer: Closer, *given: object) -> object:
        nonlocal looked
        looked += 1
        return ends_at(closer, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Closer, "_ends_at", counted)
    left = '    def read(self, size=-1):\n        """Read at most size bytes.\n        """\n\n'
    right = '\n            raise ValueError("closed")\n        return 1\n\n    def skip(self):\n        """Skip.\n'
    closing = python.quotient(left, right, window="likely").start.closing()

    assert closing is not None
    assert looked < 5_000
