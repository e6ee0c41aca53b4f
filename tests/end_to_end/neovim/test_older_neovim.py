"""An older Neovim, without inline completions: Dovetail appears among its other completions."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from tests.end_to_end.neovim.editor import Editor, find_neovim

if TYPE_CHECKING:
    from pathlib import Path

NEOVIM = find_neovim("trixie", lambda version: (0, 10) <= version < (0, 12))

pytestmark = pytest.mark.skipif(NEOVIM is None, reason="there is no Neovim 0.10 or 0.11; `make neovim` unpacks one")

LEFT = "def total(prices, rate):\n    subtotal = sum(p"
RIGHT = ")\n    return subtotal * (1 + rate)\n"


def test_the_editors_own_key_completes(tmp_path: Path) -> None:
    """Omni completion inserts the item at the cursor, the file parses, and the health check finds no error."""
    assert NEOVIM is not None
    settings = "settings = { max_tokens = 16, min_characters = 1, trigger = 'eager', completion_time_limit = 20 }"
    editor = Editor(NEOVIM, tmp_path, f"keymaps = true, {settings}")
    try:
        path = editor.edit("prices.py", LEFT + RIGHT, 2, len("    subtotal = sum(p") + 1)

        editor.keys("<C-x><C-o>")
        editor.wait(lambda: editor.text() != LEFT + RIGHT)
        editor.keys("<Esc>")
        editor.wait(lambda: editor.mode() == "n")
        editor.command("write")

        assert path.read_text().startswith(LEFT)
        assert path.read_text().endswith(RIGHT)
        ast.parse(path.read_text())
        assert editor.quiet()
        editor.command("Dovetail status")
        editor.wait(lambda: "The embedded model" in editor.messages())
        editor.command("checkhealth dovetail")
        report = editor.wait(lambda: "Dovetail" in editor.text() and editor.text())
        assert "ERROR" not in report
        assert "among the other ones" in report or "<C-X><C-O>" in report
    finally:
        editor.close()


def test_one_server_serves_all_projects(tmp_path: Path) -> None:
    """Two repositories, and a file outside of both, share one server; with markers, each has its own."""
    assert NEOVIM is not None
    editor = Editor(NEOVIM, tmp_path)
    try:
        for project in ("one", "other"):
            (tmp_path / project / ".git").mkdir(parents=True)
            editor.edit(f"{project}/prices.py", "", 1, 1)
            editor.keys("<Esc>")
        editor.edit("prices.json", "{}\n", 1, 1)
        count = "return #vim.lsp.get_clients({ name = 'dovetail' })"
        assert editor.lua(count) == 1

        cmd = "cmd = require('dovetail.options').current.cmd"
        editor.lua(f"require('dovetail').setup({{ {cmd}, root_markers = {{ '.git' }} }})")

        editor.wait(lambda: editor.lua(count) == 3)
        assert "ended" not in editor.messages()
        assert editor.quiet()
    finally:
        editor.close()
