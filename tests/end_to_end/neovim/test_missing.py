"""A server that is not installed, in a real Neovim: it is said once, and each command says what helps."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.end_to_end.neovim.editor import Editor


def test_a_server_that_is_not_installed_is_said_to_be_missing(start: Callable[..., Editor]) -> None:
    """Every subcommand that needs a server names the one command that helps, and none says that one is started."""
    editor = start("filetypes = { 'json' }")
    editor.lua("require('dovetail').setup({ cmd = { 'no-such-server' } })")
    editor.command(f"edit {editor.folder / 'prices.py'}")

    for command in ("status", "why", "explain", "restart"):
        editor.command("messages clear")
        editor.command(f"Dovetail {command}")

        assert editor.messages() == "`no-such-server` is not a command. `:Dovetail install` installs the server."


def test_a_missing_server_is_said_once_and_stops_nobody(start: Callable[..., Editor]) -> None:
    """Files that are opened while there is no server get one message together, after which keys type."""
    editor = start("filetypes = { 'json' }")
    editor.lua("require('dovetail').setup({ cmd = { 'no-such-server' } })")
    editor.command("messages clear")

    for name in ("first.py", "second.py"):
        editor.command(f"edit {editor.folder / name}")
    editor.wait(editor.messages)
    editor.keys("iword")

    editor.wait(lambda: editor.text() == "word\n")
    said = "Dovetail: `no-such-server` is not a command. `:Dovetail install` installs the server."
    assert [line for line in editor.messages().splitlines() if "Dovetail" in line] == [said]
