"""A session of realistic typing in a real Neovim: nothing that a person must never see is offered in it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from tests.end_to_end.neovim.gap import KEYS
from tests.end_to_end.session import recorder
from tests.end_to_end.session.checks import problems
from tests.end_to_end.session.record import read_record
from tests.end_to_end.session.script import PAUSE, place_of, read_script, typed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.end_to_end.neovim.editor import Editor

PAIRS = """
    -- Brackets and quotes are closed while one types, and a closer that is there is typed over, as most plugins do.
    vim.o.expandtab, vim.o.autoindent, vim.o.shortmess = true, false, 'aoOstTWAIcCF'
    vim.cmd('filetype indent off')
    local function behind() return vim.api.nvim_get_current_line():sub(vim.fn.col('.'), vim.fn.col('.')) end
    for opener, closer in pairs({ ['('] = ')', ['['] = ']', ['{'] = '}' }) do
        vim.keymap.set('i', opener, opener .. closer .. '<C-g>U<Left>')
        vim.keymap.set('i', closer, function()
            return behind() == closer and '<C-g>U<Right>' or closer
        end, { expr = true })
    end
    for _, quote in ipairs({ '"', "'" }) do
        vim.keymap.set('i', quote, function()
            return behind() == quote and '<C-g>U<Right>' or quote .. quote .. '<C-g>U<Left>'
        end, { expr = true })
    end
    vim.api.nvim_create_autocmd('FileType', { callback = function()
        vim.bo.formatoptions, vim.bo.indentexpr, vim.bo.textwidth = '', '', 0
    end })
"""


@pytest.mark.parametrize("file", read_script(), ids=lambda file: file["file"])
def test_a_session_of_realistic_typing(file: dict[str, object], start: Callable[..., Editor], tmp_path: Path) -> None:
    """No offer tears a word, moves or comments out text, is shallower than a block that is due, or breaks a program.

    What was typed is in the file, and something was shown.
    """
    log = tmp_path / "messages"
    wrapper = (sys.executable, recorder.__file__, str(log))
    editor = start(
        KEYS.replace("min_characters = 1, trigger = 'eager'", "trigger = 'balanced'"), before=PAIRS, wrapper=wrapper
    )
    text = str(file["text"])
    path = editor.edit(str(file["file"]), text, 1, 1)
    editor.wait(lambda: editor.lua("return require('dovetail').status()") == "Dovetail ✓")
    steps: list[dict[str, str]] = file["steps"]  # type: ignore[assignment]

    for step in steps:
        at = place_of(step, text)
        line = text.count("\n", 0, at) + 1
        editor.keys("<Esc>")
        editor.wait(lambda: editor.mode() == "n")
        editor.lua("vim.fn.cursor(...)", line, len(text[:at].rpartition("\n")[2]) + 1)
        editor.keys("A" if text[at : at + 1] in ("", "\n") else "i")
        editor.wait(lambda: editor.mode() == "i")
        *parts, last = step["type"].split(PAUSE)
        for part in parts:
            requests = read_record(log).requests
            type_keys(editor, part)
            wait_for_answer(editor, log, requests)
        type_keys(editor, last)
        text = typed(step, text)
        editor.wait(lambda text=text: closed(editor.text()) == closed(text))
    editor.command("write")

    record = read_record(log)
    assert record.offers
    assert any(offer.shown for offer in record.offers)
    assert problems(record.offers) == []
    assert closed(path.read_text()) == closed(text)
    assert editor.quiet()


def type_keys(editor: Editor, text: str) -> None:
    """Type a text as fast as the editor takes it."""
    editor.keys(text.replace("<", "<lt>").replace("\n", "<CR>"))


def wait_for_answer(editor: Editor, log: Path, requests: int) -> None:
    """Wait for the answer to a request that was made since, or for as long as a person looks at what is there.

    No request is made where the keys went on with what was shown.
    """
    began = editor.lua("return vim.uv.now()")

    def answered() -> bool:
        record = read_record(log)
        if record.requests > requests and record.settled:
            return True
        return not record.pending and bool(editor.lua("return vim.uv.now() - ... > 2000", began))

    editor.wait(answered)


def closed(text: str) -> str:
    """Return a text without the line ends at its end."""
    return text.rstrip("\n")
