"""`dovetail check --target`: the version in which the files of each language are read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.commands.check_command import said

from dovetail.__main__ import main
from dovetail.grammar.library import languages

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """Return a folder with a file of a language with versions, and one of a language without."""
    (tmp_path / "data.json").write_text("[]")
    (tmp_path / "right.py").write_text("x = 1\n")
    return tmp_path


def test_the_version(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A form that is newer than the target does not fit."""
    path = folder / "match.py"
    path.write_bytes(b"match x:\n    case 1: pass\n")

    assert said(capsys, "--target", "3.10", path)[0] == 0
    assert said(capsys, "--target", "3.9", path)[0] == 1


def test_versions_of_several_languages(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A version is meant for the one language here that has it, or for the one that is named with it."""
    (folder / "match.py").write_bytes(b"match x:\n    case 1: pass\n")
    (folder / "shift.lua").write_bytes(b"return 1 >> 2\n")
    paths = [folder / name for name in ("data.json", "match.py", "shift.lua")]

    assert said(capsys, *paths, "--target", "3.9")[1].endswith("1 of 3 files does not fit.\n")
    assert said(capsys, *paths, "--target", "5.1")[1].endswith("1 of 3 files does not fit.\n")
    assert said(capsys, *paths, "--target", "python=3.9", "--target=lua=5.2")[1].endswith("2 of 3 files do not fit.\n")
    assert said(capsys, *paths, "--target", "go=1.21", "--target", "3.10") == (0, "3 files fit.\n", "")


def test_a_version_that_two_languages_have(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A version that several languages here have wants the language with it."""
    facts = languages()
    other = replace(facts["json"], versions=("3.9",))
    monkeypatch.setattr("dovetail.commands.targets.languages", lambda: {**facts, "json": other})

    code, _, err = said(capsys, folder, "--target", "3.9")

    assert code == 2
    assert err == (
        "--target 3.9: several languages have such a version: write --target json=3.9 or --target python=3.9.\n"
    )


def test_a_language_without_a_version(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A language is no version; the sentence has one of its versions."""
    newest = languages()["python"].versions[-1]

    code, _, err = said(capsys, folder, "--target", "python")

    assert (code, err) == (2, f"--target python: say which version, as in --target python={newest}.\n")


def test_the_newest_version_is_the_default(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Syntax that is newer than the Python that runs here fits, as in the editors; an older target refuses it."""
    file = tmp_path / "new.py"
    file.write_text("type X = int\nx = t'{X}'\n")

    assert main(["check", str(file)]) == 0
    assert main(["check", "--target", "3.11", str(file)]) == 1
    capsys.readouterr()
