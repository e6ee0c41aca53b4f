"""The keys of a real Neovim with the plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.end_to_end.neovim.gap import KEYS, LEFT, RIGHT, SETTINGS, at_the_gap

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.end_to_end.neovim.editor import Editor

MORE_KEYS = "accept_word = '<M-w>', accept_line = '<M-l>', next = '<M-]>', previous = '<M-[>', dismiss = '<C-e>'"


def test_without_ghost_text_the_key_is_what_it_was(start: Callable[..., Editor]) -> None:
    """Without ghost text a mapped key runs its own mapping."""
    before = (
        "vim.keymap.set('i', '<Tab>', function() vim.api.nvim_put({ 'put' }, 'c', false, true) end)\n"
        "vim.keymap.set('i', '<M-w>', 'mapped')\n"
        "vim.keymap.set('i', '<M-l>', function() return 'called' end, { expr = true })"
    )
    editor = start(before=before)
    editor.edit("empty.json", "{}\n", 1, 3)
    editor.command("Dovetail toggle document")
    editor.wait(lambda: "switched off for this document" in editor.messages())

    editor.keys("<Space><M-w><M-l>")
    editor.wait(lambda: "called" in editor.text())
    editor.keys("<Tab>")
    editor.wait(lambda: "put" in editor.text())

    assert editor.text() == "{} mappedcalledput\n"


def test_the_key_is_what_a_plugin_mapped_it_to_later(start: Callable[..., Editor]) -> None:
    """A global mapping that is made later is respected, in whatever notation the key is written."""
    editor = start("keymaps = { accept = '<tab>', accept_word = '<c-y>', accept_line = '<A-l>' }")
    editor.edit("empty.json", "", 1, 1)

    editor.lua("""
        vim.keymap.set('i', '<Tab>', 'later ')
        vim.keymap.set('i', '<C-Y>', function() return 'called ' end, { expr = true })
        vim.keymap.set('i', '<M-l>', 'line')
    """)
    editor.keys("<Tab><C-y><M-l>")
    editor.wait(lambda: "line" in editor.text())

    assert editor.text() == "later called line\n"


def test_other_keys_take_the_place_of_those_before(start: Callable[..., Editor]) -> None:
    """After setup() with other keys, the former keys do what they did before, also where a buffer had mapped them."""
    before = """
        vim.api.nvim_create_autocmd('FileType', { callback = function(event)
            vim.keymap.set('i', '<M-w>', 'own', { buffer = event.buf })
            vim.keymap.set('i', '<C-y>', function() return 'called' end, { buffer = event.buf, expr = true })
        end })
    """
    editor = start(
        f"keymaps = {{ accept = '<Tab>', accept_word = '<M-w>', next = '<C-y>' }}, {SETTINGS}", before=before
    )
    at_the_gap(editor)
    ours = """
        local keys = {}
        for _, mapping in ipairs(vim.api.nvim_buf_get_keymap(0, 'i')) do
            if vim.startswith(mapping.desc or '', 'Dovetail') then keys[mapping.lhs] = mapping.desc end
        end
        return keys
    """
    assert set(editor.lua(ours)) == {"<Tab>", "<M-w>", "<C-Y>"}

    same = "cmd = require('dovetail.options').current.cmd"
    editor.lua(f"require('dovetail').setup({{ {same}, keymaps = {{ accept = '<M-a>', accept_line = '<Tab>' }} }})")

    assert editor.lua(ours) == {"<M-a>": "Dovetail: accept", "<Tab>": "Dovetail: accept line"}
    editor.keys("<M-w><C-y>")
    editor.wait(lambda: "called" in editor.text())
    assert "sum(owncalled" in editor.text()


KEYS_TO_COMPARE = ("<M-l>", "<M-w>", "<Tab>", "<C-y>", "<M-]>", "<M-[>", "<C-e>")


def effect(editor: Editor, key: str) -> tuple[str, str, list[int]]:
    """Return the text, the mode and the cursor after some typing that ends with a key, in a file without a server."""
    editor.command("enew!")
    editor.lua("vim.api.nvim_buf_set_lines(0, 0, -1, true, { 'above right', 'left right' })")
    editor.lua("vim.fn.cursor(2, 5)")
    editor.keys(f"iteh{key}x<Esc>")
    editor.wait(lambda: editor.lua("return vim.fn.getcharstr(1)") == "" and editor.mode() == "n")
    return editor.text(), editor.mode(), editor.lua("return vim.fn.getpos('.')")


def test_without_ghost_text_every_key_does_exactly_what_it_does_without_the_plugin(
    start: Callable[..., Editor],
) -> None:
    """Unmapped keys have the same effect in a served file without ghost text as in a file without a server."""
    editor = start(f"keymaps = {{ accept = '<Tab>', {MORE_KEYS} }}, settings = {{ enabled = false }}")
    editor.edit("prices.py", LEFT + RIGHT, 2, 1)
    editor.keys("<Esc>")
    editor.command("iabbrev teh the")
    served = editor.lua("return vim.api.nvim_get_current_buf()")

    for key in KEYS_TO_COMPARE:
        expected = effect(editor, key)
        editor.command(f"buffer! {served}")
        editor.lua("vim.api.nvim_buf_set_lines(0, 0, -1, true, { 'above right', 'left right' })")
        editor.lua("vim.bo.expandtab = false; vim.bo.indentexpr = ''; vim.bo.softtabstop = 0")
        editor.lua("vim.fn.cursor(2, 5)")
        editor.keys(f"iteh{key}x<Esc>")
        editor.wait(lambda: editor.lua("return vim.fn.getcharstr(1)") == "" and editor.mode() == "n")
        text, mode, position = editor.text(), editor.mode(), editor.lua("return vim.fn.getpos('.')")

        assert (key, text, mode, position[1:]) == (key, expected[0], expected[1], expected[2][1:])


def test_a_key_hides_the_ghost_text(start: Callable[..., Editor]) -> None:
    """Insert mode goes on, the text is as it was, and the ghost text can be asked for again."""
    editor = start(KEYS)
    at_the_gap(editor)

    editor.keys("<C-e>")
    editor.wait(lambda: editor.ghost() == "")

    assert (editor.mode(), editor.text()) == ("i", LEFT + RIGHT)
    editor.keys("<M-\\>")
    editor.wait(editor.ghost)


def test_a_key_that_does_not_accept_acts_as_if_typed(start: Callable[..., Editor]) -> None:
    """Right after a character that differs from the ghost text, <M-l> moves the cursor as without the plugin."""
    editor = start()
    at_the_gap(editor)
    typed = "q" if not editor.ghost().startswith("q") else "z"

    editor.keys(f"{typed}<M-l>")
    editor.wait(lambda: editor.mode() == "n")

    assert editor.text() == LEFT + typed + RIGHT


def test_ghost_text_is_asked_for_by_hand(start: Callable[..., Editor]) -> None:
    """A key in insert mode and a command in normal mode get ghost text where none is offered while typing."""
    editor = start(KEYS.replace("'eager'", "'manual'"))
    editor.edit("prices.py", LEFT + RIGHT, 2, len("    subtotal = sum(") + 1)
    editor.wait(lambda: editor.lua("return require('dovetail').status()") == "Dovetail ✓")
    assert editor.ghost() == ""

    editor.keys("<M-\\>")
    ghost = editor.wait(editor.ghost)
    editor.keys("<Esc>")
    editor.wait(lambda: editor.mode() == "n" and editor.ghost() == "")
    editor.command("Dovetail complete")

    assert editor.wait(editor.ghost) == ghost
    assert editor.mode() == "i"
    editor.keys("<Tab>")
    editor.wait(lambda: editor.text() != LEFT + RIGHT)
    assert editor.text().startswith(LEFT + ghost.splitlines()[0])


def test_behind_ghost_text_that_was_asked_for_there_are_others(start: Callable[..., Editor]) -> None:
    """By hand the first text comes alone; the keys for other candidates bring the others, and the way back."""
    editor = start(KEYS.replace("'eager'", "'manual'"))
    editor.edit("prices.py", LEFT + RIGHT, 2, len("    subtotal = sum(") + 1)
    editor.wait(lambda: editor.lua("return require('dovetail').status()") == "Dovetail ✓")

    editor.keys("<M-\\>")
    first = editor.wait(editor.ghost)
    editor.keys("<M-]>")
    second = editor.wait(lambda: (ghost := editor.ghost()) not in ("", first) and not ghost.startswith(first) and ghost)
    editor.keys("<M-[>")
    again = editor.wait(lambda: (ghost := editor.ghost()) != second and ghost)

    assert again.startswith(first)


def test_a_request_by_hand_is_not_mixed_up_with_one_by_itself(start: Callable[..., Editor]) -> None:
    """Requests that Neovim makes by itself just before or soon after are no answer to the one by hand."""
    editor = start(KEYS.replace("'eager'", "'manual'"))
    editor.edit("prices.py", LEFT + RIGHT, 2, len("    subtotal = sum(") + 1)
    editor.wait(lambda: editor.lua("return require('dovetail').status()") == "Dovetail ✓")

    # One request by itself is on its way, and another is due in 200 ms.
    editor.lua("""
        local this = require('dovetail.completor').of(vim.api.nvim_get_current_buf())
        this:request(vim.lsp.protocol.InlineCompletionTriggerKind.Automatic)
        this:automatic_request()
        require('dovetail').complete()
        planned = this.timer ~= nil
    """)
    first = editor.wait(editor.ghost)
    editor.lua("""
        local this = require('dovetail.completor').of(vim.api.nvim_get_current_buf())
        this:request(vim.lsp.protocol.InlineCompletionTriggerKind.Automatic)
        require('dovetail').cycle(1)
    """)
    editor.wait(lambda: (ghost := editor.ghost()) not in ("", first) and not ghost.startswith(first) and ghost)

    assert editor.lua("return planned") is False
    assert "Nothing is offered" not in editor.messages() + editor.floats()


def test_ghost_text_is_told_from_text_in_a_terminal_of_few_colours(start: Callable[..., Editor]) -> None:
    """Its group is grey and italic there, after a change of the colour scheme too; one that has a look keeps it."""
    editor = start()
    look = "return vim.api.nvim_get_hl(0, { name = 'ComplHint', link = false })"

    first = editor.lua(look)
    editor.command("colorscheme habamax")
    editor.command("colorscheme default")
    second = editor.lua(look)
    editor.command("highlight! link ComplHint Underlined")
    editor.lua("vim.api.nvim_exec_autocmds('ColorScheme', {})")
    chosen = editor.lua(look)

    assert (first["ctermfg"], first["cterm"]) == (second["ctermfg"], second["cterm"]) == (8, {"italic": True})
    assert "fg" in first
    assert chosen["cterm"] == {"underline": True}


def test_the_health_check_warns_of_few_colours_only_where_ghost_text_looks_like_text(
    start: Callable[..., Editor],
) -> None:
    """A group that the plugin has made grey and italic is nothing to mend; one without any look is a warning."""
    editor = start()
    editor.lua("require('dovetail.colours').are_few = function() return true end")

    def report() -> str:
        editor.command("checkhealth dovetail")
        return editor.wait(lambda: "24-bit colours" in editor.text() and editor.text())

    assert "WARNING" not in report()
    editor.command("highlight clear ComplHint")
    assert "WARNING The screen has no 24-bit colours, so ghost text looks like text" in report()


def test_a_wish_before_the_server_has_started_is_remembered(start: Callable[..., Editor]) -> None:
    """The key that asks for ghost text works in a file that was just opened, and says what it waits for."""
    editor = start(wrapper=("sh", "-c", 'sleep 4; exec "$@"', "sh"))
    (editor.folder / "prices.py").write_text(LEFT + RIGHT)
    editor.command(f"edit {editor.folder / 'prices.py'}")
    editor.keys("2GA<M-Bslash>")

    editor.wait(lambda: "The server is still starting." in editor.messages())
    assert editor.lua("return #vim.lsp.get_clients({ bufnr = 0, name = 'dovetail' })") == 0
    editor.wait(editor.ghost)
    assert editor.text() == LEFT + RIGHT


def test_a_wish_before_the_server_has_started_is_dropped_with_insert_mode(start: Callable[..., Editor]) -> None:
    """A user who has left insert mode meanwhile sees no ghost text."""
    editor = start(wrapper=("sh", "-c", 'sleep 2; exec "$@"', "sh"))
    (editor.folder / "prices.py").write_text(LEFT + RIGHT)
    editor.command(f"edit {editor.folder / 'prices.py'}")
    editor.keys("2GA<M-Bslash><Esc>")

    editor.opened()
    at_rest = editor.lua("vim.wait(500) return vim.api.nvim_get_mode().mode")
    assert (at_rest, editor.ghost()) == ("n", "")


def test_a_key_with_a_mapping_of_its_own_keeps_it_before_the_server_has_started(start: Callable[..., Editor]) -> None:
    """Only a key that does nothing else waits for the server."""
    editor = start(before="vim.keymap.set('i', '<M-Bslash>', 'own')", wrapper=("sh", "-c", 'sleep 2; exec "$@"', "sh"))
    (editor.folder / "empty.py").write_text("")
    editor.command(f"edit {editor.folder / 'empty.py'}")
    editor.keys("i<M-Bslash>")

    editor.wait(lambda: editor.text() == "own\n")
