"""Placeholders: texts that are found in the tables of a language."""

from __future__ import annotations

import pytest
from tests.languages import shared_language

from dovetail.recovery.placeholders import Placeholders


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
def test_the_comment_over_several_lines(name: str, comment: tuple[str, str] | None) -> None:
    """The signs of such a comment, though a string or a text of a template may go over several lines, too."""
    assert Placeholders(shared_language(name).machine).comment == comment
