"""`dovetail check --format`: programs are told what people are told."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.commands.check_command import said

if TYPE_CHECKING:
    from pathlib import Path

WRONG = {
    "block.py": ("\ufeffx = 1\nif x:\npass\n", ["pass"]),
    "else.py": ("x = 1\nelse:\n    pass\n", ["else"]),
    "equals.py": ("if x = 1:\n    pass\n", ["="]),
    "form.py": ("form os import path\n", ["form"]),
    "open.py": ("x = (1\n\ndef f():\n    return 1 +\n", ["(", ""]),
    "list.json": ("[1, 2\n", ["["]),
    "twice.js": ("if if (a) {\n}\n", ["if"]),
}
"""File → its text, and what is found at the place of each of its faults."""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    for name, (text, _) in WRONG.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "right.py").write_text("x = 1\n")
    return tmp_path


def in_json(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    """Return the JSON object of a check."""
    found: dict[str, Any] = json.loads(said(capsys, "--json", *arguments)[1])
    return found


def test_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The JSON object holds the place with its end, what was found and what was expected there."""
    code, out, err = said(capsys, "--json", folder / "block.py", folder / "right.py")

    assert (code, err) == (1, "")
    assert json.loads(out) == {
        "version": 1,
        "files": 2,
        "faults": [
            {
                "file": f"{folder}/block.py",
                "cell": None,
                "offset": 12,
                "line": 3,
                "column": 1,
                "end_offset": 16,
                "end_line": 3,
                "end_column": 5,
                "code": "syntax",
                "found": "pass",
                "expected": ["an indented block"],
                "message": "expected an indented block below line 2",
            }
        ],
        "unread": [],
    }


def test_all_forms_tell_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each form has the faults of the text, in its order, with the same places and messages."""
    _, text, _ = said(capsys, folder)
    told = re.findall(r"^(\S+?):(\d+):(\d+): (.*)$", text, re.MULTILINE)
    assert len(told) == sum(len(found) for _, found in WRONG.values())

    faults = in_json(capsys, folder)["faults"]
    assert [(f["file"], str(f["line"]), str(f["column"]), f["message"]) for f in faults] == told

    commands = said(capsys, "--format", "github", folder)[1].splitlines()
    places = [re.fullmatch(r"::error file=(.*?),line=(\d+),col=(\d+)(?:,.*?)?::(.*)", line) for line in commands]
    assert [place and place.groups() for place in places] == told

    (run,) = json.loads(said(capsys, "--format", "sarif", folder)[1])["runs"]
    located = [(result["locations"][0]["physicalLocation"], result["message"]["text"]) for result in run["results"]]
    assert [
        (at["artifactLocation"]["uri"], str(at["region"]["startLine"]), str(at["region"]["startColumn"]), message)
        for at, message in located
    ] == told
    assert {result["ruleId"] for result in run["results"]} == {run["tool"]["driver"]["rules"][0]["id"]} == {"syntax"}
    assert "invocations" not in run
    ends = [(at["region"]["endLine"], at["region"]["endColumn"]) for at, _ in located]
    assert ends == [(fault["end_line"], fault["end_column"]) for fault in faults]


@pytest.mark.parametrize("name", WRONG)
def test_what_is_found_and_expected_is_what_the_message_says(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """The lexeme that is found stands between the place and its end, and all that the message expects is in a list."""
    text, found = WRONG[name]
    text = text.removeprefix("\ufeff")
    faults = in_json(capsys, folder / name)["faults"]

    assert [fault["found"] for fault in faults] == found
    for fault in faults:
        assert text[fault["offset"] : fault["end_offset"]] == fault["found"]
        _, comma, listed = fault["message"].partition("; expected ")
        if comma:
            assert fault["expected"] == re.split(r", | or ", listed)


def test_a_command_for_github_is_escaped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A character that stands for more in a workflow's command is written as its number."""
    path = tmp_path / "a,b.py"
    path.write_text("x = %%\n")

    code, out, _ = said(capsys, "--format", "github", path)

    place = f"file={str(path).replace(',', '%2C')},line=1,col=5,endColumn=6,title=dovetail"
    assert code == 1
    assert out == f"::error {place}::`%25` does not fit here; expected an expression\n"


def test_what_cannot_be_read_is_in_every_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A path that is not there, and a file that is no text, are told beside the faults, with exit code 2."""
    (tmp_path / "latin.py").write_bytes(b"x = '\xe9'\n")
    paths = [tmp_path / "none.py", tmp_path / "latin.py"]
    sentences = [
        f"{tmp_path}/none.py: there is no such file or folder.",
        f"{tmp_path}/latin.py: the file is not UTF-8: byte 5 is 0xe9; save it as UTF-8.",
    ]

    for form in ("json", "github", "sarif"):
        code, out, err = said(capsys, "--format", form, *paths)
        assert (code, err.splitlines()) == (2, sentences)
        if form == "json":
            assert json.loads(out) == {"version": 1, "files": 0, "faults": [], "unread": sentences}
        elif form == "github":
            assert out.splitlines() == [f"::error title=dovetail::{sentence}" for sentence in sentences]
        else:
            (invocation,) = json.loads(out)["runs"][0]["invocations"]
            assert invocation["executionSuccessful"] is False
            assert [note["message"]["text"] for note in invocation["toolExecutionNotifications"]] == sentences
