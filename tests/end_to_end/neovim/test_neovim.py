"""The commands, options, help and health check of the plugin in a real Neovim."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.end_to_end.neovim.editor import CLIENT
from tests.end_to_end.neovim.gap import KEYS, at_the_gap
from tests.narrow_model import narrow_model

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.end_to_end.neovim.editor import Editor


def test_the_command_says_and_switches(start: Callable[..., Editor]) -> None:
    """Each subcommand answers with a sentence; switched off, there is no ghost text."""
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
    known = "Dovetail: `nonsense` is none of complete, explain, install, model, models, restart, status, toggle, why."
    editor.wait(lambda: known in editor.messages() + editor.floats())
    editor.command("Dovetail modle")
    editor.wait(lambda: "Dovetail: there is no command `modle`: did you mean `model`?" in editor.messages())


def test_a_language_that_the_model_does_not_know_is_told(start: Callable[..., Editor], tmp_path: Path) -> None:
    """In a Go file the status line, the status, the reason and the health check say so, and name what helps here."""
    model = narrow_model(tmp_path / "narrow", "python")
    editor = start(KEYS.replace("settings = { ", f"settings = {{ model = '{model}', "))
    at_the_gap(editor)
    editor.wait(lambda: editor.lua("return require('dovetail').status()") == "Dovetail ✓")

    editor.edit("main.go", "package main\n", 1, 1)
    editor.wait(lambda: editor.lua("return require('dovetail').status()") == "Dovetail –")
    for command in ("status", "why"):
        editor.command("messages clear")
        editor.command(f"Dovetail {command}")
        editor.wait(lambda: "does not know Go" in editor.messages() + editor.floats())
        assert "`:Dovetail models` lists models." in editor.messages() + editor.floats()
    editor.command("checkhealth dovetail")
    editor.wait(lambda: "does not know Go" in editor.text())
    editor.command("bwipeout")
    editor.command("edit prices.py")

    editor.wait(lambda: editor.lua("return require('dovetail').status()") == "Dovetail ✓")


def test_settings_change_while_the_server_runs(start: Callable[..., Editor]) -> None:
    """A second setup() sends the new settings to the running server."""
    editor = start()
    at_the_gap(editor)

    same = "cmd = require('dovetail.options').current.cmd"
    editor.lua(f"require('dovetail').setup({{ {same}, settings = {{ disabled_languages = {{ 'python' }} }} }})")
    editor.command("Dovetail why")

    editor.wait(lambda: "switched off for Python" in editor.messages())


def edit_two_projects(editor: Editor) -> None:
    """Open a file in each of two repositories."""
    for project in ("one", "other"):
        (editor.folder / project / ".git").mkdir(parents=True)
        editor.edit(f"{project}/prices.py", "", 1, 1)
        editor.keys("<Esc>")


def test_one_server_serves_all_projects(start: Callable[..., Editor]) -> None:
    """Two repositories, and a file outside of both, share one server and so one model."""
    editor = start()

    edit_two_projects(editor)
    editor.edit("prices.json", "{}\n", 1, 1)

    assert editor.lua("return #vim.lsp.get_clients({ name = 'dovetail' })") == 1
    assert editor.quiet()


def test_projects_have_servers_of_their_own_where_that_is_chosen(start: Callable[..., Editor]) -> None:
    """With markers each marked folder has a server; after setup() without markers, all files share one."""
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
    assert "ended" not in editor.messages()


def test_a_server_of_another_command_takes_the_place_of_one(start: Callable[..., Editor]) -> None:
    """After setup() with another command line, an open file is served by a new server only."""
    editor = start()
    editor.edit("prices.py", "", 1, 1)

    editor.lua("""
        local cmd = vim.list_extend(vim.deepcopy(require('dovetail.options').current.cmd), { '--log-level', 'error' })
        require('dovetail').setup({ cmd = cmd })
    """)
    last_words = """
        return vim.iter(vim.lsp.get_clients({ bufnr = 0 })):map(function(client)
            return client.config.words[#client.config.words]
        end):totable()
    """
    editor.wait(lambda: editor.lua(last_words) == ["error"])

    assert "ended" not in editor.messages()
    editor.command("Dovetail status")
    editor.wait(lambda: "model" in editor.messages())


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("{ keymap = true }", "There is no option `keymap`: did you mean `keymaps`?"),
        ("{ colour = 1 }", "There is no option `colour`. Choose from cmd, filetypes, keymaps, python, root_markers,"),
        ("{ cmd = 'dovetail' }", "The option `cmd` must be a list of strings."),
        ("{ keymaps = { acept = '<Tab>' } }", "There is no action `acept`: did you mean `accept`?"),
        ("{ keymaps = { tab = '<Tab>' } }", "There is no action `tab`. Choose from accept, accept_line,"),
        ("{ keymaps = { accept = 1 } }", "The key for `accept` must be a string such as `<Tab>`, or false."),
        ("{ 1, setting = {} }", "There is no option `1`. Choose from"),
        ("{ 1, setting = {} }", "There is no option `setting`: did you mean `settings`?"),
        ("3", "The argument of setup() must be a table."),
    ],
)
def test_a_mistake_in_the_options_is_one_sentence(start: Callable[..., Editor], options: str, sentence: str) -> None:
    """The message names the mistake and the choices, cuts no sentence, and nothing is raised."""
    editor = start()

    editor.lua(f"require('dovetail').setup({options})")

    editor.wait(lambda: sentence in f"{editor.messages()} {editor.floats()}")
    assert editor.mode() == "n"
    [line] = editor.messages().splitlines()
    assert line.startswith("Dovetail: ")
    assert "…" not in line


def test_several_mistakes_in_the_options_have_a_line_each(start: Callable[..., Editor]) -> None:
    """The message counts them, a float and `status` list them, and the health check has an entry for each."""
    editor = start("keymap = true, filetypes = 'lua', setting = { trigger = 'eager' }, python = 3")
    mistakes = [
        "There is no option `keymap`: did you mean `keymaps`?",
        "There is no option `setting`: did you mean `settings`?",
        "The option `filetypes` must be a list of strings.",
        "The option `python` must be a string.",
    ]
    listed = " ".join(["The call of setup() has 4 mistakes.", *(f"- {mistake}" for mistake in mistakes)])

    editor.wait(lambda: listed in editor.floats())
    assert editor.messages().splitlines()[-1] == "Dovetail: The call of setup() has 4 mistakes."
    editor.command("Dovetail status")
    editor.wait(lambda: f"{listed} Until the call of setup() is mended, Dovetail is off." in editor.floats())

    editor.command("checkhealth dovetail")
    report = editor.wait(lambda: "Dovetail ~" in editor.text() and editor.text())
    assert [report.count(f"ERROR {mistake} Dovetail is off.\n") for mistake in mistakes] == [1, 1, 1, 1]


@pytest.mark.parametrize("is_set_up", [False, True])
def test_a_mistake_in_the_options_is_named_until_it_is_mended(start: Callable[..., Editor], is_set_up: bool) -> None:
    """Health check and status name it, instead of asking for the call that was made; an earlier call still holds."""
    mistake = "There is no option `keymap`: did you mean `keymaps`?"
    editor = start("" if is_set_up else "keymap = true")
    cmd = "cmd = { vim.v.progpath, '--version' }"

    editor.lua("require('dovetail').setup({ keymap = true })")
    for command in ("status", "restart"):
        editor.command("messages clear")
        editor.command(f"Dovetail {command}")
        assert editor.messages().startswith("Dovetail has no grammar" if is_set_up else mistake)
    editor.command("checkhealth dovetail")
    report = editor.wait(lambda: "Dovetail ~" in editor.text() and editor.text())
    assert f"{'WARNING' if is_set_up else 'ERROR'} {mistake}" in report
    assert ("serve` is dovetail" in report) == is_set_up
    assert "not set up" not in report

    editor.lua(f"require('dovetail').setup({{ {cmd} }})")
    editor.command("checkhealth dovetail")
    editor.wait(lambda: "Dovetail ~" in editor.text() and mistake not in editor.text())


def test_the_health_check_is_clean(start: Callable[..., Editor]) -> None:
    """With a running server, there is neither an error nor a warning."""
    editor = start()
    at_the_gap(editor)

    editor.keys("<Esc>")
    editor.wait(lambda: editor.lua("return require('dovetail').status()") == "Dovetail ✓")
    editor.command("checkhealth dovetail")
    report = editor.wait(lambda: "Dovetail" in editor.text() and editor.text())

    assert "ERROR" not in report
    assert "WARNING" not in report
    for part in ("shows inline completions", "serve` is dovetail", "The embedded model is ready.", "<Tab> accept"):
        assert part in report


def test_the_health_check_says_that_a_server_starts(start: Callable[..., Editor], tmp_path: Path) -> None:
    """A server that has not answered yet is no error."""
    script = tmp_path / "slow"
    script.write_text('#!/bin/sh\ntest "$1" = --version && exec echo dovetail 1\nexec cat >/dev/null\n')
    script.chmod(0o755)
    editor = start(f"cmd = {{ '{script}', 'serve' }}")
    editor.command("edit gap.py")
    editor.command("checkhealth dovetail")
    report = editor.wait(lambda: "slow serve` is dovetail 1" in editor.text() and editor.text())

    assert "The server of `gap.py` is starting" in report
    assert "ERROR" not in report


def test_the_health_check_names_what_is_missing(start: Callable[..., Editor]) -> None:
    """A command that does not exist is an error with advice."""
    editor = start()
    editor.lua("require('dovetail').setup({ cmd = { 'no-such-dovetail', 'serve' } })")

    editor.command("checkhealth dovetail")
    report = editor.wait(lambda: "Dovetail" in editor.text() and editor.text())

    assert "ERROR `no-such-dovetail` is not a command" in report
    assert "pip install" in report


def test_the_help_has_its_tags(start: Callable[..., Editor], tmp_path: Path) -> None:
    """The help file has tags for every option, function and subcommand."""
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
