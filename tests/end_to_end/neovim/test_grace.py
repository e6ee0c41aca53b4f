"""The keys that accept ghost text in a real Neovim, pressed in a row and once too often."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.end_to_end.neovim.gap import KEYS, LEFT, RIGHT, at_the_gap

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.end_to_end.neovim.editor import Editor

NO_MORE_REQUESTS = """
    local this = require('dovetail.completor').of(vim.api.nvim_get_current_buf())
    this:reset_timer()
    this.automatic_request = this.show
"""


def at_the_only_ghost_text(editor: Editor) -> str:
    """Return the text with the ghost text in it; no other ghost text comes after it."""
    at_the_gap(editor)
    editor.wait(lambda: editor.lua("return next(vim.lsp.get_clients({ bufnr = 0 })[1].requests) == nil"))
    editor.lua(NO_MORE_REQUESTS)
    return LEFT + editor.ghost() + RIGHT


@pytest.mark.parametrize("key", ["<M-w>", "<M-l>"])
def test_a_key_in_a_row_accepts_part_by_part_and_then_nothing(start: Callable[..., Editor], key: str) -> None:
    """Pressed faster than the editor draws, and too often, it accepts all of the text and stays in insert mode."""
    editor = start()
    whole = at_the_only_ghost_text(editor)

    editor.keys(key * 8)
    editor.wait(lambda: editor.text() == whole)
    editor.keys(f"{key}{key}é")
    editor.wait(lambda: "é" in editor.text())

    assert editor.mode() == "i"
    assert editor.text() == whole.replace(RIGHT, f"é{RIGHT}")


def test_after_another_key_a_key_is_what_it_was(start: Callable[..., Editor]) -> None:
    """One more character, and the key leaves insert mode as without the plugin."""
    editor = start()
    whole = at_the_only_ghost_text(editor)
    editor.keys("<M-l>")
    editor.wait(lambda: editor.text() == whole)

    editor.keys("é")
    editor.wait(lambda: "é" in editor.text())
    editor.keys("<M-l>")

    editor.wait(lambda: editor.mode() == "n")


def test_after_a_moment_a_key_is_what_it_was(start: Callable[..., Editor]) -> None:
    """The key is mapped for a moment only, and not after insert mode was left."""
    editor = start()
    whole = at_the_only_ghost_text(editor)
    mapped = "return vim.fn.maparg('<M-l>', 'i') ~= ''"
    editor.keys("<M-l>")
    editor.wait(lambda: editor.text() == whole)
    is_mapped_at_first = editor.lua(mapped)

    editor.wait(lambda: not editor.lua(mapped))
    editor.keys("<M-l>")
    editor.wait(lambda: editor.mode() == "n")
    editor.command("undo")
    editor.keys("a")
    editor.wait(lambda: editor.mode() == "i")
    editor.lua("require('dovetail.grace').begin('<M-l>', function() end)")
    editor.keys("<Esc>")
    editor.wait(lambda: editor.mode() == "n")

    assert is_mapped_at_first
    assert editor.lua("return require('dovetail.grace').key(vim.api.nvim_get_current_buf()) == nil")


@pytest.mark.parametrize(
    ("options", "before", "key", "effect"),
    [
        (KEYS, "vim.keymap.set('i', '<M-w>', 'own')", "<M-w>", "own"),
        (KEYS.replace("keymaps = true", "keymaps = { accept_word = '<C-y>' }"), "", "<C-y>", "é"),
    ],
)
def test_a_key_that_stays_in_insert_mode_needs_no_moment(
    start: Callable[..., Editor], options: str, before: str, key: str, effect: str
) -> None:
    """A key with a mapping of its own, or without <Alt>, is at once what it is without the plugin."""
    editor = start(options, before=before)
    whole = at_the_only_ghost_text(editor)
    while editor.text() != whole:
        length = len(editor.text())
        editor.keys(key)
        editor.wait(lambda length=length: len(editor.text()) > length)

    editor.lua("vim.api.nvim_buf_set_lines(0, 0, 1, true, { ('é'):rep(60) })")  # <C-Y> takes a character of it
    editor.keys(key)

    editor.wait(lambda: f"{effect}\n    return" in editor.text())
    assert editor.mode() == "i"
