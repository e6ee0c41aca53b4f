"""Messages of the plugin in a real Neovim: one short line, details in a floating window, and true reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.end_to_end.neovim.gap import KEYS, LEFT, RIGHT, at_the_gap

from dovetail.grammar.disk_cache import making
from dovetail.grammar.language_cache import cache_file
from dovetail.grammar.library import find_grammar

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.end_to_end.neovim.editor import Editor


def test_a_long_answer_is_one_line_and_a_float(start: Callable[..., Editor]) -> None:
    """Nothing waits for a key; the line fits the screen, and the float holds the whole text."""
    editor = start()
    at_the_gap(editor)
    editor.keys("<Esc>")
    editor.command("set columns=60")

    for command in ("status", "why", "explain", "model /no/such/folder/with/a/long/name/that/does/not/fit/one/line"):
        editor.keys("0$")  # closes the float of the command before
        editor.wait(lambda: editor.floats() == "")
        before = len(editor.messages().splitlines())
        editor.command(f"Dovetail {command}")
        said = editor.wait(lambda before=before: editor.messages().splitlines()[before:])

        assert editor.mode() == "n"
        assert len(said) == 1
        assert len(said[0]) < 60
        if said[0].endswith("…"):
            beginning = said[0].rstrip("…")
            editor.wait(lambda beginning=beginning: len(editor.floats()) > len(beginning))
            assert editor.floats().startswith(beginning)


def test_wrong_settings_are_one_message_and_stay_in_the_status(start: Callable[..., Editor]) -> None:
    """Nothing waits for a key, all mistakes are in the float, `why` and the health check."""
    editor = start(
        "settings = { trigger = 'sometimes', max_tokens = 'many', candidates = 1, ['python.target_version'] = '2.7' }"
    )
    mistakes = (
        "The setting `max_tokens` has to be a whole number of at least 1, not 'many'; `64` is taken.",
        "The setting `trigger` has to be `eager`, `balanced` or `manual`, not 'sometimes'; `balanced` is taken.",
        "not '2.7'; `3.14` is taken.",
    )
    editor.edit("gap.py", LEFT + RIGHT, 1, 1)

    def all_of(text: str) -> bool:
        return all(mistake in text for mistake in mistakes)

    editor.wait(lambda: all_of(editor.floats()))
    assert editor.mode() == "i"
    [said] = editor.messages().splitlines()
    assert said.startswith("Dovetail: The setting `")
    editor.wait(lambda: editor.lua("return require('dovetail').status()") == "Dovetail !")
    editor.keys("<Esc>0$")  # closes the float
    editor.wait(lambda: editor.floats() == "")
    editor.command("Dovetail why")
    editor.wait(lambda: all_of(editor.floats()))
    for command, key in (("status", "0"), ("model", "$"), ("model embedded", "0")):
        editor.keys(key)  # closes the float before
        editor.wait(lambda: editor.floats() == "")
        editor.command(f"Dovetail {command}")
        editor.wait(lambda: all_of(editor.floats()))
        assert editor.messages().splitlines()[-1] == "The embedded model is ready."
        assert editor.floats().startswith("The embedded model is ready. The setting `")
    editor.command("checkhealth dovetail")
    report = editor.wait(lambda: "WARNING" in editor.text() and editor.text())
    assert all_of(" ".join(report.split()))
    assert "OK The embedded model is ready.\n" in report


def test_wrong_settings_are_named_beside_a_model_that_is_missing(start: Callable[..., Editor]) -> None:
    """Status, `why` and the health check name both; each mistake is a line of the health check."""
    editor = start("settings = { triger = 'eager', max_tokens = 'many', model = '/nowhere/x.gguf' }")
    sentences = (
        "There is no file /nowhere/x.gguf: name one that exists.",
        "There is no setting `triger`: did you mean `trigger`?",
        "The setting `max_tokens` has to be a whole number of at least 1, not 'many'; `64` is taken.",
    )
    editor.edit("gap.py", LEFT + RIGHT, 1, 1)
    editor.wait(lambda: editor.lua("return require('dovetail').status()") == "Dovetail ✗")
    editor.wait(lambda: "max_tokens" in editor.floats())
    editor.keys("<Esc>")
    editor.wait(lambda: editor.mode() == "n")

    for command, key in (("status", "$"), ("why", "0")):
        editor.keys(key)  # closes the float before
        editor.wait(lambda: editor.floats() == "")
        before = editor.messages().splitlines()
        editor.command(f"Dovetail {command}")
        editor.wait(lambda: all(sentence in editor.floats() for sentence in sentences))
        # On a slow machine the server's own message about the model comes meanwhile.
        assert sentences[0] in editor.messages().splitlines()[len(before) :]

    editor.command("checkhealth dovetail")
    report = editor.wait(lambda: "ERROR" in editor.text() and editor.text())
    assert f"ERROR {sentences[0]}\n" in report
    assert [report.count(f"WARNING {sentence}\n") for sentence in sentences[1:]] == [1, 1]


def test_a_model_that_is_missing_is_told_once(start: Callable[..., Editor]) -> None:
    """The start says in one line what is wrong and what to do, and so does the key that asks by hand."""
    editor = start("keymaps = true, settings = { model = '/nowhere/x.gguf' }")
    sentence = "There is no file /nowhere/x.gguf: name one that exists."
    editor.edit("gap.py", LEFT + RIGHT, 1, 1)

    editor.wait(lambda: editor.messages() == f"Dovetail: {sentence}")
    editor.keys("<M-\\>")
    editor.wait(lambda: editor.messages() == f"Dovetail: {sentence}\n{sentence}")
    assert editor.mode() == "i"

    editor.keys("<Esc>")
    editor.command("messages clear")
    other = "There is no file /nowhere/y.gguf: name one that exists."
    editor.command("Dovetail model /nowhere/y.gguf")
    editor.wait(lambda: other in editor.messages())
    # By then a failure that lasts would have been told a second time.
    editor.lua("settled = false; vim.defer_fn(function() settled = true end, 400)")
    editor.wait(lambda: editor.lua("return settled"))
    assert editor.messages() == other


def test_a_float_closes_when_the_cursor_moves(start: Callable[..., Editor]) -> None:
    """Details do not stay in the way."""
    editor = start()
    at_the_gap(editor)
    editor.keys("<Esc>")
    editor.lua("require('dovetail.notice').tell(...)", "A long text. " * 20)
    editor.wait(lambda: "A long text." in editor.floats())

    editor.keys("gg")

    editor.wait(lambda: editor.floats() == "")
    assert editor.messages().splitlines()[-1] == "A long text."


def test_why_explains_a_request_that_leaving_insert_mode_cancelled(start: Callable[..., Editor]) -> None:
    """Asked before there is an answer, `:Dovetail why` gives the reason of that request."""
    editor = start()
    at_the_gap(editor)
    editor.lua("""
        requests = 0
        vim.api.nvim_create_autocmd('LspRequest', { callback = function(event)
            local request = event.data.request
            if request.method == 'textDocument/inlineCompletion' and request.type == 'pending' then
                -- As soon as the request is sent, the user leaves insert mode.
                if requests == 0 then vim.api.nvim_input('<Esc>') end
                requests = requests + 1
            end
        end })
    """)

    editor.keys("rate @")
    editor.wait(lambda: editor.mode() == "n" and editor.lua("return requests") == 1)
    editor.command("Dovetail why")
    editor.wait(lambda: " was offered" in editor.messages())

    # Without the second request, the answer would be that the editor took the request back.
    assert "took the request back" not in editor.messages() + editor.floats()
    assert editor.lua("return requests") == 2


def test_why_tells_of_the_text_that_was_accepted(start: Callable[..., Editor]) -> None:
    """Right behind an accepted text, `:Dovetail why` says why it ended, whatever was asked for meanwhile."""
    editor = start(KEYS)
    at_the_gap(editor)
    before = editor.text()

    editor.keys("<Tab>")
    editor.wait(lambda: editor.text() != before)
    editor.keys("<Esc>")
    editor.wait(lambda: editor.mode() == "n")
    editor.command("Dovetail why")
    editor.wait(lambda: "The last completion was accepted; it ended because" in editor.messages() + editor.floats())


def test_why_draws_the_lines_faintly_that_were_left_out(start: Callable[..., Editor]) -> None:
    """They are faint until the user goes on typing, and no other lines are."""
    marks = """
        local namespace = vim.api.nvim_create_namespace('dovetail.left_out')
        local rows = {}
        for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
            table.insert(rows, { mark[2], mark[4].end_row })
        end
        return rows
    """
    editor = start()
    above = "x = = 1\ny = 2\nz = )\nw = )\n"
    editor.edit("prices.py", above + LEFT + RIGHT, 6, len("    subtotal = sum(") + 1)
    editor.wait(editor.ghost)
    editor.keys("<Esc>")

    assert editor.lua(marks) == []

    editor.command("Dovetail why")
    editor.wait(lambda: "left out" in editor.messages() + editor.floats())
    rows = editor.wait(lambda: editor.lua(marks))

    assert sorted({row for first, end in rows for row in range(first, end)}) == [0, 2, 3]

    editor.keys("i")
    editor.wait(lambda: editor.lua(marks) == [])


WITHOUT_GRAMMAR = pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("script.rb", "Dovetail has no grammar for Ruby."),
        ("program.cpp", "Dovetail has no grammar for C++."),
        ("notes", "Dovetail has no grammar for files without a file type."),
    ],
)


@WITHOUT_GRAMMAR
def test_a_language_without_a_grammar_is_named(start: Callable[..., Editor], name: str, sentence: str) -> None:
    """Every subcommand that needs a server says which language has no grammar."""
    editor = start()
    editor.command(f"edit {editor.folder / name}")

    for command in ("status", "why", "explain", "restart"):
        editor.command("messages clear")
        editor.command(f"Dovetail {command}")

        assert editor.messages() == sentence


@WITHOUT_GRAMMAR
def test_the_key_says_that_there_is_no_grammar(start: Callable[..., Editor], name: str, sentence: str) -> None:
    """In insert mode the key that asks for ghost text says so each time, and typing alone says nothing."""
    editor = start("keymaps = true")
    editor.command(f"edit {editor.folder / name}")
    editor.command("messages clear")

    editor.keys("iword ")
    editor.wait(lambda: editor.text() == "word \n")
    assert editor.messages() == ""
    editor.keys(r"<M-\>")
    editor.wait(lambda: editor.messages() == sentence)
    editor.keys(r"more<M-\>")
    editor.wait(lambda: editor.messages() == f"{sentence}\n{sentence}")
    assert editor.text() == "word more\n"


def test_without_a_grammar_the_key_is_what_it_was(start: Callable[..., Editor]) -> None:
    """A key that a buffer, or another plugin, maps to something keeps it where no server could answer."""
    editor = start("keymaps = true", before=r"vim.keymap.set('i', '<M-\\>', 'global')")
    editor.command(f"edit {editor.folder / 'script.rb'}")
    editor.command("messages clear")

    editor.keys(r"i<M-\>")
    editor.wait(lambda: editor.text() == "global\n")
    editor.lua(r"vim.keymap.set('i', '<M-\\>', ' own', { buffer = 0 })")
    editor.keys(r"<Esc>a<M-\>")
    editor.wait(lambda: editor.text() == "global own\n")
    assert editor.messages() == ""


def test_without_setup_the_command_says_what_to_do(start: Callable[..., Editor]) -> None:
    """The sentence names setup(); a file type that the user has left out is a sentence too."""
    editor = start("filetypes = { 'json' }")
    editor.command(f"edit {editor.folder / 'prices.py'}")
    editor.command("Dovetail status")
    editor.lua("require('dovetail.options').current = nil")
    editor.command("Dovetail status")

    assert editor.messages().splitlines() == [
        "Dovetail is off for Python. See the option `filetypes`.",
        'Dovetail is not set up. Call require("dovetail").setup().',
    ]


def test_who_asks_while_a_language_is_prepared_is_told_so(
    start: Callable[..., Editor], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its tables are built in a new cache: the key, the status and *Why* say so, and what was asked for comes then."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    prepared = "TypeScript is being prepared, once; suggestions come after that."
    # The server waits for these tables while another process, this one, seems to build them.
    with making(cache_file(find_grammar("typescript"), None)):
        editor = start(wrapper=("env", f"XDG_CACHE_HOME={tmp_path / 'cache'}"))
        editor.edit("box.ts", "class Box {\n  constructor(width: number) {\n    this.width = \n  }\n}\n", 3, 17)
        editor.wait(lambda: prepared in editor.lua("return (require('dovetail.status').current() or {}).message or ''"))

        editor.keys("<M-\\>")

        editor.wait(lambda: prepared in editor.messages() or prepared in editor.floats())
        editor.command("messages clear")
        editor.command("Dovetail why")
        editor.wait(lambda: prepared in editor.messages())
    editor.wait(lambda: editor.ghost() != "")
    editor.wait(lambda: editor.floats() == "")
    assert editor.mode() == "i"


def test_an_answer_in_insert_mode_stays_on_the_screen(start: Callable[..., Editor]) -> None:
    """Neovim writes the mode over the command line, so a float holds the answer until something is typed."""
    editor = start()
    editor.edit("list.json", "[1, 2] 3\n", 1, 9)
    editor.wait(lambda: editor.lua("return require('dovetail').status()") == "Dovetail ✓")
    answer = "Nothing is offered here;"

    editor.keys("<M-\\>")
    editor.wait(lambda: answer in editor.floats())
    assert any(answer in line for line in editor.screen())
    assert answer in editor.messages()
    editor.keys(" ")

    editor.wait(lambda: editor.floats() == "")
    assert editor.mode() == "i"


def test_explain_speaks_of_the_place_where_a_text_would_be_written(start: Callable[..., Editor]) -> None:
    """In normal mode that is where insert mode was left, or behind the cursor's character."""
    editor = start()
    editor.edit("sum.py", "total = sum([1, 2]\n", 1, 19)
    editor.keys("<Esc>")
    editor.command("Dovetail explain")
    editor.wait(lambda: "is ')'" in editor.messages() + editor.floats())

    editor.keys("0$")  # closes the float
    editor.wait(lambda: editor.floats() == "")
    editor.keys("h")
    editor.command("Dovetail explain")

    # Behind the `2`, where an operator may come, and not before it, where an expression would begin.
    editor.wait(lambda: "`and`" in editor.floats())
    assert "`lambda`" not in editor.floats()
