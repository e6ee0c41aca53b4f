"""The table of faults names the tests that there are."""

from __future__ import annotations

import ast
import re
from pathlib import Path

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]

FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


def names_below(folder: Path) -> set[str]:
    """Return the names of all tests below a folder."""
    return {
        node.name
        for path in folder.rglob("test_*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, FUNCTION) and node.name.startswith("test_")
    }


def named(page: Path) -> set[str]:
    """Return the tests that a page names."""
    return set(re.findall(r"`(test_\w+)`", page.read_text("utf-8")))


def test_every_test_that_a_page_names_exists() -> None:
    """The table of faults and the page on security name no test that is not there."""
    there = names_below(ROOT / "tests")

    for page in (FOLDER / "README.md", ROOT / "SECURITY.md"):
        assert named(page)
        assert named(page) - there == set(), page.name


def test_every_test_of_a_fault_is_in_the_table() -> None:
    """A test that is added to this folder has its line in the table."""
    own = names_below(FOLDER) - names_in(Path(__file__))

    assert own - named(FOLDER / "README.md") == set()


def names_in(path: Path) -> set[str]:
    """Return the names of the tests of one file."""
    return {node.name for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, FUNCTION)}
