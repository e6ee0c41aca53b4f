"""An older Neovim, without inline completions: Dovetail appears among its other completions."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from tests.end_to_end.neovim.editor import Editor, find_neovim

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NEOVIM = find_neovim("trixie", lambda version: (0, 10) <= version < (0, 12))

older = pytest.mark.skipif(NEOVIM is None, reason="there is no Neovim 0.10 or 0.11; `make neovim` unpacks one")

LEFT = "def total(prices, rate):\n    subtotal = sum(p"
RIGHT = ")\n    return subtotal * (1 + rate)\n"


@older
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
        assert "OK Keys in insert mode: <M-\\> complete\n" in report
        assert "not mapped in this Neovim: <C-e> dismiss, <M-[> previous, <M-]> next, <M-l> accept line" in report
        assert "<M-w> accept word" in report
    finally:
        editor.close()


@older
def test_what_works_without_ghost_text_is_told_once(tmp_path: Path) -> None:
    """The first start says so, the next does not; `why` and `complete` repeat it."""
    assert NEOVIM is not None
    first = "This Neovim has no ghost text, which comes with 0.12."
    (tmp_path / "prices.py").write_text(LEFT + RIGHT)
    for said in (f"Dovetail: {first}", ""):
        editor = Editor(NEOVIM, tmp_path, "keymaps = true")
        try:
            editor.command(f"edit {tmp_path / 'prices.py'}")
            editor.opened()
            editor.wait(lambda editor=editor: editor.lua("return require('dovetail').status()") == "Dovetail ✓")
            assert editor.messages() == said
            assert editor.mode() == "n"
            for command, key in (("why", "$"), ("complete", "0")):
                editor.keys(key)  # closes the float before
                editor.wait(lambda editor=editor: editor.floats() == "")
                editor.command(f"Dovetail {command}")
                editor.wait(lambda editor=editor: f"{first} `<C-X><C-O>` in insert mode lists" in editor.floats())
        finally:
            editor.close()


@older
def test_the_key_that_asks_by_hand_opens_the_menu(tmp_path: Path) -> None:
    """It inserts the text that fits, like the editor's own key; pressed again, it goes on to the next entry."""
    assert NEOVIM is not None
    settings = "settings = { max_tokens = 16, min_characters = 1, trigger = 'manual', completion_time_limit = 20 }"
    editor = Editor(NEOVIM, tmp_path, f"keymaps = true, {settings}", before="vim.o.completeopt = 'menuone'")
    try:
        editor.edit("prices.py", LEFT + RIGHT, 2, len("    subtotal = sum(p") + 1)

        editor.keys("<M-\\>")
        editor.wait(lambda: editor.text() != LEFT + RIGHT)
        editor.keys("<M-\\>")
        editor.wait(lambda: editor.text() == LEFT + RIGHT)

        assert editor.mode() == "ic"
    finally:
        editor.close()


def test_where_neovim_lists_completions_while_one_types_that_is_told(start: Callable[..., Editor]) -> None:
    """A Neovim with the menu of 0.11 and no ghost text lists a completion after a sign, and inserts none unasked."""
    editor = start(
        "settings = { max_tokens = 16, min_characters = 1, trigger = 'eager', completion_time_limit = 20 }",
        before="require('dovetail.client').has_inline = function() return false end",
    )
    (editor.folder / "prices.py").write_text(LEFT + RIGHT)
    editor.command(f"edit {editor.folder / 'prices.py'}")
    editor.wait(lambda: "Completions are listed after signs such as `(`" in editor.floats())
    editor.lua("vim.fn.cursor(2, 15)")

    editor.keys("C max(")

    editor.wait(lambda: editor.lua("return vim.fn.pumvisible()") == 1)
    assert any("Text Dovetail" in line for line in editor.screen())
    assert editor.text() == LEFT.replace("sum(p", "max(") + RIGHT.removeprefix(")")
    editor.keys("<C-n>")
    editor.wait(lambda: "max(p" in editor.text())


@older
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
