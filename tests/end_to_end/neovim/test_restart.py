"""A server that ends unexpectedly, in a real Neovim."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from tests.end_to_end.neovim.gap import KEYS, LEFT, RIGHT, at_the_gap

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.end_to_end.neovim.editor import Editor

OWN_PROCESS = KEYS.replace("max_tokens", "host = { shared = false }, max_tokens")

# Records the delays of the restarts, and shortens them.
SHORTEN = """
    delays = {}
    local defer = vim.defer_fn
    vim.defer_fn = function(act, delay)
        if delay >= 1000 then
            table.insert(delays, delay)
            delay = 10
        end
        return defer(act, delay)
    end
"""


def kill(editor: Editor) -> int:
    """Kill the server, wait until it is gone, and return its process id."""
    process = editor.wait(editor.server)
    assert process is not None
    os.kill(process, signal.SIGKILL)
    editor.wait(lambda: editor.server() != process)
    return process


def serves(editor: Editor) -> bool:
    """Return whether a server serves the current buffer."""
    found: bool = editor.lua("return #vim.lsp.get_clients({ bufnr = 0, name = 'dovetail' }) == 1")
    return found


def test_a_killed_server_is_restarted_with_one_short_message(start: Callable[..., Editor]) -> None:
    """Another process serves the file, ghost text comes again, and nothing waits for a key."""
    editor = start()
    at_the_gap(editor)

    killed = kill(editor)
    editor.wait(lambda: editor.server() not in (None, killed) and serves(editor))
    editor.keys("<Esc>A")
    editor.wait(editor.ghost)

    said = [line for line in editor.messages().splitlines() if "server" in line]
    assert said == ["Dovetail: the server ended by signal 9 and is restarted."]
    assert editor.mode() == "i"
    assert editor.text() == LEFT + RIGHT


def test_ghost_text_that_is_waited_for_comes_after_a_restart(start: Callable[..., Editor]) -> None:
    """Text typed while no server runs gets its ghost text from the next server, without another key."""
    editor = start()
    at_the_gap(editor)

    killed = kill(editor)
    editor.keys("<BS>(")
    editor.wait(lambda: editor.server() not in (None, killed))
    editor.wait(editor.ghost)

    assert editor.mode() == "i"
    assert editor.text() == LEFT + RIGHT


def model_process(editor: Editor) -> int:
    """Return the one process that the server has started: the one with the model."""
    threads = Path(f"/proc/{editor.server()}/task").iterdir()  # any of them may have started it
    (process,) = [int(child) for thread in threads for child in (thread / "children").read_text().split()]
    return process


def test_ghost_text_whose_model_process_is_killed_comes_without_another_key(start: Callable[..., Editor]) -> None:
    """The model is loaded anew, and the request that got no answer is sent again."""
    editor = start(OWN_PROCESS)
    at_the_gap(editor)
    editor.keys("<Esc>")
    model = model_process(editor)

    os.kill(model, signal.SIGSTOP)  # the model answers nothing while the request is on its way
    editor.keys("A")
    editor.wait(lambda: editor.lua("return require('dovetail').status()") == "Dovetail …")
    os.kill(model, signal.SIGKILL)

    editor.wait(editor.ghost)
    assert editor.mode() == "i"
    assert editor.text() == LEFT + RIGHT


def test_the_delays_double_until_the_server_is_left_alone(start: Callable[..., Editor]) -> None:
    """After 1, 2, 4 and 8 seconds it is restarted, then not any more; status and health say so, restart helps."""
    editor = start(before=SHORTEN)
    editor.edit("prices.py", LEFT + RIGHT, 2, 1)
    editor.keys("<Esc>")

    for count in range(5):
        kill(editor)
        if count < 4:
            editor.wait(lambda: editor.server() is not None and serves(editor))
    gone = "the server ended 5 times, last by signal 9. See `:checkhealth dovetail`."
    editor.wait(lambda: gone in editor.messages())

    assert editor.lua("return delays") == [1000, 2000, 4000, 8000]
    assert editor.server() is None
    assert editor.lua("return require('dovetail').status()") == "Dovetail ✗"
    editor.command("Dovetail status")
    assert "The server ended by signal 9. `:Dovetail restart` starts it." in editor.messages()
    assert report(editor).count("ERROR The server ended by signal 9.") == 1
    editor.command("Dovetail restart")
    editor.wait(lambda: editor.server() is not None and serves(editor))
    editor.wait(lambda: editor.lua("return require('dovetail').status()") == "Dovetail ✓")
    assert "ERROR" not in report(editor)


def report(editor: Editor) -> str:
    """Return the health report, and go back to the file."""
    editor.command("checkhealth dovetail")
    text = editor.wait(lambda: "Dovetail" in editor.text() and editor.text())
    editor.command("quit")
    return " ".join(text.split())


def test_restart_always_starts_a_server(start: Callable[..., Editor]) -> None:
    """With a running server, `:Dovetail restart` replaces it; without one, it starts one, and the status says so."""
    editor = start()
    editor.edit("prices.py", LEFT + RIGHT, 2, 1)
    editor.keys("<Esc>")
    first = editor.wait(editor.server)

    editor.command("Dovetail restart")
    second = editor.wait(lambda: (process := editor.server()) not in (None, first) and serves(editor) and process)
    editor.lua("vim.lsp.get_clients({ name = 'dovetail' })[1]:stop()")
    editor.wait(lambda: editor.server() is None)
    editor.command("Dovetail status")
    stopped = editor.messages()
    before = stopped.count("The server is being restarted.")
    editor.command("Dovetail restart")
    editor.command("Dovetail status")
    assert editor.messages().count("The server is being restarted.") == before + 2
    third = editor.wait(lambda: editor.server() is not None and serves(editor) and editor.server())

    assert len({first, second, third}) == 3
    assert "No server runs. `:Dovetail restart` starts one." in stopped
    assert "ended" not in editor.messages()


def test_a_server_that_starts_is_not_called_missing(start: Callable[..., Editor]) -> None:
    """A command right behind the opening of the first file says what the server does."""
    editor = start()
    editor.lua("vim.cmd.edit('prices.py') vim.cmd('Dovetail status')")

    assert "The server is still starting." in editor.messages()
    editor.wait(lambda: editor.server() is not None and serves(editor))
    assert "No server runs" not in editor.messages()

    before = editor.messages().count("still starting")
    editor.lua("vim.cmd('edit! prices.py | Dovetail status')")
    assert editor.messages().count("still starting") == before


def test_the_health_check_misses_a_server_that_was_stopped(start: Callable[..., Editor]) -> None:
    """A file without its server is an error in the report."""
    editor = start()
    editor.edit("prices.py", LEFT + RIGHT, 2, 1)
    editor.keys("<Esc>")
    editor.lua("vim.lsp.get_clients({ name = 'dovetail' })[1]:stop()")
    editor.wait(lambda: editor.server() is None)

    assert "ERROR No server serves `prices.py`" in report(editor)


def test_a_server_with_a_mistake_in_its_command_line_is_not_restarted(start: Callable[..., Editor]) -> None:
    """Exit code 2 means that the user must act: one message, no restart."""
    editor = start(before=SHORTEN)
    editor.lua("""
        local cmd = vim.list_extend(vim.deepcopy(require('dovetail.options').current.cmd), { '--no-such-option' })
        require('dovetail').setup({ cmd = cmd })
    """)
    editor.command(f"edit {editor.folder / 'prices.py'}")
    editor.wait(lambda: "the server ended with exit code 2." in editor.messages())

    assert editor.lua("return delays") == []
    assert editor.mode() == "n"
