"""The first words of docstrings."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest
from tests.documents.generated import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FOLDERS = [ROOT / "server" / "dovetail", *sorted(path for path in (ROOT / "tests").iterdir() if path.is_dir())]

_QUESTION = re.compile(r"((What|Where|Which|Who|When)(ever)?|Whether|Whose|How|Why)\b")


def strings_by_themselves(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and value of each string that is a statement: the docstrings, those of attributes among them."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_a_docstring_begins_with_a_noun_or_a_verb(folder: Path) -> None:
    """No docstring begins with a question word; the programs that are completed are others' and may."""
    begun = [
        f"{path.relative_to(ROOT)}:{line}: begin with a noun or a verb, not with “{found[0]}”"
        for path in sorted(folder.rglob("*.py"))
        if not {"examples", "cases", "seeds"}.intersection(path.parts)
        for line, text in strings_by_themselves(path.read_text("utf-8"))
        if (found := _QUESTION.match(text)) is not None
    ]

    assert begun == []


def test_all_docstrings_are_seen() -> None:
    """Docstrings of modules, functions and attributes are seen, and no other string."""
    text = '"""One."""\nx = "no"\n"""Two."""\ndef f():\n    """Three."""\n    return "no"\n'

    assert sorted(strings_by_themselves(text)) == [(1, "One."), (3, "Two."), (5, "Three.")]
