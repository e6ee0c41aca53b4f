"""Go and Lua in a real Neovim: what is suggested while functions are typed ends with their brace, or their `end`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.end_to_end.known_text import TYPED, KnownText
from tests.engine_double import engine

import dovetail

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.end_to_end.neovim.editor import Editor

USUAL = """
    -- A person's settings, but that a comment does not go on by itself on the next line, which scripts cannot foresee.
    vim.api.nvim_create_autocmd('FileType', { callback = function()
        vim.bo.formatoptions = ''
        if vim.bo.filetype == 'lua' then vim.bo.expandtab, vim.bo.shiftwidth = true, 2 end
    end })
"""


SETTINGS = "keymaps = true, settings = {{ model = '{}', trigger = 'eager', max_tokens = 200, time_limit = 600 }}"
"""Options for `setup` with the usual keys and a model."""


class Typing(NamedTuple):
    """A part of a file that is written anew: its first lines are typed, the others are suggested."""

    file: str
    first: str
    """The first line of the part."""
    typed: str
    """The last line that is typed."""
    last: str
    """The last line of the part: the first such line after the one that is typed."""
    alone: bool = False
    """True if the file ends with the part, so that all of it is written from nothing."""
    scroll: str = "zz"
    """The command that scrolls the window first: the cursor's line is in its middle, or the last one."""


TYPINGS = {
    "Go, from nothing": Typing(
        "prices.go", "package prices", "func Total(prices []float64, rate float64) float64 {", "}", alone=True
    ),
    "Go, a function between others": Typing(
        "store.go",
        "// Take removes some items from the store.",
        "func (s *Store) Take(name string, count int) error {",
        "}",
    ),
    "Go, a function at the last line of the window": Typing(
        "store.go",
        "// Take removes some items from the store.",
        "func (s *Store) Take(name string, count int) error {",
        "}",
        scroll="zb",
    ),
    "Go, a loop in a function": Typing(
        "store.go", "\tfor _, name := range s.Names() {", "\tfor _, name := range s.Names() {", "\t}"
    ),
    "Lua, from nothing": Typing(
        "prices.lua", "local prices = {}", "function prices.total(list, rate)", "end", alone=True
    ),
    "Lua, a loop in a function": Typing(
        "prices.lua", "  for place, price in ipairs(list) do", "  for place, price in ipairs(list) do", "  end"
    ),
}


@pytest.fixture(name="model")
def _model() -> Iterator[str]:
    """Return the address of a model that knows the files by heart, and goes on beyond each of their ends."""
    with engine(KnownText([path.read_text() for path in sorted(TYPED.iterdir())]), "llamacpp") as served:
        yield served.url


@pytest.mark.parametrize("typing", TYPINGS.values(), ids=TYPINGS)
def test_what_is_suggested_ends_with_the_block(typing: Typing, model: str, start: Callable[..., Editor]) -> None:
    """The text goes up to the end of what was begun and no further, is drawn, and is accepted as a whole.

    Then the file is what it has to be, character by character: nothing is doubled, moved or indented otherwise.
    """
    known = (TYPED / typing.file).read_text()
    lines = known.splitlines()
    first = lines.index(typing.first)
    typed = lines.index(typing.typed, first) + 1
    end = lines.index(typing.last, typed) + 1
    left, right = lines[:first], [] if typing.alone else lines[end:]
    editor = start(SETTINGS.format(model), before=USUAL)
    editor.edit(typing.file, "".join(f"{line}\n" for line in (*left, *right)), max(first, 1), 1)
    editor.wait(lambda: editor.lua("return require('dovetail').status()") == "Dovetail ✓")

    editor.keys(f"<Esc>{typing.scroll}A" + "<CR>" * bool(left))
    editor.keys("".join(f"{line.strip()}<CR>" for line in lines[first:typed]))
    suggested = "\n".join(lines[typed:end]).lstrip()
    editor.wait(lambda: editor.ghost() == suggested)
    editor.command("redraw")
    screen = editor.screen()
    editor.keys("<Tab>")

    editor.wait(lambda: editor.text() == "".join(f"{line}\n" for line in (*lines[:end], *right)))
    assert all(line.expandtabs(8) in screen for line in lines[typed:end])
    assert dovetail.load_language(editor.lua("return vim.bo.filetype")).accepts(editor.text())
    assert editor.quiet()
