"""The words that a shell proposes with the script of `dovetail shell-completion`."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from dovetail.__main__ import main
from dovetail.commands.command_line import COMMANDS, make_parser
from dovetail.commands.shell_completion import SHELLS

DOCUMENTATION = Path(__file__).resolve().parents[2] / "docs" / "command-line.md"

_BASH = shutil.which("bash")

_READING = "$null = [scriptblock]::Create((Get-Content -Raw -LiteralPath script))"
_READ_ONLY = {
    "bash": ("bash", "-n", "script"),
    "zsh": ("zsh", "-n", "script"),
    "fish": ("fish", "--no-execute", "script"),
    "powershell": ("pwsh", "-NoProfile", "-NonInteractive", "-Command", _READING),
}
"""Shell → the command with which it reads a script and runs nothing of it."""

_LEXEME = re.compile(r"""#.*|'(?:[^']|'')*'|"(?:[^"`]|`[\s\S]|"")*"|@?[(){}\[\]]|[^\s(){}\[\]'"#@]+|@""")
"""A comment, a string, a bracket or a word of PowerShell."""
_TABLE = re.compile(r"^\$_shtab_dovetail_(\w+) = @\{\n((?:    '.*\n)*)\}$", re.MULTILINE)
_ENTRY = re.compile(r"    ('(?:[^']|'')*') = (?:('(?:[^']|'')*')|@\(((?:'(?:[^']|'')*'(?:, |(?=\))))*)\))")


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the script for a shell."""
    assert main(["shell-completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.skipif(_BASH is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("words", "proposed"),
    [
        (["sh"], ["shell-completion"]),
        (["shell-completion", ""], list(SHELLS)),
        (["check", "--form"], ["--format"]),
        (["check", "--format", "s"], ["sarif"]),
        (["complete", "--cand"], ["--candidates"]),
        (["check", "or"], ["orders.py"]),
        (["complete", "or"], ["orders.py"]),
        (["doctor", "--model", "or"], ["orders.py"]),
    ],
    ids=" ".join,
)
def test_bash_proposes(
    words: list[str], proposed: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bash completes commands, options, the values of options, and names of files."""
    assert _BASH is not None
    (tmp_path / "orders.py").touch()
    (tmp_path / "script").write_text(script("bash", capsys), encoding="utf-8")
    asked = f"""
        source ./script
        function=$(complete -p dovetail | sed 's/.*-F \\([^ ]*\\).*/\\1/')
        COMP_WORDS=(dovetail "$@")
        COMP_CWORD=$#
        $function dovetail "{words[-1]}" ""
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """

    done = subprocess.run(
        [_BASH, "--norc", "-c", asked, "bash", *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert set(done.stdout.split()) == set(proposed), done.stderr


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_can_read_its_script(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each script names every command, and the shell, where there is one, finds no mistake in it."""
    written = script(shell, capsys)

    assert all(name in written for name in COMMANDS)
    if (program := shutil.which(_READ_ONLY[shell][0])) is not None:
        (tmp_path / "script").write_text(written, encoding="utf-8")
        done = subprocess.run(
            [program, *_READ_ONLY[shell][1:]], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_says_where_it_belongs_as_the_documentation_does(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The comment at its beginning names the file that the page of the command line names, and no other."""
    documented = DOCUMENTATION.read_text(encoding="utf-8")
    written = script(shell, capsys)
    header = written[: written.index("\n\n", len("#compdef dovetail\n\n"))]
    commands = re.findall(r"dovetail shell-completion \w+ > \S+", header)

    assert len(commands) == 1
    assert f"`{commands[0]}`" in documented
    assert "bashrc" not in header
    assert "zshrc" not in header


def test_the_brackets_and_strings_of_the_script_for_powershell_match(capsys: pytest.CaptureFixture[str]) -> None:
    """Each bracket is closed by its own kind outside of strings, each string ends, and no sign depends on an encoding.

    Windows PowerShell reads a file without a mark in the system's own encoding.
    """
    written = script("powershell", capsys)
    opened: list[str] = []
    at = 0
    for match in _LEXEME.finditer(written):
        assert written[at : match.start()].strip() == "", written[at : match.end()]
        at, sign = match.end(), match[0].removeprefix("@")
        if sign in ("(", "[", "{"):
            opened.append({"(": ")", "[": "]", "{": "}"}[sign])
        elif sign in (")", "]", "}"):
            assert opened.pop() == sign

    assert written[at:].strip() == ""
    assert opened == []
    assert written.isascii()


def test_the_script_for_powershell_knows_what_the_parser_knows(capsys: pytest.CaptureFixture[str]) -> None:
    """The tables that it completes from hold each command's options, and their values and files, and no others."""
    tables = powershell_tables(script("powershell", capsys))
    parser = make_parser(COMMANDS)
    [commands] = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]

    assert tables["subparsers"] == {"_shtab_dovetail": list(COMMANDS)}
    assert tables["option_strings"].keys() == {"_shtab_dovetail", *map(_key, COMMANDS)}
    choices = {"_shtab_dovetail_pos_0": list(COMMANDS)}
    files: dict[str, str] = {}
    for name, command in commands.choices.items():
        options = [option for action in command._actions for option in action.option_strings]
        assert tables["option_strings"][_key(name)] == options
        positional = [action for action in command._actions if not action.option_strings]
        for action in command._actions:
            places = [_key(name, option) for option in action.option_strings]
            for place in places or [f"{_key(name)}_pos_{positional.index(action)}"]:
                if action.choices is not None:
                    choices[place] = list(map(str, action.choices))
                if action.metavar in ("FILE", "FILE:LINE:COLUMN", "MODEL", "FOLDER"):
                    files[place] = f"_shtab_powershell_compgen_{'dirs' if action.metavar == 'FOLDER' else 'files'}"
    assert tables["choices"] == choices
    assert tables["compgens"] == files


def _key(command: str, option: str = "") -> str:
    return "_".join(["_shtab_dovetail", re.sub(r"\W", "_", command), *([re.sub(r"\W", "_", option)] if option else [])])


def powershell_tables(written: str) -> dict[str, dict[str, str | list[str]]]:
    """Return the tables of a script for PowerShell by name; no two keys of one may differ in capitals alone."""
    tables: dict[str, dict[str, str | list[str]]] = {}
    for name, lines in _TABLE.findall(written):
        table: dict[str, str | list[str]] = {}
        for line in lines.splitlines():
            entry = _ENTRY.fullmatch(line)
            assert entry is not None, line
            words = [_plain(word) for word in re.findall(r"'(?:[^']|'')*'", entry[3] or "")]
            assert _plain(entry[1]).lower() not in map(str.lower, table), line
            table[_plain(entry[1])] = words if entry[2] is None else _plain(entry[2])
        tables[name] = table
    return tables


def _plain(word: str) -> str:
    return word[1:-1].replace("''", "'")
