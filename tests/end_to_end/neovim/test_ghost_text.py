"""Ghost text in a real Neovim with a real server."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from tests.end_to_end.neovim.gap import LEFT, RIGHT, at_the_gap

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.end_to_end.neovim.editor import Editor

RECORD_REQUESTS = """
    -- After each change of the text: the line up to the cursor, whether ghost text is shown, the number of requests.
    drawn, requests = {}, 0
    vim.api.nvim_create_autocmd('LspRequest', { callback = function(event)
        local request = event.data.request
        if request.method == 'textDocument/inlineCompletion' and request.type == 'pending' then
            requests = requests + 1
        end
    end })
    vim.api.nvim_create_autocmd('CursorMovedI', { callback = function()
        local column = vim.api.nvim_win_get_cursor(0)[2]
        local line = vim.api.nvim_get_current_line():sub(1, column):match('sum%(.*')
        table.insert(drawn, { line, require('dovetail.completor').is_shown(0), requests })
    end })
"""


def test_ghost_text_is_drawn_and_accepted(start: Callable[..., Editor]) -> None:
    """The text that is drawn after the cursor is in the file after the key, and the file parses."""
    editor = start()
    path = at_the_gap(editor)
    ghost = editor.ghost()
    drawn = next(line for line in editor.screen() if "subtotal = sum(" in line)
    before = editor.text()

    editor.keys("<Tab>")
    editor.wait(lambda: editor.text() != before)
    editor.command("write")

    assert f"sum({ghost.splitlines()[0]}" in drawn
    assert path.read_text() == LEFT + ghost + RIGHT
    ast.parse(path.read_text())
    assert editor.quiet()


def test_ghost_text_keeps_its_look_before_a_bracket_that_is_marked(start: Callable[..., Editor]) -> None:
    """`matchparen` marks the bracket behind the cursor, and not what is drawn before it."""
    editor = start(before="vim.o.termguicolors = true")
    editor.edit("prices.py", LEFT + ")" + RIGHT, 2, len("    subtotal = sum(") + 1)
    editor.wait(editor.ghost)
    editor.command("redraw!")
    row = next(number for number, line in enumerate(editor.screen()) if "subtotal = sum(" in line)
    column = editor.screen()[row].index("sum(") + len("sum(")

    cell = editor.lua("return vim.api.nvim__inspect_cell(1, ...)", row, column)
    hint = editor.lua("return vim.api.nvim_get_hl(0, { name = 'ComplHint', link = false })")

    assert cell[0] == editor.ghost()[0]
    assert cell[1] == {"foreground": hint["fg"]}


def test_typing_into_the_ghost_text_and_accepting_doubles_nothing(start: Callable[..., Editor]) -> None:
    """The key right after a typed character accepts the remaining text only."""
    editor = start()
    at_the_gap(editor)
    ghost = editor.ghost()

    editor.keys(f"{ghost[0]}<Tab>")
    editor.wait(lambda: len(editor.text()) >= len(LEFT + ghost + RIGHT))

    assert editor.text() == LEFT + ghost + RIGHT


def test_accepted_text_is_taken_back_apart_from_what_was_typed(start: Callable[..., Editor]) -> None:
    """`u` takes back what was typed after it, then the accepted text alone, then what was typed before it."""
    editor = start()
    at_the_gap(editor)
    text = editor.ghost()
    editor.keys(text[0])
    editor.wait(lambda: editor.text() == LEFT + text[0] + RIGHT)
    editor.wait(editor.ghost)
    editor.keys("<Tab>")
    editor.wait(lambda: len(editor.text()) > len(LEFT + text[0] + RIGHT))
    accepted = editor.text()
    editor.keys("é<Esc>")
    editor.wait(lambda: editor.mode() == "n")

    taken_back = []
    for _ in range(3):
        editor.command("undo")
        taken_back.append(editor.text())

    assert taken_back == [accepted, LEFT + text[0] + RIGHT, LEFT + RIGHT]


def test_what_was_typed_otherwise_is_not_overwritten(start: Callable[..., Editor]) -> None:
    """After a character that differs from the ghost text, nothing is accepted: the key is an ordinary key."""
    editor = start()
    at_the_gap(editor)
    typed = "q" if not editor.ghost().startswith("q") else "z"

    editor.keys(f"{typed}<Tab>")
    editor.wait(lambda: len(editor.text()) > len(LEFT + typed + RIGHT))

    assert editor.text().removeprefix(LEFT + typed).removesuffix(RIGHT).isspace()


def test_nothing_is_accepted_before_what_was_typed_of_it(start: Callable[..., Editor]) -> None:
    """With the cursor moved back into what was typed of it, the key is an ordinary key."""
    editor = start()
    at_the_gap(editor)
    ghost = editor.ghost()

    editor.keys(f"{ghost[0]}<Left><Tab>")
    editor.wait(lambda: len(editor.text()) > len(LEFT + ghost[0] + RIGHT))

    assert editor.text().removeprefix(LEFT).removesuffix(ghost[0] + RIGHT).isspace()


def test_a_bracket_that_is_closed_by_itself_ends_the_ghost_text(start: Callable[..., Editor]) -> None:
    """A text may end with what is put behind the cursor together with a typed character."""
    editor = start()
    at_the_gap(editor)
    ghost = editor.ghost()
    editor.lua(f"vim.keymap.set('i', '{ghost[0]}', '{ghost[0]})<Left>')")

    editor.keys(f"{ghost[0]}<Tab>")
    editor.wait(lambda: len(editor.text()) > len(LEFT + ghost[0] + ")" + RIGHT))

    assert editor.text().removeprefix(LEFT + ghost[0]).removesuffix(")" + RIGHT).isspace()


def test_words_are_accepted_one_by_one(start: Callable[..., Editor]) -> None:
    """After each accepted word the remaining text is shown, until the whole completion is in the file."""
    editor = start()
    at_the_gap(editor)
    ghost = editor.ghost()
    parts: list[str] = []

    while (rest := ghost[sum(map(len, parts)) :]).strip():
        editor.wait(lambda rest=rest: editor.ghost() == rest)
        before = len(editor.text())
        editor.keys("<M-w>")
        editor.wait(lambda before=before: len(editor.text()) > before)
        parts.append(rest[: len(editor.text()) - before])

    assert editor.text() == LEFT + ghost + RIGHT
    assert len(parts) > 1


def test_an_answer_without_a_text_leaves_the_rest_of_an_accepted_word(start: Callable[..., Editor]) -> None:
    """Neovim asks after each change; a server that has nothing to add there takes nothing away."""
    editor = start()
    at_the_gap(editor)
    ghost = editor.ghost()

    editor.keys("<M-w>")
    editor.wait(lambda: editor.text() != LEFT + RIGHT)
    taken = editor.text().removeprefix(LEFT).removesuffix(RIGHT)
    editor.lua("""
        local this = require('dovetail.completor').of(vim.api.nvim_get_current_buf())
        local client = vim.lsp.get_clients({ bufnr = 0, name = 'dovetail' })[1]
        this:handler(nil, { items = {} }, { client_id = client.id, bufnr = this.bufnr })
    """)

    assert taken
    assert ghost == taken + editor.ghost()


def test_the_server_hears_what_is_shown_and_accepted(start: Callable[..., Editor]) -> None:
    """The server learns of a shown item, of the length accepted in part, and of the rest by the item's command."""
    editor = start()
    editor.lua("""
        shown, told = {}, {}
        vim.api.nvim_create_autocmd('LspNotify', { callback = function(event)
            local params = event.data.params
            if event.data.method == 'textDocument/didShowCompletion' then
                table.insert(shown, { params.item.insertText, params.item.command.arguments[1] })
            elseif event.data.method == 'textDocument/didPartiallyAcceptCompletion' then
                table.insert(told, params.acceptedLength)
            end
        end })
    """)
    at_the_gap(editor)
    editor.lua("""
        local client = vim.lsp.get_clients({ name = 'dovetail' })[1]
        local run = client.exec_cmd
        client.exec_cmd = function(self, command, ...)
            table.insert(told, command.command == 'dovetail.server.accepted' and 'all' or command.command)
            return run(self, command, ...)
        end
    """)
    ghost = editor.ghost()
    editor.wait(lambda: ghost in [text for text, _ in editor.lua("return shown")])

    editor.keys("<M-w>")
    editor.wait(lambda: editor.lua("return #told") == 1)
    taken = len(editor.text()) - len(LEFT + RIGHT)
    editor.wait(lambda: editor.ghost() == ghost[taken:])
    editor.keys("<Tab>")
    editor.wait(lambda: editor.lua("return #told") == 2)

    names = [name for _, name in editor.lua("return shown")]
    assert len(set(names)) == len(names)  # each item once
    assert editor.lua("return told") == [taken, "all"]
    assert editor.text() == LEFT + ghost + RIGHT
    assert editor.quiet()


