"""A file with a gap, and a Neovim that shows ghost text there."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.end_to_end.neovim.editor import Editor

_TARGET = f"python = {{ target_version = '3.{sys.version_info.minor}' }}"

SETTINGS = f"settings = {{ max_tokens = 16, min_characters = 1, trigger = 'eager', time_limit = 60, {_TARGET} }}"
"""An option for `setup`: offers text wherever there is some; a busy machine needs a generous time limit."""

KEYS = f"keymaps = true, {SETTINGS}"
"""Options for `setup` with the usual keys."""

LEFT = "def total(prices, rate):\n    subtotal = sum("
RIGHT = "\n    return subtotal * (1 + rate)\n"


def at_the_gap(editor: Editor) -> Path:
    """Open the file with the cursor between LEFT and RIGHT, and wait for ghost text."""
    path = editor.edit("prices.py", LEFT + RIGHT, 2, len("    subtotal = sum(") + 1)
    editor.wait(editor.ghost)
    return path
