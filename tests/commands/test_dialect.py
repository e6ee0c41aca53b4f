"""The language and the version that a command reads a file in."""

from __future__ import annotations

import io
import json
import os
from threading import Timer
from typing import TYPE_CHECKING

import pytest

from dovetail.__main__ import main
from dovetail.commands import dialect
from dovetail.commands.targets import target_at

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("path", "target", "version"),
    [
        ("tsconfig.json", None, "trailing"),
        ("tsconfig.json", "comments", "comments"),
        (".eslintrc.json", None, "comments"),
        ("a.jsonc", None, None),
        ("a.py", "3.9", "3.9"),
        ("a.py", "python=3.9", "3.9"),
        ("a.py", None, "3.10"),
        ("a.json", "3.9", None),
    ],
)
def test_a_version_asked_for_goes_before_that_of_the_name_and_of_the_project(
    tmp_path: Path, path: str, target: str | None, version: str | None
) -> None:
    """The one file of a command is read as `dovetail check` reads it."""
    (tmp_path / "pyproject.toml").write_text("[tool.dovetail]\ntarget = {python = '3.10'}\n")

    assert target_at(tmp_path / path, target).target == version


@pytest.mark.parametrize("command", ["complete", "explain"])
def test_the_project_file_names_the_version_of_a_place(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`requires-python` holds at one place too, and the last line says so as that of `check` does."""
    (tmp_path / "pyproject.toml").write_text("[project]\nrequires-python = '>=3.9'\n")
    (tmp_path / "a.py").write_text("match x:\n    case 1:\n        pass\n")
    reading = f"Python is read as 3.9, as {tmp_path}/pyproject.toml asks; --target python=VERSION takes another.\n"
    main(["check", str(tmp_path)])
    assert capsys.readouterr().out.endswith(reading)

    main([command, f"{tmp_path}/a.py:3:9"])
    assert capsys.readouterr().out.endswith(reading)
    main([command, f"{tmp_path}/a.py:3:9", "--target", "3.10"])
    assert reading not in capsys.readouterr().out


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


def test_it_is_told_that_a_language_is_prepared(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The tables of a language take seconds the first time; programs read the output, which holds nothing of it."""

    class Elapsed(Timer):
        """A timer whose time is up when it starts."""

        def start(self) -> None:
            self.interval = 0
            super().start()
            self.join()

    monkeypatch.setattr("dovetail.commands.dialect.Timer", Elapsed)
    dialect.load_newest.cache_clear()

    assert dialect.load_newest("jsonc", None).accepts("{}")

    assert capsys.readouterr() == ("", "Preparing JSON with Comments, once …\n")


_SCRIPT = b"#!/usr/bin/env python3\nx = (1 2)\n"


def test_a_named_script_is_read_in_the_language_of_its_first_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`check`, `complete` and `explain` take it as if its name told the language, from standard input too."""
    script = tmp_path / "deploy"
    script.write_bytes(_SCRIPT)
    place = f"{script}:2:8"

    assert main(["check", str(script)]) == 1
    assert f"{script}:2:8: " in capsys.readouterr().out
    assert main(["explain", place, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["language"] == "python"
    assert main(["complete", place, "--json"]) in (0, 1)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(_SCRIPT)))
    assert main(["check", "-", "--stdin-filename", "deploy"]) == 1
    assert "deploy:2:8: " in capsys.readouterr().out


def test_the_version_of_a_script_is_that_of_its_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It goes before the project's, and a version that is asked for goes before both."""
    (tmp_path / "pyproject.toml").write_text("[tool.dovetail]\ntarget = {python = '3.10'}\n")
    text = "#!/usr/bin/python3.8\nmatch x:\n    case 1:\n        pass\n"
    (tmp_path / "old").write_text(text)

    assert target_at(tmp_path / "old", None, text).target == "3.8"
    assert target_at(tmp_path / "old", "3.12", text).target == "3.12"
    assert target_at(tmp_path / "old", None, text.replace("3.8", "3")).target == "3.10"
    assert main(["check", str(tmp_path / "old")]) == 1
    assert main(["check", str(tmp_path / "old"), "--target", "3.12"]) == 0
    capsys.readouterr()


def test_files_of_a_folder_are_found_by_their_names_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No file is opened to find out what it is; what is named is."""
    (tmp_path / "deploy").write_bytes(_SCRIPT)
    (tmp_path / "a.py").write_bytes(b"x = 1\n")

    assert main(["check", str(tmp_path)]) == 0
    assert main(["check", str(tmp_path), str(tmp_path / "deploy")]) == 1
    capsys.readouterr()


def test_a_script_names_its_encoding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The language that the first line tells says how."""
    (tmp_path / "deploy").write_bytes(b"#!/usr/bin/python3\n# coding: latin-1\nx = '\xe9'\n")

    assert main(["check", str(tmp_path / "deploy")]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_what_is_in_a_pipe_is_not_read_for_its_first_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A pipe of no known name is a mistake at once, and nobody waits for a writer."""
    os.mkfifo(tmp_path / "pipe")

    assert main(["check", str(tmp_path / "pipe")]) == 2
    assert "no language is known for this file name" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["complete", "explain"])
def test_a_notebook_is_one_plain_sentence(tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It says what reads notebooks."""
    book = tmp_path / "study.ipynb"
    book.write_text('{"cells": []}\n')

    assert main([command, f"{book}:1:1"]) == 2
    sentence = f"{book}: only `dovetail check`, and editors, read notebooks; name a file of code.\n"
    assert capsys.readouterr().err == sentence
