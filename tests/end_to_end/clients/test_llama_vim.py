"""llama.vim in a real Neovim, over the door of llama.cpp."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from tests.end_to_end.clients.conftest import KEY

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.end_to_end.neovim.editor import PlainEditor

_TEXT = "def area(width, height):\n    return \n\n\nprint(area(2, 3))\n"

_HINT = """
    local namespace = vim.api.nvim_create_namespace('vt_fim')
    local texts = {}
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
        for _, chunk in ipairs(mark[4].virt_text or {}) do table.insert(texts, chunk[1]) end
    end
    return table.concat(texts)
"""


def _settings(address: str, key: str) -> str:
    return f"vim.g.llama_config = {{ endpoint_fim = '{address}/infill', api_key = '{key}', show_info = 0 }}"


@pytest.mark.parametrize("accept", ["<Tab>", "<S-Tab>"])
def test_a_text_is_shown_and_taken(neovim: Callable[[str, str], PlainEditor], address: str, accept: str) -> None:
    """The text that llama.vim shows while its user types lands in the file with its key, and makes a program of it."""
    editor = neovim("llama.vim", _settings(address, KEY))
    editor.edit("area.py", _TEXT, 2, 12)
    editor.keys("(")

    def shown() -> bool:
        """Return whether a text is shown; the first quarter of a second may have been too short for one."""
        if editor.lua(_HINT):
            return True
        if editor.lua("return vim.fn['llama#is_fim_hint_shown']()"):
            editor.keys("<Bslash>llf<Bslash>llf")  # hide that nothing was found, and ask again
        return False

    editor.wait(shown)
    before = editor.text()
    editor.keys(accept)
    editor.wait(lambda: editor.text() != before)

    assert editor.text().startswith("def area(width, height):\n    return (")
    ast.parse(editor.text())
