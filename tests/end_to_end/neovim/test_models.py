"""`:Dovetail models` in a real Neovim: the real list, and a program that plays the download."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.end_to_end.neovim.gap import at_the_gap

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.end_to_end.neovim.editor import Editor

NAME = "qwen2.5-coder-0.5b"

# Stands before the server's command line; `get` is played, all else is the server's.
PROGRAM = """#!/bin/sh
case "$*" in
  *"models get"*) {get} ;;
  *) exec "$@" ;;
esac
"""

# Chooses the entries whose numbers are in `picks`, one at each question (1 is a yes), and keeps what was asked.
PICKING = """
    asked, picks = {}, {}
    vim.ui.select = function(choices, how, take)
        local lines = vim.tbl_map(how.format_item or tostring, choices)
        table.insert(asked, { how.prompt, lines })
        take(choices[table.remove(picks, 1)])
    end
    vim.fn.confirm = function(question)
        table.insert(asked, { question, {} })
        return table.remove(picks, 1)
    end
"""


@pytest.fixture(name="played")
def _played(start: Callable[..., Editor], tmp_path: Path) -> Callable[[str], Editor]:
    """Return a function that starts an editor with a running server; its argument plays the download."""

    def played(get: str) -> Editor:
        program = tmp_path / "played"
        program.write_text(PROGRAM.format(get=get))
        program.chmod(0o755)
        editor = start(before=PICKING, wrapper=(str(program),))
        at_the_gap(editor)
        editor.keys("<Esc>")
        return editor

    return played


GET = """echo '{"received": 100000000, "size": 531000000}'; echo '{"path": "/model.gguf"}'"""


def test_a_model_is_chosen_from_the_list(played: Callable[[str], Editor]) -> None:
    """Size, room and licence stand there; after a yes it is downloaded, and the server is asked to load it."""
    editor = played(GET)
    editor.lua("picks = { 2, 1 }")
    editor.command("Dovetail models")
    editor.wait(lambda: f"The model {NAME} is not on this machine" in editor.messages() + editor.floats())

    [_, lines], [question, _] = editor.lua("return asked")
    assert lines[0] == "embedded: the model that comes with Dovetail, small"
    assert lines[1].startswith(f"{NAME}: 0.5 GB to download, ")
    assert "Apache-2.0" in lines[1]
    assert question == "Dovetail: download Qwen2.5-Coder 0.5B (0.5 GB, licence Apache-2.0)?"
    assert f"{NAME} is on this machine." in editor.messages()


def test_nothing_is_downloaded_after_a_no(played: Callable[[str], Editor], tmp_path: Path) -> None:
    """The second question can be refused, and the present model stays."""
    editor = played(f"touch '{tmp_path}/called'")
    editor.lua("picks = { 2, 2 }")
    editor.command("Dovetail models")
    editor.wait(lambda: editor.lua("return #asked") == 2)

    editor.command("Dovetail models stop")
    editor.wait(lambda: "No model is being downloaded." in editor.messages())
    assert not (tmp_path / "called").exists()


def test_a_download_can_be_stopped(played: Callable[[str], Editor], tmp_path: Path) -> None:
    """The program that downloads is ended, and the message says that nothing is lost."""
    editor = played(f"touch '{tmp_path}/called'; exec sleep 600")
    editor.command(f"Dovetail models get {NAME}")
    editor.wait((tmp_path / "called").exists)

    editor.command("Dovetail models stop")

    editor.wait(lambda: "The download was stopped." in editor.messages())


def test_what_the_server_says_is_shown(played: Callable[[str], Editor]) -> None:
    """A failed download, a removal of nothing and a trial of nothing each show the server's sentence."""
    editor = played("echo 'the hub cannot be reached' >&2; exit 2")
    for command, said in (
        (f"get {NAME}", "the hub cannot be reached"),
        ("remove no-such-model", "There is no model no-such-model to fetch"),
        ("try no-such-model", "There is no model no-such-model to fetch"),
        ("fetch", "takes get, remove or try"),
    ):
        editor.keys("0$")  # closes the float of the command before
        editor.wait(lambda: editor.floats() == "")
        editor.command("messages clear")
        editor.command(f"Dovetail models {command}")
        editor.wait(lambda said=said: said in editor.messages() + editor.floats())


def test_a_mistyped_model_is_one_line_that_fits(start: Callable[..., Editor]) -> None:
    """The line names the command of Neovim that lists the models."""
    editor = start()
    at_the_gap(editor)
    editor.keys("<Esc>")
    editor.command("set columns=70")
    editor.command("Dovetail model nope")

    editor.wait(lambda: "There is no model nope; `:Dovetail models` lists them." in editor.messages().splitlines())


def test_without_a_server_the_installation_is_named(start: Callable[..., Editor]) -> None:
    """A command line that is none of Dovetail's is not run with other words."""
    editor = start()
    editor.lua("require('dovetail.options').current.cmd = { 'ssh', 'host' }")

    editor.command("Dovetail models")

    editor.wait(lambda: "the models are listed by the server" in editor.messages() + editor.floats())


def test_a_command_that_is_missing_is_named(start: Callable[..., Editor]) -> None:
    """It is not run, which would show an error of the system."""
    editor = start()
    editor.lua("require('dovetail.options').current.cmd = { 'no-dovetail', 'serve' }")

    editor.command("Dovetail models")

    editor.wait(lambda: "`no-dovetail` is not a command" in editor.messages() + editor.floats())
