"""The words that a shell proposes with the script of `dovetail shell-completion`."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from dovetail.__main__ import main
from dovetail.commands.command_line import COMMANDS
from dovetail.commands.shell_completion import SHELLS

DOCUMENTATION = Path(__file__).resolve().parents[2] / "docs" / "command-line.md"

_BASH = shutil.which("bash")

_READ_ONLY = {"bash": "-n", "zsh": "-n", "fish": "--no-execute"}
"""Shell → the option with which it reads a script and runs nothing."""


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
    if (program := shutil.which(shell)) is not None:
        path = tmp_path / "script"
        path.write_text(written, encoding="utf-8")
        done = subprocess.run([program, _READ_ONLY[shell], path], capture_output=True, text=True, check=False)
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
