"""The status and the commands, of a server in a process of its own with the embedded model."""

from __future__ import annotations

import ast
import asyncio
import sys
from collections.abc import AsyncIterator  # noqa: TC003 - pytest-lsp reads the annotations of fixtures
from typing import TYPE_CHECKING, Any

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient
from tests.end_to_end.document import Document

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.asyncio(loop_scope="module")  # one server serves all of these tests

BROKEN = """\
def total(prices:
    return

def mean(prices):
    whole = sum("""
RIGHT = """
    return whole / len(prices)
"""

told: list[Any] = []  # every status that the server told


@pytest_lsp.fixture(config=ClientServerConfig([sys.executable, "-m", "dovetail", "serve"]), scope="module")
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    told.clear()
    lsp_client.feature("didChangeStatus")(lambda status: told.append(status))  # noqa: PLW0108 - pygls writes on the function
    capabilities = types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(
            inline_completion=types.InlineCompletionClientCapabilities()
        ),
        experimental={"didChangeStatus": True},
    )
    options = {"max_tokens": 16, "min_characters": 1, "time_limit": 60, "trigger": "eager"}
    options |= {"completion_items": True, "completion_time_limit": 60}
    answer = await lsp_client.initialize_session(
        types.InitializeParams(capabilities=capabilities, initialization_options=options)
    )
    assert answer.capabilities.completion_provider is not None
    yield
    await lsp_client.shutdown_session()


async def command(client: LanguageClient, name: str, *arguments: object) -> dict[str, Any]:
    params = types.ExecuteCommandParams(f"dovetail.server.{name}", list(arguments))
    result: dict[str, Any] | None = await client.workspace_execute_command_async(params)
    assert result is not None
    return result


async def test_the_status_is_told_from_the_loading_on(client: LanguageClient) -> None:
    """The client is told that the model is being loaded, and in the end that it is ready."""
    document = Document(client, "x = [1, \n", name="status.py")
    await document.ask(8)
    while told[-1].busy:
        await asyncio.sleep(0.01)

    assert (told[0].kind, told[0].busy) == ("Normal", True)
    assert [status.kind for status in told] == ["Normal"] * len(told)
    assert len({status.message for status in told if "being prepared" not in status.message}) == 3


async def test_what_was_left_out_of_a_broken_document_is_named(client: LanguageClient) -> None:
    """A completion beside a broken line is a program without that line, which the server names with its place."""
    document = Document(client, BROKEN + RIGHT, name="broken.py")
    [item] = (await document.ask(len(BROKEN))).items
    text = document.with_item(len(BROKEN), item)

    answer = await command(client, "why", document.uri)

    [part] = answer["ignored"]
    start, end = part["range"]["start"], part["range"]["end"]
    assert (start, start["character"], end["character"]) == ({"line": 0, "character": 0}, 0, 0)
    assert "left out" in answer["message"]
    ast.parse(part["instead"] + "".join(text.splitlines(keepends=True)[end["line"] :]))


async def test_a_place_where_nothing_fits_says_so(client: LanguageClient) -> None:
    """The reason is there if there is no item, and what may come elsewhere is explained."""
    document = Document(client, "[1, 2] 3", name="none.json", language="json")
    assert not (await document.ask(8)).items

    why = await command(client, "why", document.uri)
    place = {"textDocument": {"uri": document.uri}, "position": {"line": 0, "character": 5}}
    explained = await command(client, "explain", place)

    assert (why["offered"], why["viable"]) == (0, False)
    assert "line 1, column 8" in why["message"]
    assert explained["message"]


async def test_a_language_without_a_grammar_has_the_reason(client: LanguageClient) -> None:
    """No item, and the sentence names the language."""
    document = Document(client, "program p\n", name="p.f90", language="fortran")
    assert not (await document.ask(10)).items

    assert "fortran" in (await command(client, "why", document.uri))["message"]


async def test_items_for_other_editors_make_programs(client: LanguageClient) -> None:
    """The item of `textDocument/completion` replaces the word at the cursor, and the whole parses."""
    document = Document(client, "import os\nprint(o)\n", name="items.py")
    params = types.CompletionParams(types.TextDocumentIdentifier(document.uri), types.Position(1, 7))

    found = await client.text_document_completion_async(params)

    assert isinstance(found, types.CompletionList)
    assert found.is_incomplete
    for item in found.items:
        assert isinstance(item.text_edit, types.TextEdit)
        assert item.text_edit.range == types.Range(types.Position(1, 6), types.Position(1, 7))
        ast.parse(f"import os\nprint({item.text_edit.new_text})\n")
    assert found.items


async def test_switched_off_and_on_again(client: LanguageClient) -> None:
    """A document that is switched off has no items until it is switched on."""
    document = Document(client, "x = [1, \n", name="switched.py")
    what = {"scope": "document", "uri": document.uri}

    off = await command(client, "toggle", what)
    silent = await document.ask(8)
    on = await command(client, "toggle", what)

    assert (off["enabled"], list(silent.items), on["enabled"]) == (False, [], True)
    assert (await document.ask(8)).items


async def test_a_model_that_cannot_be_had_leaves_the_one_before(client: LanguageClient, tmp_path: Path) -> None:
    """The sentence names the folder, completions go on, and after the right choice all is well again."""
    document = Document(client, "x = [1, \n", name="model.py")

    wrong = await command(client, "model", str(tmp_path))
    served = await document.ask(8)
    right = await command(client, "model", None)
    restarted = await command(client, "restart")

    assert wrong["kind"] == "Warning"
    assert str(tmp_path) in wrong["message"]
    assert served.items
    assert (right["kind"], right["model"]) == ("Normal", "embedded")
    assert restarted == right


async def test_nothing_was_shown_to_the_user(client: LanguageClient) -> None:
    """None of the above pops up."""
    assert client.messages == []
