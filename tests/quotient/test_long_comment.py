"""The comment over several lines that is found in the tables of a language."""

from __future__ import annotations

import pytest
from tests.languages import shared_language


@pytest.mark.parametrize(
    ("name", "comment"),
    [
        ("go", ("/*", "*/")),
        ("javascript", ("/*", "*/")),
        ("json", None),
        ("jsonc", ("/*", "*/")),
        ("lua", ("--[[", "]]")),
        ("python", None),
        ("typescriptreact", ("/*", "*/")),
    ],
)
def test_the_signs_of_the_comment(name: str, comment: tuple[str, str] | None) -> None:
    """They are found, though a string or a text of a template may go over several lines, too."""
    assert shared_language(name).machine.long_comment == comment
