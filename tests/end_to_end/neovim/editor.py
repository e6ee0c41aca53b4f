"""A real Neovim, driven like a person does: keys go in, the screen comes out."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import platformdirs
from tests.end_to_end.neovim.remote import Remote

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")

CLIENT = Path(__file__).resolve().parents[3] / "client-neovim"

_PATIENCE = 180.0
"""Seconds to wait for a condition; loading the model takes long on a busy machine."""


def find_neovim(suite: str, fits: Callable[[tuple[int, int]], bool]) -> str | None:
    """Return an installed Neovim of a suitable version, or else the one that `install.sh` unpacked from a suite."""
    unpacked = platformdirs.user_cache_path("dovetail-tests") / f"neovim-{suite}" / "nvim"
    for program in (shutil.which("nvim"), str(unpacked)):
        if program is None or not os.access(program, os.X_OK):
            continue
        printed = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
        version = re.match(r"NVIM v(\d+)\.(\d+)", printed)
        assert version is not None, printed
        if fits((int(version[1]), int(version[2]))):
            return program
    return None


class PlainEditor:
    """A Neovim with nothing but a file of settings; its files are in a folder of its own."""

    def __init__(self, program: str, folder: Path, init: str) -> None:
        """Start it; `init` is the Lua code of its settings."""
        self.folder = folder
        settings = folder / "init.lua"
        settings.write_text(init)
        homes = [f"XDG_{kind}_HOME={folder / kind.lower()}" for kind in ("CONFIG", "DATA", "STATE")]
        plain = ["--embed", "--headless", "-n", "-i", "NONE", "-u", str(settings)]
        self._remote = Remote(["env", *homes, program, *plain])
        # Ghost text is drawn only on a screen.
        self._remote.call("nvim_ui_attach", 100, 30, {"rgb": True})

    def close(self) -> None:
        """End it, and the server with it."""
        self._remote.close()

    def lua(self, script: str, *arguments: object) -> Any:
        """Run some Lua and return what it returns."""
        return self._remote.call("nvim_exec_lua", script, arguments)

    def keys(self, keys: str) -> None:
        """Press keys, written as in mappings."""
        self._remote.call("nvim_input", keys)

    def command(self, command: str) -> None:
        """Run an Ex command."""
        self._remote.call("nvim_command", command)

    def mode(self) -> str:
        """Return the mode: `i` while text is inserted, `r` while a message waits for a key."""
        mode: str = self._remote.call("nvim_get_mode")["mode"]
        return mode

    def edit(self, name: str, text: str, line: int, column: int) -> Path:
        """Open a file with a text, in insert mode at a position (counted from 1, columns in bytes)."""
        path = self.folder / name
        path.write_text(text)
        self.command(f"edit {path}")
        self.opened()
        self.lua("vim.fn.cursor(...)", line, column)
        at_end = column > len(text.splitlines()[line - 1].encode()) if text else True
        self.keys("A" if at_end else "i")
        self.wait(lambda: self.mode() == "i")
        return path

    def opened(self) -> None:
        """Wait for what comes after a file was opened; nothing does here."""

    def wait(self, condition: Callable[[], T | Literal[False]]) -> T:
        """Wait until a condition is true, and return its value."""
        ends = time.monotonic() + _PATIENCE
        while time.monotonic() < ends:
            if found := condition():
                return found
            time.sleep(0.01)
        raise AssertionError("\n".join(["waited in vain", self.messages(), *self.screen()]))

    def text(self) -> str:
        """Return the text of the buffer."""
        return "\n".join(self._remote.call("nvim_buf_get_lines", 0, 0, -1, True)) + "\n"

    def screen(self) -> list[str]:
        """Return the lines of the screen."""
        self.command("redraw")
        script = """
            local lines = {}
            for row = 1, vim.o.lines do
                local cells = {}
                for column = 1, vim.o.columns do cells[column] = vim.fn.screenstring(row, column) end
                lines[row] = (table.concat(cells):gsub('%s+$', ''))
            end
            return lines
        """
        found: list[str] = self.lua(script)
        return found

    def messages(self) -> str:
        """Return all messages so far."""
        said: str = self._remote.call("nvim_exec2", "messages", {"output": True})["output"]
        return said

    def floats(self) -> str:
        """Return the text of all floating windows, with line breaks as spaces."""
        script = """
            local texts = {}
            for _, window in ipairs(vim.api.nvim_list_wins()) do
                if vim.api.nvim_win_get_config(window).relative ~= '' then
                    vim.list_extend(texts, vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true))
                end
            end
            return table.concat(texts, ' ')
        """
        found: str = self.lua(script)
        return found


class Editor(PlainEditor):
    """A Neovim with this plugin only."""

    def __init__(
        self,
        program: str,
        folder: Path,
        options: str = "",
        *,
        before: str = "",
        wrapper: Sequence[str] = (),
        plugin: Path | None = None,
    ) -> None:
        """Start it; `options` are fields of the table for `setup`, `before` is Lua code that runs first.

        `wrapper`: a command that runs the server, whose command line is appended to it. `plugin`: a copy of this
        plugin to run, with its own default for the server.
        """
        command = ", ".join(f"[[{word}]]" for word in (*wrapper, sys.executable, "-m", "dovetail", "serve"))
        super().__init__(
            program,
            folder,
            f"vim.opt.runtimepath:prepend([[{plugin or CLIENT}]])\n"
            f"{before}\n"
            f"require('dovetail').setup({{ {f'cmd = {{ {command} }},' if plugin is None else ''} {options} }})\n",
        )

    def opened(self) -> None:
        """Wait for the language server."""
        self.wait(lambda: self.lua("return #vim.lsp.get_clients({ bufnr = 0, name = 'dovetail' })") == 1)

    def ghost(self) -> str:
        """Return the ghost text of the buffer, empty if there is none."""
        script = """
            local namespace = vim.api.nvim_create_namespace('nvim.lsp.inline_completion')
            local marks = vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })
            if not marks[1] then return '' end
            local function text(chunks)
                return vim.iter(chunks):map(function(chunk) return chunk[1] end):join('')
            end
            local lines = { text(marks[1][4].virt_text) }
            for _, line in ipairs(marks[1][4].virt_lines or {}) do table.insert(lines, text(line)) end
            return table.concat(lines, '\\n')
        """
        found: str = self.lua(script)
        return found

    def server(self) -> int | None:
        """Return the process id of the one server, or None."""
        found: list[int] = self.lua("return vim.api.nvim_get_proc_children(vim.fn.getpid())")
        return found[0] if found else None

    def quiet(self) -> bool:
        """Return whether the client has logged no error."""
        log = Path(self.lua("return vim.lsp.get_log_path()"))
        return not log.exists() or "[ERROR]" not in log.read_text()
