"""The screen of a real Neovim with ghost text; `python -m tests.end_to_end.neovim.picture` writes it for the site."""

from __future__ import annotations

import sys
import tempfile
from html import escape
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.end_to_end.neovim.editor import Editor, find_neovim
from tests.end_to_end.neovim.gap import KEYS, at_the_gap

if TYPE_CHECKING:
    from collections.abc import Mapping

PICTURE = Path(__file__).parents[3] / "docs" / "drawings" / "neovim.svg"

_ROWS, _COLUMNS = 8, 64
_WIDTH, _HEIGHT = 8.4, 19
"""The size of a cell in pixels."""

_CELL = "return vim.api.nvim__inspect_cell(1, ...)"
"""Lua for a cell's text and look."""


class Look(NamedTuple):
    """The colours of a cell, as `#rrggbb`, or empty for the terminal's own."""

    text: str
    ground: str


_OWN = Look("#e0e2ea", "#14161b")
"""The colours of a terminal."""


def main() -> int:
    """Complete at the gap, draw the screen and return 0; return 1 if there is no Neovim."""
    program = find_neovim("forky", lambda version: version >= (0, 12))
    if program is None:
        sys.stderr.write("There is no Neovim 0.12: `make neovim` unpacks one.\n")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        editor = Editor(program, Path(folder), KEYS, before="vim.o.termguicolors = true")
        try:
            editor.command(f"set columns={_COLUMNS} lines={_ROWS} laststatus=0")
            at_the_gap(editor)
            editor.command("redraw!")
            # One request for each cell: within one script, Neovim 0.12 mixes the looks of cells up.
            cells = [[editor.lua(_CELL, row, column) for column in range(_COLUMNS)] for row in range(_ROWS)]
        finally:
            editor.close()
    PICTURE.write_text(draw([[(cell[0], _look(*cell[1:2])) for cell in row] for row in cells]), "utf-8")
    return 0


def draw(rows: list[list[tuple[str, Look]]]) -> str:
    """Return a picture of a screen: for each cell its text and its look."""
    width, height = len(rows[0]) * _WIDTH + 24, len(rows) * _HEIGHT + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">',
        "<title>A Python file in Neovim; the completion stands in grey after the cursor</title>",
        f'<rect width="{width:g}" height="{height:g}" rx="8" fill="{_OWN.ground}"/>',
        '<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">',
    ]
    for number, row in enumerate(rows):
        column = 0
        for look, cells in groupby(row, key=lambda cell: cell[1]):
            text = "".join(cell[0] for cell in cells)
            x, y = 12 + column * _WIDTH, 12 + number * _HEIGHT
            column += len(text)
            if look.ground != _OWN.ground:
                size = f'width="{len(text) * _WIDTH:g}" height="{_HEIGHT}"'
                parts.append(f'<rect x="{x:g}" y="{y:g}" {size} fill="{look.ground}"/>')
            if text.strip():
                before = len(text) - len(text.lstrip())
                start, length = x + before * _WIDTH, len(text.strip()) * _WIDTH
                parts.append(
                    f'<text x="{start:g}" y="{y + 14:g}" textLength="{length:g}" fill="{look.text}">'
                    f"{escape(text.strip())}</text>"
                )
    return "\n".join([*parts, "</g>", "</svg>", ""])


def _look(given: Mapping[str, int] | None = None) -> Look:
    """Return the look of a cell as Neovim has it; its fields are left out where they are the terminal's own."""
    given = given or {}
    text, ground = (
        f"#{given[name]:06x}" if name in given else own
        for name, own in (("foreground", _OWN.text), ("background", _OWN.ground))
    )
    return Look(ground, text) if given.get("reverse") else Look(text, ground)


if __name__ == "__main__":
    sys.exit(main())
