"""The language and the version that a command reads a file in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dovetail.__main__ import main
from dovetail.commands.dialect import name_dialect, version_for

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("path", "target", "name", "version"),
    [
        ("tsconfig.json", None, "jsonc", "trailing"),
        ("tsconfig.json", "comments", "jsonc", "comments"),
        ("tsconfig.json", "3.9", "jsonc", "trailing"),
        (".eslintrc.json", None, "jsonc", "comments"),
        ("a.jsonc", None, "jsonc", None),
        ("a.py", "3.9", "python", "3.9"),
    ],
)
def test_a_version_asked_for_goes_before_that_of_the_name(
    path: str, target: str | None, name: str, version: str | None
) -> None:
    """A file is read in the version that was asked for if its language has it, else in that of its name."""
    assert (name_dialect(path), version_for(path, target)) == (name, version)


@pytest.mark.parametrize(
    ("name", "fits"), [("tsconfig.json", True), (".eslintrc.json", False), ("package.json", False)]
)
def test_a_trailing_comma_fits_by_the_name_of_the_file(tmp_path: Path, name: str, fits: bool) -> None:
    """`dovetail check` accepts a trailing comma where readers of such a file do."""
    path = tmp_path / name
    path.write_text('{"a": [1,],}', encoding="utf-8")

    assert main(["check", str(path)]) == (0 if fits else 1)


@pytest.mark.parametrize(
    ("name", "closing"), [("tsconfig.json", "]"), (".eslintrc.json", "0]"), ("package.json", "0]")]
)
def test_what_is_explained_depends_on_the_name_of_the_file(
    tmp_path: Path, name: str, closing: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`dovetail explain` ends an array after a comma where readers of such a file do."""
    path = tmp_path / name
    path.write_text("[1,", encoding="utf-8")

    assert main(["explain", f"{path}:1:4"]) == 0
    assert f"makes it one: '{closing}'" in capsys.readouterr().out
