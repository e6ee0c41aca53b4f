"""A real Neovim with the plugin and a real server: what a person sees and gets."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING

import pytest
from tests.end_to_end.neovim.editor import CLIENT, Editor, find_neovim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NEOVIM = find_neovim("forky", lambda version: version >= (0, 12))

pytestmark = pytest.mark.skipif(NEOVIM is None, reason="there is no Neovim 0.12; `make neovim` unpacks one")

TARGET = f"python = {{ target_version = '3.{sys.version_info.minor}' }}"
KEYS = f"keymaps = true, settings = {{ max_tokens = 16, min_characters = 1, {TARGET} }}"

LEFT = "def total(prices, rate):\n    subtotal = sum("
RIGHT = "\n    return subtotal * (1 + rate)\n"


@pytest.fixture(name="start")
def _start(tmp_path: Path) -> Iterator[Callable[..., Editor]]:
    editors: list[Editor] = []

    def start(options: str = KEYS, *, before: str = "") -> Editor:
        assert NEOVIM is not None
        editors.append(Editor(NEOVIM, tmp_path, options, before=before))
        return editors[-1]

    yield start
    for editor in editors:
        editor.close()


def at_the_gap(editor: Editor) -> Path:
    """Open a file in whose second line something is missing, the cursor there, and wait for the ghost text."""
    path = editor.edit("prices.py", LEFT + RIGHT, 2, len("    subtotal = sum(") + 1)
    editor.wait(editor.ghost)
    return path


def test_ghost_text_is_drawn_and_accepted(start: Callable[..., Editor]) -> None:
    """What stands behind the cursor on the screen is in the file after the key, and the file parses."""
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


def test_typing_into_the_ghost_text_and_accepting_doubles_nothing(start: Callable[..., Editor]) -> None:
    """The key right after a typed character accepts the rest, though the shown text is that of before."""
    editor = start()
    at_the_gap(editor)
    ghost = editor.ghost()

    editor.keys(f"{ghost[0]}<Tab>")
    editor.wait(lambda: len(editor.text()) >= len(LEFT + ghost + RIGHT))

    assert editor.text() == LEFT + ghost + RIGHT


def test_what_was_typed_otherwise_is_not_overwritten(start: Callable[..., Editor]) -> None:
    """After a character with which the ghost text does not begin there is nothing to accept: the key is a key."""
    editor = start()
    at_the_gap(editor)
    typed = "q" if not editor.ghost().startswith("q") else "z"

    editor.keys(f"{typed}<Tab>")
    editor.wait(lambda: len(editor.text()) > len(LEFT + typed + RIGHT))

    assert editor.text().removeprefix(LEFT + typed).removesuffix(RIGHT).isspace()


def test_words_are_accepted_one_by_one(start: Callable[..., Editor]) -> None:
    """After the first word the rest is offered; word by word the whole completion comes in."""
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


def test_the_server_hears_what_is_shown_and_accepted(start: Callable[..., Editor]) -> None:
    """A text is shown; a word is a message with the length of all that was taken, the rest the item's command."""
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
        vim.api.nvim_create_autocmd('LspRequest', { callback = function(event)
            local request = event.data.request
            if request.method == 'workspace/executeCommand' and request.type == 'complete' then
                table.insert(told, 'all')
            end
        end })
    """)
    at_the_gap(editor)
    ghost = editor.ghost()
    editor.wait(lambda: ghost in [text for text, _ in editor.lua("return shown")])

    editor.keys("<M-w>")
    editor.wait(lambda: editor.lua("return #told") == 1)
    taken = len(editor.text()) - len(LEFT + RIGHT)
    editor.wait(lambda: editor.ghost() == ghost[taken:])
    editor.keys("<Tab>")
    editor.wait(lambda: editor.lua("return #told") == 2)

    names = [name for _, name in editor.lua("return shown")]
    assert len(set(names)) == len(names)  # each of them once
    assert editor.lua("return told") == [taken, "all"]
    assert editor.text() == LEFT + ghost + RIGHT
    assert editor.quiet()


def test_another_candidate_is_shown_and_accepted(start: Callable[..., Editor]) -> None:
    """The key for the next one asks for several and shows the second; the one for the previous goes back."""
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
    """Whatever was asked while typing, the ghost text that stays fits behind the last character."""
    editor = start()
    at_the_gap(editor)

    for key in "prices[":
        editor.keys(key)
    ghost = editor.wait(lambda: editor.text() == f"{LEFT}prices[{RIGHT}" and editor.ghost())
    editor.wait(lambda: editor.lua("return next(vim.lsp.get_clients({ bufnr = 0 })[1].requests) == nil"))
    ghost = editor.wait(editor.ghost)

    ast.parse(f"{LEFT}prices[{ghost}{RIGHT}")
    assert editor.quiet()


def test_without_ghost_text_the_key_is_what_it_was(start: Callable[..., Editor]) -> None:
    """In a place without a completion the key does what it did before, be it mapped or not."""
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
    """What is mapped everywhere after the server came to a buffer is what its key falls back to, however written."""
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
    """Set up with other keys, the former ones are what they were, in buffers that had them mapped as well."""
    before = """
        vim.api.nvim_create_autocmd('FileType', { callback = function(event)
            vim.keymap.set('i', '<M-w>', 'own', { buffer = event.buf })
            vim.keymap.set('i', '<C-y>', function() return 'called' end, { buffer = event.buf, expr = true })
        end })
    """
    editor = start("keymaps = { accept = '<Tab>', accept_word = '<M-w>', next = '<C-y>' }", before=before)
    editor.edit("prices.py", "", 1, 1)
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
    assert editor.text() == "owncalled\n"


def test_the_command_says_and_switches(start: Callable[..., Editor]) -> None:
    """Status, reason and switch are one sentence each; switched off there is no ghost text."""
    editor = start()
    at_the_gap(editor)
    editor.command("Dovetail status")
    editor.wait(lambda: "The embedded model" in editor.messages())
    assert editor.lua("return require('dovetail').status()") == "Dovetail ✓"
    editor.command("Dovetail why")
    editor.wait(lambda: "A completion was offered" in editor.messages())

    editor.command("Dovetail toggle")
    editor.wait(lambda: "Completions are switched off." in editor.messages())
    editor.wait(lambda: editor.lua("return require('dovetail').status()") == "Dovetail –")
    editor.keys("<Esc>A")
    editor.keys(" ")
    editor.wait(lambda: editor.lua("return next(vim.lsp.get_clients({ bufnr = 0 })[1].requests) == nil"))
    assert editor.ghost() == ""
    editor.command("Dovetail toggle")
    editor.wait(lambda: "Completions are switched on." in editor.messages())
    editor.command("Dovetail model /no/such/folder")
    editor.wait(lambda: "There is no folder /no/such/folder" in editor.messages())
    editor.command("Dovetail nonsense")
    known = "known are explain, model, restart, status, toggle, why."
    assert f"there is no `:Dovetail nonsense`: {known}" in editor.messages()


def test_settings_change_while_the_server_runs(start: Callable[..., Editor]) -> None:
    """Setting up again hands the running server the new settings."""
    editor = start()
    at_the_gap(editor)

    same = "cmd = require('dovetail.options').current.cmd"
    editor.lua(f"require('dovetail').setup({{ {same}, settings = {{ disabled_languages = {{ 'python' }} }} }})")
    editor.command("Dovetail why")

    editor.wait(lambda: "switched off for python" in editor.messages())


def edit_two_projects(editor: Editor) -> None:
    """Open a file in each of two repositories."""
    for project in ("one", "other"):
        (editor.folder / project / ".git").mkdir(parents=True)
        editor.edit(f"{project}/prices.py", "", 1, 1)
        editor.keys("<Esc>")


def test_one_server_serves_all_projects(start: Callable[..., Editor]) -> None:
    """Of two repositories, and a file that is in none, all have one server, so one model."""
    editor = start()

    edit_two_projects(editor)
    editor.edit("prices.json", "{}\n", 1, 1)

    assert editor.lua("return #vim.lsp.get_clients({ name = 'dovetail' })") == 1
    assert editor.quiet()


def test_projects_have_servers_of_their_own_where_that_is_chosen(start: Callable[..., Editor]) -> None:
    """With markers, each marked folder has its server; set up without them again, all files go to one."""
    editor = start("root_markers = { '.git' }")

    edit_two_projects(editor)
    editor.edit("one/more.py", "", 1, 1)

    files = """
        return vim.iter(vim.lsp.get_clients({ name = 'dovetail' })):map(function(client)
            return vim.tbl_count(client.attached_buffers)
        end):totable()
    """
    assert sorted(editor.lua(files)) == [1, 2]
    editor.lua("require('dovetail').setup({ cmd = require('dovetail.options').current.cmd })")
    editor.wait(lambda: editor.lua(files) == [3])
    assert "exit code" not in editor.messages()


def test_a_server_of_another_command_takes_the_place_of_one(start: Callable[..., Editor]) -> None:
    """Set up with another command line, an open file goes to the server that it starts, and to no other."""
    editor = start()
    editor.edit("prices.py", "", 1, 1)

    editor.lua("""
        local cmd = vim.list_extend(vim.deepcopy(require('dovetail.options').current.cmd), { '--log-level', 'error' })
        require('dovetail').setup({ cmd = cmd })
    """)
    last_words = """
        return vim.iter(vim.lsp.get_clients({ bufnr = 0 })):map(function(client)
            return client.config.cmd[#client.config.cmd]
        end):totable()
    """
    editor.wait(lambda: editor.lua(last_words) == ["error"])

    assert "exit code" not in editor.messages()
    editor.command("Dovetail status")
    editor.wait(lambda: "model" in editor.messages())


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("{ colour = 1 }", "there is no option `colour`: known are cmd, filetypes, keymaps, root_markers, settings."),
        ("{ cmd = 'dovetail' }", "the option `cmd` has to be a list of strings."),
        ("{ keymaps = { tab = '<Tab>' } }", "there is no key for `tab`: known are accept, accept_line,"),
        ("{ keymaps = { accept = 1 } }", "the key for `accept` has to be written like `<Tab>`, or false."),
        ("3", "the options of setup() have to be a table."),
    ],
)
def test_a_mistake_in_the_options_is_one_sentence(start: Callable[..., Editor], options: str, sentence: str) -> None:
    """What is wrong is named with what is known, and raises nothing."""
    editor = start()

    editor.lua(f"require('dovetail').setup({options})")

    assert f"Dovetail: {sentence}" in editor.messages()


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
    """A word has the blanks before it, a line the line end before it, and neither is empty."""
    editor = start()

    parts = editor.lua(
        "local part = require('dovetail.ghost').part\n"
        "return { part(..., 'all'), part(..., 'word'), part(..., 'line') }",
        text,
    )

    assert parts == [text, word, line]


def test_the_health_check_is_clean(start: Callable[..., Editor]) -> None:
    """With a server that runs, there is neither an error nor a warning."""
    editor = start()
    at_the_gap(editor)

    editor.keys("<Esc>")
    editor.command("checkhealth dovetail")
    report = editor.wait(lambda: "Dovetail" in editor.text() and editor.text())

    assert "ERROR" not in report
    assert "WARNING" not in report
    for part in ("shows inline completions", "serve` is dovetail", "The embedded model is ready.", "<Tab> accept"):
        assert part in report


def test_the_health_check_names_what_is_missing(start: Callable[..., Editor]) -> None:
    """A command that does not exist is an error with the remedy."""
    editor = start()
    editor.lua("require('dovetail').setup({ cmd = { 'no-such-dovetail', 'serve' } })")

    editor.command("checkhealth dovetail")
    report = editor.wait(lambda: "Dovetail" in editor.text() and editor.text())

    assert "ERROR `no-such-dovetail` is no command" in report
    assert "pip install" in report


def test_the_help_has_its_tags(start: Callable[..., Editor], tmp_path: Path) -> None:
    """The help file is found, and names every option, function and subcommand."""
    editor = start()
    doc = tmp_path / "help" / "doc"
    doc.mkdir(parents=True)
    page = (CLIENT / "doc" / "dovetail.txt").read_text()
    (doc / "dovetail.txt").write_text(page)

    editor.command(f"helptags {doc}")
    editor.lua("vim.opt.runtimepath:append(...)", str(doc.parent))
    tags = {line.split("\t")[0] for line in (doc / "tags").read_text().splitlines()}

    for tag in ("dovetail", "dovetail-options", ":Dovetail", "dovetail.setup()"):
        assert tag in tags
        editor.command(f"help {tag}")
    names = editor.lua("return vim.tbl_keys(require('dovetail.options').defaults)")
    names += [f":Dovetail-{name}" for name in editor.lua("return require('dovetail.commands').names()")]
    names += [f"dovetail.{name}()" for name in editor.lua("return vim.tbl_keys(require('dovetail'))")]
    missing = [name for name in names if f"*{name}*" not in page and f"*dovetail-{name}*" not in page]
    assert missing == []
