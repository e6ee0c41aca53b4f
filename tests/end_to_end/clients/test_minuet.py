"""minuet-ai.nvim in a real Neovim, over the doors of OpenAI and of Mistral."""

from __future__ import annotations

import ast
import json
from typing import TYPE_CHECKING

import pytest
from tests.end_to_end.clients.conftest import KEY

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.end_to_end.neovim.editor import PlainEditor

_PYTHON = "def area(width, height):\n    return (\n\n\nprint(area(2, 3))\n"
_JSON = '{\n  "sizes": [1, 2, ]\n}\n'
_DOORS = {"openai_fim_compatible": "/v1/completions", "codestral": "/v1/fim/completions"}


def _settings(provider: str, address: str, key: str) -> str:
    options = f"end_point = '{address}{_DOORS[provider]}', api_key = function() return '{key}' end, name = 'Dovetail'"
    return (
        # A long message would wait for a key.
        "told = {}; vim.notify = function(text) table.insert(told, text) end; "
        f"require('minuet').setup({{ provider = '{provider}', request_timeout = 600, "
        f"provider_options = {{ {provider} = {{ {options}, optional = {{ max_tokens = 32 }} }} }}, "
        "virtualtext = { keymap = { accept = '<C-y>', next = '<C-n>' } } })"
    )


@pytest.mark.parametrize("provider", _DOORS)
@pytest.mark.parametrize("name", ["area.py", "sizes.json"])
def test_a_text_is_shown_and_taken(
    neovim: Callable[[str, str], PlainEditor], address: str, provider: str, name: str
) -> None:
    """The text that minuet shows lands in the file with its key, and fits, also in JSON, which has no comments."""
    python = name.endswith(".py")
    editor = neovim("minuet-ai.nvim", _settings(provider, address, KEY))
    editor.edit(name, *((_PYTHON, 2, 100) if python else (_JSON, 2, 19)))
    editor.keys("<C-n>")
    editor.wait(lambda: editor.lua("return require('minuet.virtualtext').action.is_visible()"))
    before = editor.text()
    editor.keys("<C-y>")
    editor.wait(lambda: editor.text() != before)

    if python:
        ast.parse(editor.text())
    else:
        json.loads(editor.text())


def test_a_wrong_key_is_told(neovim: Callable[[str, str], PlainEditor], address: str) -> None:
    """A user without a key sees the host's sentence about it, and no text."""
    editor = neovim("minuet-ai.nvim", _settings("codestral", address, "mallory"))
    editor.edit("area.py", _PYTHON, 2, 100)
    editor.keys("<C-n>")

    editor.wait(lambda: "The key is missing or wrong" in editor.lua("return table.concat(told)"))
    assert editor.text() == _PYTHON
