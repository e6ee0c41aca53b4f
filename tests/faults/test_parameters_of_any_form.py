"""Parameters and arguments of any form: each request has one answer, and the next is served."""

from __future__ import annotations

import asyncio
from itertools import count

from hypothesis import given
from hypothesis import strategies as st
from tests.faults.odd_messages import (
    INVALID_PARAMS,
    PATIENCE,
    assert_serves,
)
from tests.lsp.client import Client, session
from tests.lsp.scripted_completer import ScriptedCompleter

from dovetail.lsp.methods.execute_command import COMMANDS

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda values: st.lists(values, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["uri", "textDocument", "position", "line", "character", "contentChanges", "text", "range", "start", "end",
             "version", "languageId", "context", "command", "arguments", "settings", "id", "jsonrpc", "method", "item"]
        ),
        values,
        max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip

METHODS = [
    "initialized", "textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "textDocument/didSave",
    "textDocument/inlineCompletion", "workspace/executeCommand", "workspace/didChangeConfiguration",
    "workspace/didChangeWorkspaceFolders", "$/cancelRequest", "$/setTrace", "window/workDoneProgress/cancel",
    "textDocument/didShowCompletion", "textDocument/didPartiallyAcceptCompletion", "notebookDocument/didOpen",
    "notebookDocument/didChange", "notebookDocument/didClose",
]  # fmt: skip


async def begun() -> Client:
    """Return the client of a session that was begun."""
    client = session(ScriptedCompleter())
    await client.begin(options={"debounce": 0})
    return client


def test_parameters_of_any_form_are_survived() -> None:
    """Each request has one answer whatever the parameters of whatever method are, and the next is served."""
    numbers = count(1)

    async def exchange(client: Client, messages: list[tuple[str, object, bool]]) -> None:
        client.open("x = ")
        waiting = []
        for method, params, asks in messages:
            if asks:
                waiting.append(client.ask(next(numbers), method, params))
            else:
                client.notify(method, params)
        for answer in waiting:
            assert ("error" in await asyncio.wait_for(answer, PATIENCE)) != ("result" in await answer)
        client.notify("workspace/didChangeConfiguration", {"settings": {"dovetail": {"debounce": 0}}})
        await assert_serves(client, next(numbers))

    with asyncio.Runner() as runner:
        client = runner.run(begun())

        @given(st.lists(st.tuples(st.sampled_from(METHODS), JSON, st.booleans()), min_size=1, max_size=8))
        def hold(messages: list[tuple[str, object, bool]]) -> None:
            runner.run(exchange(client, messages))

        hold()
        assert client.server.session.end_work(PATIENCE)


def test_arguments_of_any_form_are_survived() -> None:
    """A command is answered whatever its arguments are, and never with a defect of ours."""
    numbers = count(1)

    async def exchange(client: Client, command: str, arguments: list[object]) -> None:
        client.open("x = ")
        params = {"command": command, "arguments": arguments}
        asked = client.ask(next(numbers), "workspace/executeCommand", params)
        answer = await asyncio.wait_for(asked, PATIENCE)
        assert "result" in answer or answer["error"]["code"] == INVALID_PARAMS, answer

    with asyncio.Runner() as runner:
        client = runner.run(begun())

        @given(st.sampled_from(sorted(COMMANDS)), st.lists(JSON, max_size=3))
        def hold(command: str, arguments: list[object]) -> None:
            runner.run(exchange(client, command, arguments))

        hold()
        assert client.server.session.end_work(PATIENCE)