def test_another_candidate_is_shown_and_accepted(start: Callable[..., Editor]) -> None:
    """The key for the next candidate requests several and shows the second; the other key goes back."""
    editor = start()
    at_the_gap(editor)
    first = editor.ghost()

    editor.keys("<M-]>")
    second = editor.wait(lambda: (ghost := editor.ghost()) != first and ghost)
    editor.keys("<M-[>")
    again = editor.wait(lambda: (ghost := editor.ghost()) != second and ghost)
    editor.keys("<M-]>")
    editor.wait(lambda: editor.ghost() == second)
    editor.keys("<Tab>")
    editor.wait(lambda: editor.text() != LEFT + RIGHT)

    assert again.startswith(first)
    ast.parse(editor.text())
    assert second.startswith(editor.text()[len(LEFT) : -len(RIGHT)])


def test_of_fast_keys_only_the_last_is_answered(start: Callable[..., Editor]) -> None:
    """The ghost text that remains after fast typing fits after the last character."""
    editor = start()
    at_the_gap(editor)

    for key in "prices[":
        editor.keys(key)
    ghost = editor.wait(lambda: editor.text() == f"{LEFT}prices[{RIGHT}" and editor.ghost())
    editor.wait(lambda: editor.lua("return next(vim.lsp.get_clients({ bufnr = 0 })[1].requests) == nil"))
    ghost = editor.wait(editor.ghost)

    ast.parse(f"{LEFT}prices[{ghost}{RIGHT}")
    assert editor.quiet()


