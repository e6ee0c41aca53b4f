"""`dovetail check`: what it says of files, and with which exit code."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.commands.check_command import said

import dovetail
from dovetail.__main__ import main
from dovetail.commands.excerpt import excerpt

if TYPE_CHECKING:
    from collections.abc import Callable

SERVER = Path(dovetail.__file__).parent


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """Return a folder with two files that fit, one that does not, and much that is passed over."""
    (tmp_path / "inner" / ".hidden").mkdir(parents=True)
    (tmp_path / "right.py").write_bytes(b"x = 1\n")
    (tmp_path / "data.json").write_bytes(b"[1, 2]")
    (tmp_path / "inner" / "wrong.py").write_bytes(b"def f():\r\n    return (1\r\n")
    (tmp_path / "inner" / ".hidden" / "broken.py").write_bytes(b"(")
    (tmp_path / "notes.txt").write_bytes(b"(")
    return tmp_path


def test_files_that_fit(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence says that everything fits, and the exit code is 0."""
    assert said(capsys, folder / "right.py", folder / "data.json") == (0, "2 files fit.\n", "")


def test_a_file_that_does_not(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The place at which a file stops being a program is shown with its line and a caret, and the exit code is 1."""
    code, out, err = said(capsys, folder / "inner" / "wrong.py")

    lines = out.splitlines()
    assert (code, err) == (1, "")
    assert lines[0] == f"{folder}/inner/wrong.py:2:12: `(` is never closed"
    assert lines[1:] == ["    2 |     return (1", "      |            ^", "1 of 1 file does not fit."]


def test_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder stands for the files of known languages in it, but not for what is hidden."""
    code, out, err = said(capsys, folder)

    assert (code, err) == (1, "")
    assert out.count("never closed") == 1
    assert out.endswith("1 of 3 files does not fit.\n")


def test_our_own_sources_fit(capsys: pytest.CaptureFixture[str]) -> None:
    """The package checks itself, with no bar where nobody watches."""
    code, out, err = said(capsys, SERVER)

    assert (code, err) == (0, "")
    assert out.endswith("files fit.\n")


def test_many_files_before_a_person(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bar on stderr says how far it is if a person watches many files; stdout is as ever."""
    for number in range(30):
        (folder / f"{number}.json").write_bytes(b"{}")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")

    code, out, err = said(capsys, folder)

    assert code == 1
    assert "Checking" in err
    assert "/33" in err
    assert "1 of 33 files does not fit." in out
    assert "Checking" not in out


def test_colour_is_for_terminals(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A terminal gets places and messages in colour; a file or a pipe gets the same words and no code."""
    _, plain, _ = said(capsys, folder)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)

    _, coloured, _ = said(capsys, folder)

    assert "\x1b" not in plain
    assert "\x1b[31m" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain


def test_what_is_left_out_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder of which everything is left out says by what, and what to do."""
    (folder / ".git").mkdir()
    (folder / ".gitignore").write_text("inner/\nright.py\n")
    (folder / "inner" / "more.py").write_text("x = 1\n")

    code, out, err = said(capsys, folder / "inner")
    assert (code, out) == (2, "")
    assert err == f"{folder}/inner: .gitignore leaves out all 2 files here; --no-gitignore checks them.\n"
    assert said(capsys, folder / "inner", "--no-gitignore")[0] == 1
    _, _, err = said(capsys, folder / "inner", "--exclude", "more.py")
    assert err == f"{folder}/inner: .gitignore leaves out the only file here; --no-gitignore checks it.\n"
    _, _, err = said(capsys, folder, "--exclude", "*.json")
    assert err == f"{folder}: .gitignore leaves out all 3 files here; --no-gitignore checks them.\n"
    (folder / ".gitignore").unlink()
    _, _, err = said(capsys, folder / "inner", "--exclude", "*.py")
    assert err == f"{folder}/inner: --exclude leaves out all 2 files here.\n"


def test_what_cannot_be_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not UTF-8 is one sentence on stderr; the others are checked, and the exit code is 2."""
    (folder / "latin.py").write_bytes(b"x = '\xe9'\n")

    code, out, err = said(capsys, folder)

    assert code == 2
    assert err == f"{folder}/latin.py: the file is not UTF-8: byte 5 is 0xe9; save it as UTF-8.\n"
    assert out.endswith("1 of 3 files does not fit.\n")


def test_a_name_that_is_too_long(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A name that no file can have is one sentence on stderr, and the others are checked."""
    name = f"{'long' * 100}.py"

    code, out, err = said(capsys, folder / name, folder / "right.py")

    assert (code, out) == (2, "1 file fits.\n")
    assert err == f"{folder}/{name}: it cannot be read: File name too long.\n"


@pytest.mark.parametrize(
    ("operation", "closed"),
    [("stat", "."), ("stat", "inner/wrong.py"), ("scandir", "."), ("scandir", "inner")],
)
def test_what_may_not_be_looked_at(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, operation: str, closed: str
) -> None:
    """A file that is closed to the user is one sentence on stderr, wherever it lies; the others are checked."""
    place = folder / closed
    # Modes would not do: a test may be run by a user to whom nothing is closed.
    for holder, name in ((Path, "stat"), (Path, "read_bytes"), (os, "scandir")):
        if name == operation or (operation == "stat" and name == "read_bytes"):
            monkeypatch.setattr(holder, name, closing(getattr(holder, name), place))

    code, out, err = said(capsys, folder, folder / "right.py")

    assert (code, out) == (2, "1 file fits.\n" if closed == "." else "2 files fit.\n")
    assert err.startswith(f"{place}: ")
    assert err.endswith(": Permission denied.\n")
    assert err.count("\n") == 1


def closing(operation: Callable[..., Any], place: Path) -> Callable[..., Any]:
    """Return an operation of the system that is refused at one place."""

    def refusing(path: str | Path, **options: object) -> Any:
        if Path(path) == place:
            raise PermissionError(13, "Permission denied", str(path))
        return operation(path, **options)

    return refusing


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["notes.txt"], "{folder}/notes.txt: no language is known for this file name; known are ."),
        (["none.py"], "{folder}/none.py: there is no such file or folder."),
        (["inner/.hidden/none"], "{folder}/inner/.hidden/none: there is no such file or folder."),
        (["empty"], "{folder}/empty: this folder holds no file of a known language; known are ."),
        (["right.py", "--target=2.7"], "There is no version 2.7 of Python; known are 3.8, "),
        (
            [".", "--target=2.7"],
            "There is no version 2.7 of JSON with Comments or Python; known are JSON with ",
        ),
        (["right.py", "--target=python=2.7"], "There is no version 2.7 of Python; known are 3.8, "),
        (["right.py", "--target=pyton=3.9"], "--target pyton=3.9: there is no language pyton; known are go, "),
    ],
)
def test_mistakes(folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    """An unknown kind of file, a missing one, an empty folder, an unknown version: one sentence, exit code 2."""
    (folder / "empty").mkdir()
    (folder / "tsconfig.json").write_text("{}")

    code, out, err = said(capsys, folder / arguments[0], *arguments[1:])

    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert message.format(folder=folder) in err


def test_the_caret_stands_below() -> None:
    """Tabs and wide characters before the place take the room on the mark's line that they take above."""
    text = "\n\té漢 = )\n"

    assert excerpt(text, text.index(")"), "red").plain == "    2 |     é漢 = )\n      |           ^"


def test_control_characters_are_shown() -> None:
    """No character of a file reaches the terminal as a command."""
    shown = excerpt("a\x1b[31m\x0c\x9b)", 8, "red").plain

    assert shown == "    1 | a␛[31m␌�)\n      |         ^"


def test_a_long_line_is_clipped() -> None:
    """Of a very long line the part around the place is shown."""
    shown = excerpt("x" * 500 + "(" + "y" * 500, 500, "red").plain.splitlines()

    assert shown[0] == f"    1 | …{'x' * 100}({'y' * 99}…"
    assert shown[1].index("^") == shown[0].index("(")


def test_standard_input(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A text from standard input is checked as the file that it is said to be."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x = (\n")))

    code, out, _ = said(capsys, "-", "--stdin-filename", "a.py")

    assert code == 1
    assert out.startswith("a.py:1:5: `(` is never closed\n")


