"""Each repair by one example: the lines above, the line that does not fit, and what is read in their place."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.recovery.lines import first_misfit, reader_at_start

from dovetail.recovery import repairs
from dovetail.recovery.limits import PATIENCE
from dovetail.recovery.repairs import REPAIRS, find_fix
from dovetail.recovery.skipped_lines import open_block

if TYPE_CHECKING:
    from dovetail import Language
    from dovetail.recovery.repairs import Repair

CASES = Path(__file__).resolve().parents[1] / "cases" / "broken"

ABOVE: dict[Repair, tuple[str, str]] = {
    repairs.skip_line_in_bracket: ("x = [\n    1,\n    2 3,\n", "x = [\n    1,\n"),
    repairs.skip_unfinished_line: ("y = 1 +\nz\n", "z\n"),
    repairs.insert_header: ("x = 1\n    y = 2\n", "x = 1\nif _:\n    y = 2\n"),
    repairs.skip_lines_before: ("x = 0\ntry:\n    y\nz = 1\n", "x = 0\nz = 1\n"),
    repairs.skip_line: ("x = 1\ny = )\n", "x = 1\n"),
}
"""Repair → a text whose last line does not fit, and the text that is read instead."""


def repaired(language: Language, text: str, *, is_cursor_line: bool = False) -> str:
    """Return a text as it is read, each line that does not fit repaired."""
    left = reader_at_start(language)
    ends = [match.end() for match in re.finditer(r".*\n|.+$", text)]
    for end in ends:
        assert left.recover(text, end, to_cursor=is_cursor_line and end == len(text))
    for start, end, instead, _ in reversed(left.checkpoints[-1].left_out):
        text = text[:start] + instead + text[end:]
    return text


@pytest.mark.parametrize("repair", ABOVE, ids=lambda repair: repair.__name__)
def test_a_repair_is_the_first_that_applies(python: Language, repair: Repair) -> None:
    """A repair finds a fix for its own kind of mistake, and no repair before it in the order does."""
    text, kept = ABOVE[repair]
    _, misfit = first_misfit(python, text)
    before = REPAIRS[: REPAIRS.index(repair)]

    assert [earlier(misfit) for earlier in before] == [None] * len(before)
    assert find_fix(misfit) == repair(misfit) is not None
    assert repaired(python, text) == kept


def test_a_skipped_line_becomes_the_header_of_the_block_below_it(python: Language) -> None:
    """A line is skipped at first; the line below, which is deeper, shows that it was a header."""
    assert repaired(python, "def ) f:\n    a = 1\n") == "if _:\n    a = 1\n"


def test_skipped_lines_become_headers_although_the_line_below_fits(python: Language) -> None:
    """The first line of a block may stand anywhere, so what shows the headers that were skipped is their columns."""
    assert repaired(python, "class A:\n  def )\n    if )\n      a\n  b\n") == (
        "class A:\n  if _:\n    if _:\n      a\n  b\n"
    )
    assert repaired(python, "if a:\n    b\n  = c\n    d\n") == "if a:\n    b\n    d\n"
    assert repaired(python, "if a:\n) b\n    # c\n    d\n") == "if a:\n    # c\n    d\n"


def test_the_blanks_before_the_cursor_are_a_line_of_a_block(python: Language) -> None:
    """A line of blanks is below a skipped header if the cursor is at its end, as what is typed there will be."""
    assert repaired(python, "def f():\n  if )\n    ", is_cursor_line=True) == "def f():\n  if _:\n    "
    assert repaired(python, "def f():\n  if )\n  ", is_cursor_line=True) == "def f():\n  "


def test_a_skipped_line_that_was_a_block_leaves_a_placeholder(python: Language) -> None:
    """A line is skipped at first; the line below, which is not deeper, shows that it was the whole block."""
    assert repaired(python, "def f():\n    a = )\nb = 1\n") == "def f():\n    0\nb = 1\n"
    assert repaired(python, "def f():\n    a = )\n    b = 1\n") == "def f():\n    b = 1\n"
    assert repaired(python, "def f():\n    a = )\nb = )\n    c\n") == "def f():\n    0\nif _:\n    c\n"


def test_a_line_goes_as_a_whole_if_its_brackets_are_closed(python: Language) -> None:
    """The end of a call whose first line does not fit goes with it; code below a bracket that is not closed stays."""
    assert repaired(python, "x = 1\na b(\n    c,\n)\ny = 2\n") == "x = 1\ny = 2\n"
    assert repaired(python, "def f(\n    a: int,\n) = 3\n    b\n") == "if _:\n    b\n"
    assert repaired(python, "a b(\ny = 2\n)\nz = 3\n") == "y = 2\nz = 3\n"


def test_a_string_goes_as_a_whole_if_the_mistake_is_behind_it(python: Language) -> None:
    """The lines of a string tell prose, which goes with it, from code below a quote too many."""
    prose = 'x = 1\n"""\nA text\nin two lines.\n"""\'\ny = 2\n'
    code = 'x = 1\n"""\ny = 2\nz = 3\n"""A text.\n"""\n'

    assert repaired(python, prose) == "x = 1\ny = 2\n"
    assert repaired(python, code) == code.replace('1\n"""\n', "1\n")


def test_a_placeholder_is_no_header_for_decorators(python: Language) -> None:
    """Decorators await a definition, so they go where the definition is replaced."""
    assert repaired(python, "@d\n= f(x):\n    a = 1\n") == "if _:\n    a = 1\n"


def test_the_line_of_the_cursor_gets_the_bracket_that_it_lacks(python: Language) -> None:
    """Text before the cursor stays as it is, and a bracket is opened above it if nothing else helps."""
    line = '    "two": 2, "three": '

    assert repaired(python, f"x = 1\n{line}", is_cursor_line=True) == f"x = 1\n{{\n{line}"


def test_the_bracket_stands_in_the_column_of_the_line_below_a_header(python: Language) -> None:
    """Right below a header the bracket begins the block, so it stands where the cursor's line does."""
    line = '    "two": 2, "three": '

    assert repaired(python, f"def f():\n{line}", is_cursor_line=True) == f"def f():\n    {{\n{line}"


def test_the_line_of_the_cursor_is_not_skipped(python: Language) -> None:
    """No fix is there if nothing helps but to skip the cursor's line."""
    _, misfit = first_misfit(python, "x = 1\ny = )", is_cursor_line=True)

    assert find_fix(misfit) is None


@pytest.mark.parametrize("repair", ABOVE, ids=lambda repair: repair.__name__)
def test_a_repair_changes_nothing(python: Language, repair: Repair) -> None:
    """A repair is a function: the checkpoints are what they were, and asked again it answers the same."""
    left, misfit = first_misfit(python, ABOVE[repair][0])
    checkpoints = list(left.checkpoints)

    assert repair(misfit) == repair(misfit)
    assert checkpoints == left.checkpoints


def test_each_repair_names_its_cases() -> None:
    """The docstring of each repair names files of `tests/cases/broken`."""
    for repair in (*REPAIRS, open_block):
        named = re.findall(r"`([a-z_]+)`", (repair.__doc__ or "").partition("Case")[2])

        assert named, repair.__name__
        assert [name for name in named if not (CASES / f"{name}.txt").exists()] == []


def test_every_fix_has_a_bounded_cost(python: Language) -> None:
    """A text that is nothing of the language uses up the patience, line by line."""
    left = reader_at_start(python)
    text = "Once upon a time\n" * (PATIENCE + 1)
    ends = [match.end() for match in re.finditer("\n", text)]
    read = [left.recover(text, end, to_cursor=False) for end in ends]

    assert read == [True] * PATIENCE + [False]
