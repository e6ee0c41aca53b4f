"""The command line as a whole: what it says of mistakes, and with which exit code."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from dovetail.__main__ import main

if TYPE_CHECKING:
    from pathlib import Path


def mistake(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a command line that is wrong and return what it says on stderr."""
    code = main(arguments)

    printed = capsys.readouterr()
    assert (code, printed.out) == (2, "")
    assert printed.err.count("\n") == 1
    return printed.err.rstrip("\n")


@pytest.fixture(name="source")
def _source(tmp_path: Path) -> Path:
    path = tmp_path / "file.py"
    path.write_bytes(b"x = (\n")
    return path


def test_a_bad_position(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A position outside the file is one sentence and exit code 2."""
    expected = f"{source}: there is no line 9; the file has lines 1 to 2."

    assert mistake(capsys, "complete", f"{source}:9:1") == expected


def test_an_unreadable_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there is one sentence and exit code 2."""
    expected = f"{tmp_path}/none.py: the file cannot be read: No such file or directory."

    assert mistake(capsys, "complete", f"{tmp_path}/none.py:1:1") == expected


def test_an_unknown_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of no known language is one sentence, which lists what is known, and exit code 2."""
    path = tmp_path / "file.xyz"
    path.write_bytes(b"")

    said = mistake(capsys, "complete", f"{path}:1:1")

    assert said.startswith(f"{path}: no language is known for this file name; known are ")
    assert ".py" in said


def test_a_wrong_setting(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A number of tokens that is none is one sentence and exit code 2."""
    expected = "The setting `max_tokens` has to be a whole number of at least 1, not 0."

    assert mistake(capsys, "complete", f"{source}:1:1", "--max-tokens", "0") == expected


def test_a_model_that_cannot_be_looked_for(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A model below the home of nobody is one sentence and exit code 2."""
    expected = "There is no home folder for ~no-such-user/model: write the folder of the model without `~`."

    assert mistake(capsys, "complete", f"{source}:1:1", "--model", "~no-such-user/model") == expected


def test_no_command_prints_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    """`dovetail` alone prints what `dovetail --help` does, with exit code 0."""
    with pytest.raises(SystemExit) as asked:
        main(["--help"])
    expected = capsys.readouterr().out

    code = main([])
    printed = capsys.readouterr()
    with pytest.raises(SystemExit) as wrong:
        main(["--no-such-option"])

    assert (code, printed.out, printed.err) == (asked.value.code, expected, "")
    assert "dovetail check" in expected
    assert wrong.value.code == 2


def test_help_is_quick_to_import() -> None:
    """The help of `complete` is printed without torch, transformers or pygls."""
    script = (
        "import sys\n"
        "from dovetail.__main__ import main\n"
        "try:\n"
        "    main(['complete', '--help'])\n"
        "except SystemExit as error:\n"
        "    assert error.code == 0\n"
        "assert not {'torch', 'transformers', 'pygls'} & set(sys.modules), 'heavy'\n"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert "FILE:LINE:COLUMN" in done.stdout


@pytest.mark.parametrize(
    ("encoding", "name", "arguments", "printed"),
    [
        ("cp1252", "wrong.py", ["check", "{file}"], r"    1 | x = \u2192 1"),
        ("cp1252", "wrong.py", ["explain", "{file}:1:1"], r"    1 | x = \u2192 1"),
        ("ascii", "wrong.py", ["doctor", "--model", "{folder}"], r"\u2717 model: The folder "),
        ("utf-8:strict", "wr\udcffng.py", ["check", "{file}"], r"wr\udcffng.py:1:5: "),
    ],
    ids=["check", "explain", "doctor", "a name that is no UTF-8"],
)
def test_what_an_encoding_lacks_is_printed_all_the_same(
    encoding: str, name: str, arguments: list[str], printed: str, tmp_path: Path
) -> None:
    """A character that the terminal or pipe cannot show is written as its number, and the command goes on."""
    file = tmp_path / name
    try:
        file.write_bytes("x = → 1\n".encode())
    except (OSError, UnicodeError):
        pytest.skip("this system has no such names")
    command = [argument.format(file=file, folder=tmp_path) for argument in arguments]

    done = subprocess.run(
        [sys.executable, "-m", "dovetail", *command],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )

    assert done.stderr == b""
    assert done.returncode in (0, 1)
    assert printed in done.stdout.decode(encoding.partition(":")[0])


@pytest.mark.parametrize("stream", [None, io.StringIO()], ids=["none", "another kind"])
def test_a_stream_of_another_kind_is_taken_as_it_is(
    stream: io.StringIO | None, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command line bears any stdout that its caller has put in place, or none."""
    monkeypatch.setattr(sys, "stdout", stream)

    assert main(["check", str(source)]) == 1


@pytest.mark.parametrize("arguments", [["fly"], ["complete"], ["complete", "a:1:1", "--fast"]])
def test_a_wrong_command_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A command line that is not understood ends with a sentence and exit code 2; without a command, with the usage."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)

    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith(
        "usage: dovetail [" if arguments == ["fly"] else "dovetail complete: error: "
    )


@pytest.mark.parametrize(
    ("arguments", "beginning", "sentence"),
    [
        (["chek", "x.py"], "usage: dovetail [", "there is no command chek: did you mean check?"),
        (
            ["status"],
            "usage: dovetail [",
            "there is no command status: only editors have it; `dovetail doctor` says whether everything is there",
        ),
        (["qqqq"], "usage: dovetail [", "there is no command qqqq; --help lists what there is"),
        (["--qqqq=1"], "usage: dovetail [", "there is no option --qqqq; --help lists what there is"),
        (["--versoin"], "usage: dovetail [", "there is no option --versoin: did you mean --version?"),
        (["check", "--formt", "json"], "dovetail check: error: ", "there is no option --formt: did you mean --format?"),
        (["check", "--targte=3.9"], "dovetail check: error: ", "there is no option --targte: did you mean --target?"),
        (["doctor", "now"], "dovetail doctor: error: ", "`now` is one argument too many"),
        (
            ["check", "-", "--language", "python"],
            "dovetail check: error: ",
            (
                "there is no option --language: the name of a file tells its language; "
                "--stdin-filename gives one to standard input"
            ),
        ),
    ],
)
def test_a_mistyped_word_is_answered_by_its_own_command(
    arguments: list[str], beginning: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unknown word is named with the nearest known one, by the command that it was meant for."""
    with pytest.raises(SystemExit):
        main(arguments)

    printed = capsys.readouterr().err
    assert printed.startswith(beginning)
    assert printed.endswith(f": error: {sentence}\n")