def test_files_of_no_known_language_do_not_stop_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each is named, and so is an empty folder; the other files are checked."""
    for name, text in {"setup.cfg": "[", "README.md": "#", "wrong.py": "("}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "empty").mkdir()

    code = main(["check", *(str(tmp_path / name) for name in ("setup.cfg", "README.md", "empty", "wrong.py"))])

    out, err = capsys.readouterr()
    assert code == 2
    assert "wrong.py:1:" in out
    assert [line.partition(": ")[0].rpartition("/")[2] for line in err.splitlines()] == [
        "setup.cfg", "README.md", "empty",
    ]  # fmt: skip


def test_standard_input_has_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a name the language of standard input is unknown: one sentence."""
    code, out, err = said(capsys, "-")

    assert (code, out) == (2, "")
    assert err == "-: say what standard input holds, with --stdin-filename NAME.py for example.\n"


def test_a_name_without_standard_input(capsys: pytest.CaptureFixture[str]) -> None:
    """A name for standard input, which was not asked for, would check all files of the folder instead."""
    code, out, err = said(capsys, "--stdin-filename", "a.py")

    assert (code, out) == (2, "")
    assert err == "--stdin-filename: it names standard input, which is `-`: add it, or leave out the name.\n"


def test_all_mistakes_of_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each mistake of a file is reported at its own line."""
    path = folder / "two.py"
    path.write_text("x = (1\n\ndef f():\n    return 1 +\n")

    code, out, _ = said(capsys, path)

    assert code == 1
    assert [line.split(":")[1] for line in out.splitlines() if line.startswith(str(path))] == ["1", "4"]


def test_an_element_that_ends_by_another_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The grammar reads it, and it is a mistake all the same."""
    (folder / "card.jsx").write_text("const card = (\n  <h2>Items</h3>\n);\n", encoding="utf-8")

    assert main(["check", str(folder / "card.jsx")]) == 1

    assert "`</h3>` does not close `<h2>` of line 2" in " ".join(capsys.readouterr().out.split())


def test_elements_in_files_of_javascript(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file with the ending `.js` may hold elements, and has no other mistakes than a file of JSX then."""
    (folder / "card.js").write_text("const card = (\n  <h2>Items</h2>\n);\n", encoding="utf-8")
    (folder / "list.js").write_text("const list = (\n  <h2>Items</h3>\n);\n", encoding="utf-8")

    assert main(["check", str(folder / "card.js")]) == 0
    assert main(["check", str(folder / "list.js")]) == 1

    assert "`</h3>` does not close `<h2>` of line 2" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("text", ["x = 1\\\r\n", "x = " + "(" * 150 + ")" * 150 + "\n", "x = 1\n" * 50])
def test_where_the_own_parser_has_doubts(folder: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    """The verdict is the engine's, whatever the language's own parser is asked before."""
    path = folder / "doubtful.py"
    path.write_bytes(text.encode())

    fits = dovetail.load_language("python", target="3.11").accepts(text)
    assert said(capsys, path)[0] == said(capsys, "--target", "3.11", path)[0] == (0 if fits else 1)
