"""`pyproject.toml` for `dovetail check`: what is excluded, and the versions that files are read in."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from tests.commands.check_command import said

from dovetail.commands.project_file import lowest_version

if TYPE_CHECKING:
    from pathlib import Path

VERSIONS = ("3.8", "3.9", "3.10", "3.11")


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """Return a folder with a program of Python 3.10 at two places."""
    for place in (tmp_path / "match.py", tmp_path / "made" / "match.py"):
        place.parent.mkdir(exist_ok=True)
        place.write_text("match x:\n    case 1: pass\n")
    return tmp_path


@pytest.mark.parametrize(
    ("specifier", "version"),
    [
        (">=3.9", "3.9"),
        (">= 3.9.2, < 4", "3.9"),
        ("~=3.9", "3.9"),
        ("~=3.10.1", "3.10"),
        ("==3.10.*", "3.10"),
        (">3.9,!=3.9.*", "3.10"),
        (">=3.9,!=3.9.0", "3.9"),
        (">=3.6", "3.8"),
        (">=3", "3.8"),
        ("<3.11,>=3.8", "3.8"),
        (">=3.12", None),
        ("<4", None),
        ("", None),
        ("any", None),
    ],
)
def test_the_lowest_version(specifier: str, version: str | None) -> None:
    """The oldest version that a project supports is known where its specifier names an oldest one."""
    assert lowest_version(VERSIONS, specifier) == version


def test_the_supported_versions_are_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`requires-python` of the nearest file holds for its folder, and the report says so; `--target` goes before it."""
    (folder / "made" / "pyproject.toml").write_text("[project]\nrequires-python = '>=3.9'\n")

    code, out, err = said(capsys, folder)

    assert (code, err) == (1, "")
    assert f"{folder}/made/match.py:1:7: " in out
    assert f"{folder}/match.py:" not in out
    assert out.splitlines()[-2:] == [
        "1 of 2 files does not fit.",
        f"Python is read as 3.9, as {folder}/made/pyproject.toml asks; --target python=VERSION takes another.",
    ]
    assert said(capsys, folder, "--target", "3.10") == (0, "2 files fit.\n", "")
    (folder / "made" / "match.py").write_text("x = (\n")
    assert said(capsys, folder)[1].endswith("1 of 2 files does not fit.\n")


def test_the_table_of_dovetail(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`exclude` is meant from the file's folder on, wherever the command runs; `target` comes before requirements."""
    (folder / "pyproject.toml").write_text(
        "[project]\nrequires-python = '>=3.9'\n[tool.dovetail]\nexclude = ['/made/']\ntarget = {python = '3.10'}\n"
    )
    monkeypatch.chdir(folder / "made")

    assert said(capsys, "..") == (0, "1 file fits.\n", "")
    assert said(capsys, folder) == (0, "1 file fits.\n", "")
    assert said(capsys, ".")[2] == (f".: `exclude` in {folder}/pyproject.toml leaves out the only file here.\n")
    assert said(capsys, "match.py") == (0, "1 file fits.\n", "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[tool.dovetail]\nexclud = []",
            "[tool.dovetail] has a key `exclud`, which is unknown; known are ",
        ),
        ("[tool.dovetail]\nexclude = 'made'", '`exclude` has to be a list of patterns like ["generated/"].'),
        ("[tool.dovetail]\nexclude = ['!']", "`exclude`: "),
        ("[tool.dovetail]\ntarget = '3.9'", "`target` has to be a table of languages and versions."),
        ("[tool.dovetail]\ntarget = {json = '1'}", "`target` names `json`, which has no versions; known are go, "),
        ("[tool.dovetail]\ntarget = {python = 3.9}", "there is no version 3.9 of Python; known are 3.8, "),
        ("[tool]\ndovetail = 1", "[tool.dovetail] has to be a table with `exclude` and `target`."),
        ("[tool", "it cannot be read: "),
    ],
)
def test_a_mistake_in_it_is_a_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    """A project file that cannot be used is named with what is wrong in it."""
    (folder / "pyproject.toml").write_text(text)

    code, out, err = said(capsys, folder)

    assert (code, out) == (2, "")
    assert err.startswith(f"{folder}/pyproject.toml: ")
    assert message in err
    assert err.count("\n") == 1


def test_a_closed_folder_above_holds_no_project_file(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A project file that the user may not look at is no reason to stop."""
    examine = os.stat

    def refusing(path: Any, **options: Any) -> os.stat_result:
        if str(path) == str(folder / "pyproject.toml"):
            raise PermissionError(13, "Permission denied", str(path))
        return examine(path, **options)

    monkeypatch.setattr(os, "stat", refusing)

    assert said(capsys, folder / "made") == (0, "1 file fits.\n", "")


def test_a_broken_file_below_names_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A broken project file inside of a folder, such as one for a test, keeps nothing from being checked."""
    (folder / "made" / "pyproject.toml").write_text("[tool")

    assert said(capsys, folder) == (0, "2 files fit.\n", "")
