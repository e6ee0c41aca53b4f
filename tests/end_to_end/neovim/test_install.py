"""`:Dovetail install` in a real Neovim: a Python plays `venv` and `pip`, and the plugin stands in no checkout."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import pytest
from tests.end_to_end.neovim.editor import CLIENT
from tests.end_to_end.neovim.gap import KEYS, LEFT, RIGHT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.end_to_end.neovim.editor import Editor

WHEEL = "dovetail-0.1.0-py3-none-any.whl"

# An environment is a copy of this program; what it installs is the server of these tests.
PROGRAM = """#!/bin/sh
echo "$*" >> '{log}'
case "$*" in
  *"import ensurepip"*) echo True ;;
  *"-m venv "*) for last; do :; done; mkdir -p "$last/bin"; cp "$0" "$last/bin/python" ;;
  *"-m pip"*) {pip} ;;
  *"-m dovetail"*) shift; exec '{python}' "$@" ;;
esac
"""

# Answers the question at once, and keeps it.
ANSWERING = """
    asked = {}
    vim.fn.confirm = function(question)
        table.insert(asked, question)
        return answer
    end
"""


@pytest.fixture(name="plugin")
def _plugin(tmp_path: Path) -> Path:
    """Return a copy of the plugin as it is distributed, with the server in it."""
    plugin = shutil.copytree(CLIENT, tmp_path / "plugin", ignore=shutil.ignore_patterns("server"))
    (plugin / "server").mkdir()
    (plugin / "server" / WHEEL).write_bytes(b"")
    (plugin / "server" / "constraints.txt").write_text("numpy==2.0.0\n")
    return plugin


@pytest.fixture(name="install")
def _install(start: Callable[..., Editor], plugin: Path, tmp_path: Path) -> Callable[..., Editor]:
    """Return a function that starts an editor and installs, with what pip does as a line of a shell."""

    def install(pip: str = "echo Collecting numpy", answer: int = 1) -> Editor:
        python = tmp_path / "python"
        python.write_text(PROGRAM.format(log=tmp_path / "log", pip=pip, python=sys.executable))
        python.chmod(0o755)
        before = f"{ANSWERING}\nanswer = {answer}"
        editor = start(f"python = [[{python}]], {KEYS}", before=before, plugin=plugin)
        editor.command("Dovetail install")
        return editor

    return install


def called(tmp_path: Path, module: str) -> list[str]:
    """Return the calls of a module by the played Python."""
    log = tmp_path / "log"
    lines = log.read_text().splitlines() if log.exists() else []
    return [line for line in lines if f"-m {module}" in line]


def test_the_server_is_installed_and_runs(install: Callable[..., Editor], plugin: Path, tmp_path: Path) -> None:
    """After a yes, pip gets the plugin's wheel in the versions that were tested, and files are served from then on."""
    editor = install()
    editor.wait(lambda: "The server is installed." in editor.messages())

    [question] = editor.lua("return asked")
    assert "About 65 MB are downloaded; it takes 310 MB of disk space." in question
    [pip] = called(tmp_path, "pip")
    assert pip.endswith(f"--constraint {plugin}/server/constraints.txt {plugin}/server/{WHEEL}")
    environment = f"{tmp_path}/data/nvim/dovetail/environment"
    assert editor.lua("return require('dovetail.options').current.cmd")[0] == f"{environment}/bin/python"
    editor.edit("prices.py", LEFT + RIGHT, 2, len("    subtotal = sum(") + 1)
    editor.wait(editor.ghost)


def test_a_later_session_uses_the_installed_server(
    install: Callable[..., Editor], start: Callable[..., Editor], plugin: Path
) -> None:
    """The default command line is the installed server's; the health check names a plugin of another version."""
    editor = install()
    editor.wait(lambda: "The server is installed." in editor.messages())
    editor.close()
    (plugin / "server" / WHEEL).rename(plugin / "server" / WHEEL.replace("0.1.0", "0.2.0"))

    later = start(plugin=plugin)
    assert later.lua("return require('dovetail.options').current.cmd")[0].endswith("dovetail/environment/bin/python")
    later.command("checkhealth dovetail")
    report = later.wait(lambda: "Keys in insert mode" in later.text() and later.text())
    said = f"The installed server is {WHEEL}, and this plugin belongs to {WHEEL.replace('0.1.0', '0.2.0')}"
    assert said in report


def test_nothing_happens_after_a_no(install: Callable[..., Editor], tmp_path: Path) -> None:
    """Neither an environment is made nor pip called."""
    editor = install(answer=2)

    assert len(editor.lua("return asked")) == 1
    assert editor.messages().splitlines()[-1] == "Nothing was installed."
    assert called(tmp_path, "venv") == []
    assert editor.lua("return require('dovetail.environment').installed()") is None


def test_the_key_y_is_a_yes_and_the_others_are_not(start: Callable[..., Editor], plugin: Path) -> None:
    """The key Enter and the end of the question count as a no."""
    editor = start(plugin=plugin)
    editor.lua("vim.keymap.set('n', 'q', function() given = require('dovetail.consent').given('Really?') end)")

    for keys, given in (("y", True), ("Y", True), ("n", False), ("<CR>", False), ("<Esc>", False)):
        editor.lua("given = nil")
        editor.keys(f"q{keys}")
        editor.wait(lambda: editor.mode() == "n" and editor.lua("return given ~= nil"))
        assert editor.lua("return given") is given, keys


def test_a_failure_names_the_step_and_the_log(install: Callable[..., Editor], tmp_path: Path) -> None:
    """The words of pip are in a file, and no server counts as installed."""
    editor = install(pip="echo no network >&2; exit 1")
    editor.wait(lambda: "the server could not be installed" in editor.messages())

    editor.wait(lambda: "downloading the packages failed. See " in editor.floats())
    assert "no network" in (tmp_path / "state" / "nvim" / "dovetail-install.log").read_text()
    assert editor.lua("return require('dovetail.environment').command()") is None


def test_an_installation_can_be_stopped(install: Callable[..., Editor], tmp_path: Path) -> None:
    """The program that runs is ended, and a second installation may begin."""
    editor = install(pip="exec sleep 600")
    editor.wait(lambda: called(tmp_path, "pip"))
    editor.command("Dovetail install")
    assert "The server is being installed." in editor.messages()

    editor.command("Dovetail install stop")

    editor.wait(lambda: "the installation was stopped" in editor.messages())
    assert editor.lua("return require('dovetail.environment').installed()") is None
    editor.command("Dovetail install stop")
    assert "No server is being installed." in editor.messages()


def test_a_python_that_does_not_do_is_named(start: Callable[..., Editor], plugin: Path, tmp_path: Path) -> None:
    """Neither a program that is not there nor one that is no Python is asked to install anything."""
    program = tmp_path / "old"
    program.write_text("#!/bin/sh\necho False\n")
    program.chmod(0o755)
    editor = start(f"python = [[{program}]]", before=ANSWERING, plugin=plugin)
    find = "return select(2, require('dovetail.python').find(...))"

    assert editor.lua(find, str(program)) == f"{program} is no Python 3.11 or later: name one in the option `python`."
    missing = "there is no /no/python: install Python 3.11 or later, or name it in the option `python`."
    assert editor.lua(find, "/no/python") == missing
    editor.command("Dovetail install")
    assert editor.lua("return asked") == []