@pytest.mark.parametrize(
    ("text", "word", "line"),
    [
        ("prices) * 2", "prices", "prices) * 2"),
        (") * 2", ")", ") * 2"),
        ("  + été(1)", "  +", "  + été(1)"),
        (" naïve_1 = 2", " naïve_1", " naïve_1 = 2"),
        ("\n    x = 1\n    y", "\n    x", "\n    x = 1"),
        ("x\n", "x", "x"),
        ("  ", "  ", "  "),
    ],
)
def test_the_first_word_and_the_first_line(start: Callable[..., Editor], text: str, word: str, line: str) -> None:
    """A word includes the blanks before it, a line the line end before it; neither is empty."""
    editor = start()

    parts = editor.lua(
        "local part = require('dovetail.ghost').part\n"
        "return { part(..., 'all'), part(..., 'word'), part(..., 'line') }",
        text,
    )

    assert parts == [text, word, line]


def test_ghost_text_disappears_with_the_first_key_that_differs(start: Callable[..., Editor]) -> None:
    """After a different character no ghost text is left at once; deleting it brings the same text back from memory."""
    editor = start()
    at_the_gap(editor)
    ghost = editor.ghost()
    editor.lua(RECORD_REQUESTS)
    typed = "q" if not ghost.startswith("q") else "z"

    editor.keys(typed)
    editor.wait(lambda: f"sum({typed}" in editor.text())
    shown_after_key = editor.lua("return drawn")
    requests = editor.lua("return requests")
    editor.keys("<BS>")
    editor.wait(lambda: editor.text() == LEFT + RIGHT)
    _, is_shown, requests_then = editor.lua("return drawn[#drawn]")

    assert shown_after_key == [[f"sum({typed}", False, 0]]
    assert (is_shown, editor.ghost()) == (True, ghost)
    # At most the request for the text with the key, none for the text without it.
    assert requests_then - requests <= 1


def test_remembered_ghost_text_is_accepted(start: Callable[..., Editor]) -> None:
    """A text that came back from memory is accepted like any other."""
    editor = start()
    at_the_gap(editor)
    ghost = editor.ghost()

    editor.keys(f"{ghost[0]}@")
    editor.wait(lambda: f"sum({ghost[0]}@" in editor.text() and not editor.ghost())
    editor.keys("<BS>")
    editor.wait(lambda: editor.ghost() == ghost[1:])
    editor.keys("<Tab>")
    editor.wait(lambda: len(editor.text()) >= len(LEFT + ghost + RIGHT))

    assert editor.text() == LEFT + ghost + RIGHT


def test_a_change_elsewhere_clears_the_memory(start: Callable[..., Editor]) -> None:
    """After a change in another line, a remembered text is not shown before the server has answered."""
    editor = start()
    at_the_gap(editor)
    editor.lua(RECORD_REQUESTS)

    editor.keys("@")
    editor.wait(lambda: "sum(@" in editor.text())
    editor.lua("vim.api.nvim_buf_set_lines(0, 2, 3, true, { '    return subtotal' })")
    editor.keys("<BS>")
    editor.wait(lambda: "sum(\n" in editor.text())

    assert editor.lua("return drawn")[-1][:2] == ["sum(", False]


def test_switching_off_clears_the_memory(start: Callable[..., Editor]) -> None:
    """Switched off, a remembered text is not shown."""
    editor = start()
    at_the_gap(editor)

    editor.lua("vim.cmd('Dovetail toggle')")
    editor.wait(lambda: editor.lua("return require('dovetail').status()") == "Dovetail –")
    editor.keys("@")
    editor.wait(lambda: "sum(@" in editor.text())
    editor.keys("<BS>")
    editor.wait(lambda: "sum(\n" in editor.text())

    assert editor.ghost() == ""
