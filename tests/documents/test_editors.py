"""The set-ups of `EDITORS.md` name all languages that Dovetail ships."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dovetail.grammar.library import languages

_PAGE = Path(__file__).parents[2] / "EDITORS.md"
_NAMES = {
    "python": r"python|\*\.py\b",
    "javascript": r"javascript\b|\bjs-mode|source\.js\b|\*\.js\b",
    "javascriptreact": r"javascriptreact|\bjs-mode|source\.jsx|\*\.jsx|\"jsx\"",
    "typescript": r"typescript\b|typescript-ts-mode|source\.ts\b|\*\.ts\b",
    "typescriptreact": r"typescriptreact|tsx-ts-mode|source\.tsx|\*\.tsx|\"tsx\"",
    "go": r"\bgo\b|go-mode|source\.go|\*\.go",
    "lua": r"\blua\b|lua-mode|source\.lua|\*\.lua",
    "json": r"\bjson|\*\.json",
    "jsonc": r"\bjson|\*\.json",
}
"""Language → a pattern of its names in the settings of editors."""
_SECTIONS = {
    title: text
    for title, text in re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", _PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    if re.search(_NAMES["python"], text)
}


def test_each_language_has_names() -> None:
    """A language that is added has to be named in the set-ups too."""
    assert set(_NAMES) == set(languages())
    assert len(_SECTIONS) >= 6


@pytest.mark.parametrize("title", _SECTIONS)
def test_a_set_up_names_all_languages(title: str) -> None:
    """Somebody who copies the lines gets suggestions in each language."""
    assert [name for name, pattern in _NAMES.items() if not re.search(pattern, _SECTIONS[title])] == []
